"""From targets to a motion that is judged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character import Character
from animato.errors import FileFormatError, OptionError
from animato.express import Loop, Options, Problem, Solution, Target, build, judged, load_targets, solve
from animato.express.gaze.gaze_objective import miss_of_point
from animato.express.solving import FACED_RAD, least_error
from animato.formats import load_character
from animato.mechanics.limits import limit_usage
from animato.motion import Clip, Posture
from animato.outcome import Iteration, Status
from animato.report.express import save_page
from tests.html_pages import assert_whole

POINTS = np.array([[0.8, 0.3, 0.3], [0.8, -0.1, 0.4]])
GENTLE = Options(target_rate_hz=2.0, smoothness=0.3)


@pytest.fixture(scope="module")
def lamp() -> Character:
    return load_character("lamp")


@pytest.fixture(scope="module")
def told() -> list[Iteration]:
    return []


@pytest.fixture(scope="module")
def solution(lamp: Character, told: list[Iteration]) -> Solution:
    return solve(build(lamp, "proud", POINTS, GENTLE), progress=told.append)


def test_the_last_target_is_faced_inside_all_limits(lamp: Character, solution: Solution) -> None:
    assert solution.outcome.status is Status.SOLVED
    assert solution.usage.holds
    chain, clip = solution.problem.chain, solution.clip
    assert clip.names == lamp.coordinate_names
    assert miss_of_point(chain, clip.selected(chain.names).positions[-1], POINTS[-1]) < FACED_RAD
    assert solution.errors_rad.shape == solution.changing.shape == clip.times.shape
    assert solution.errors_rad[-1] < FACED_RAD < solution.errors_rad.max()
    assert solution.report.frames == clip.frame_count - 1
    assert solution.seconds > 0.0


def test_the_motion_is_that_of_its_loop(solution: Solution) -> None:
    """Two frames at rest, then the same commands."""
    loop = Loop(solution.problem)
    rows = []
    for n in range(60):
        if n >= 2:
            loop.submit(POINTS[0 if loop.time_s < 0.5 else 1])
        rows.append(loop.step().positions)
    np.testing.assert_array_equal(solution.clip.selected(loop.chain.names).positions[1:61], rows)


@pytest.mark.parametrize("smoothness", [0.0, 0.1])
def test_planned_limits_hold_between_frames_too(lamp: Character, smoothness: float) -> None:
    """The check's curve is the filter's own motion, also cut off; negative control: the spline of the rest is not."""
    solution = solve(build(lamp, "proud", POINTS, replace(GENTLE, smoothness=smoothness, target_rate_hz=5.0)))
    planned = ("position", "velocity", "acceleration", "jerk")
    assert max(solution.usage.peak(kind) for kind in planned) <= 1.0 + 1e-6
    if smoothness == 0.0:
        assert solution.usage.peak("jerk") > 0.99
        clip = Clip(solution.clip.times[3:], solution.clip.names, solution.clip.positions[3:])
        assert limit_usage(lamp, clip).peak("jerk") <= 1.0 + 1e-6
        limits = [lamp.joint(name).limits[0].jerk for name in clip.names]
        assert (
            np.abs(clip.jerk(clip.times[:-1] + 0.5 * np.diff(clip.times))).max(axis=0) / np.array(limits)
        ).max() > 1.001


def test_progress_and_history(solution: Solution, told: list[Iteration]) -> None:
    assert told[0] == Iteration(stage="making ready")
    assert {one.stage for one in told[1:]} == {"facing", "coming to rest"}
    assert tuple(told[1:]) == solution.history
    times = [one.time_s for one in solution.history]
    np.testing.assert_allclose(np.diff(times), 0.1, atol=1e-9)
    facing = [one for one in solution.history if one.stage == "facing"]
    assert facing[-1].number == facing[-1].total == 50
    frames = np.round(np.array(times) * 100).astype(int)
    np.testing.assert_array_equal([one.objective for one in solution.history], solution.errors_rad[frames])


def test_a_motion_that_breaks_a_limit_is_not_usable(lamp: Character) -> None:
    weak = replace(
        lamp,
        joints=tuple(
            replace(joint, stated_limits=tuple(replace(one, torque=1e-3) for one in joint.stated_limits))
            for joint in lamp.joints
        ),
    )
    solution = solve(build(weak, "proud", POINTS, GENTLE))
    assert solution.outcome.status is Status.INFEASIBLE
    assert not solution.outcome.usable
    assert "torque" in solution.outcome.reason
    assert "`smoothness`" in solution.outcome.reason


def test_what_is_out_of_reach_is_faced_as_well_as_it_can_be() -> None:
    skeleton = load_character("skeleton_a")
    below = Target(direction=(0.3, 0.0, -1.0), roll_rad=0.0)
    problem = build(skeleton, "curious", below, Options(smoothness=0.5))
    least = least_error(problem, below)
    assert least > 0.1
    loop = Loop(problem, record=True)
    loop.submit(below)
    loop.play(seconds=4.0)
    solution = judged(loop, 1.0)
    assert solution.outcome.status is Status.ACCEPTABLE
    assert "out of reach" in solution.outcome.reason


def test_a_loop_that_was_ended_on_its_way(lamp: Character) -> None:
    loop = Loop(build(lamp, "proud", options=GENTLE), record=True)
    loop.submit(POINTS[0])
    loop.play(seconds=0.2)
    assert judged(loop, 0.2, whole=False).outcome.status is Status.ACCEPTABLE
    ended = judged(loop, 0.2).outcome
    assert ended.status is Status.STALLED
    assert not ended.usable


def test_it_starts_where_it_is_told(lamp: Character) -> None:
    start = Posture.named(lamp, "curious")
    problem = build(lamp, "proud", POINTS[0], GENTLE)
    for given in (start, start.positions):
        np.testing.assert_allclose(solve(problem, start=given).clip.positions[0], start.positions, atol=1e-15)


def test_targets_after_the_end_are_not_faced(lamp: Character) -> None:
    problem = build(lamp, "proud", POINTS, replace(GENTLE, duration_s=0.2))
    clip = solve(problem).clip
    assert miss_of_point(problem.chain, clip.selected(problem.chain.names).positions[-1], POINTS[0]) < FACED_RAD


def test_an_idle_character_breathes_and_still_faces(lamp: Character) -> None:
    upright = Target(direction=(1.0, 0.2, 0.0))
    still, idle = (
        solve(build(lamp, "proud", [replace(upright, time_s=0.0), replace(upright, time_s=6.0)], options))
        for options in (GENTLE, replace(GENTLE, idle=True, idle_amplitude_rad=0.1))
    )
    apart = still.clip.positions[300:600] - idle.clip.positions[300:600]
    assert np.ptp(apart, axis=0).max() > 0.02
    assert idle.errors_rad[-200:].max() < 0.02
    assert idle.outcome.usable


def test_a_live_problem_has_nothing_to_solve(lamp: Character) -> None:
    with pytest.raises(OptionError, match=r"`targets` to face.*Loop"):
        solve(build(lamp, "proud"))
    with pytest.raises(OptionError, match=r"express\.build"):
        Loop(lamp)  # type: ignore[arg-type]


def test_targets_are_loaded_from_a_file(tmp_path: Path, lamp: Character) -> None:
    file = tmp_path / "moth.txt"
    file.write_text('# a moth\n0.8 0.1 0.3\n\n{"direction": [1, 0, 0], "time_s": 0.5}\n')
    targets = load_targets(file)
    assert targets == (Target(point=(0.8, 0.1, 0.3)), Target(direction=(1.0, 0.0, 0.0), time_s=0.5))
    assert isinstance(build(lamp, "proud", targets), Problem)
    file.write_text("0.8 0.1 0.3\nover there\n")
    with pytest.raises(FileFormatError, match="line 2"):
        load_targets(file)
    file.write_text("# nothing\n")
    with pytest.raises(FileFormatError, match="holds no target"):
        load_targets(file)


def test_the_page_says_what_the_outcome_says(solution: Solution, tmp_path: Path) -> None:
    page = solution.save_page(tmp_path / "lamp.html").read_text(encoding="utf-8")
    assert_whole(page)
    assert "Performed" in page
    assert "off the target" in page
    assert "figure-player" in page
    bad = replace(solution, outcome=replace(solution.outcome, status=Status.INFEASIBLE, reason="It breaks."))
    words = save_page(tmp_path / "bad.html", bad, pictures=False).read_text(encoding="utf-8")
    assert "Performed" not in words
    assert "It breaks." in words


def test_a_solution_says_what_it_is_in_a_line(solution: Solution) -> None:
    assert repr(solution).startswith("<express.Solution: of lamp, holding posture 'proud'")
    assert "outcome solved: Every limit holds" in repr(solution)
    assert len(repr(solution)) < 500
