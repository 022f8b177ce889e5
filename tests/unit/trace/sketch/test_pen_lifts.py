"""Lines that are not joined: the pen is lifted, travels and touches; points anywhere on a body."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from animato.errors import MotionError, OptionError, UnknownNameError
from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics.points import build_point_kinematics
from animato.motion.stroke import Stroke
from animato.trace.options import Options
from animato.trace.problem import build
from animato.trace.sketch.body_points import with_body_points
from animato.trace.sketch.loading import load_strokes
from animato.trace.sketch.pen_lifts import joined_lines, mean_normal
from animato.trace.tracing import solve

PLANE = "-yz at 0.75,0,0.75"


def write_lines(file: Path, lines: list[list[list[float]]], *, timed: bool = False) -> Path:
    strokes = [{"points": line} | ({"times": [0.5 * k for k in range(len(line))]} if timed else {}) for line in lines]
    file.write_text(json.dumps({"strokes": strokes}), encoding="utf-8")
    return file


BARS = [[[0.0, 0.0], [0.0, 0.2]], [[0.1, 0.2], [0.1, 0.0]]]


@pytest.mark.parametrize("timed", [False, True])
def test_the_pen_is_lifted_off_the_board(tmp_path: Path, timed: bool) -> None:
    sketch = load_strokes(write_lines(tmp_path / "a.json", BARS, timed=timed), "arm6", plane=PLANE, lift_m=0.04)
    (leaves, touches) = sketch.air[0]
    places = sketch.x_of_s(np.linspace(leaves, touches, 101))[:, 0]
    assert 0.75 - places[:, 0].min() == pytest.approx(0.04, abs=1e-3)  # towards the robot
    np.testing.assert_allclose(sketch.x_of_s([0.0, leaves, touches, 1.0])[:, 0, 0], 0.75, atol=1e-12)
    np.testing.assert_allclose(sketch.x_of_s([leaves, touches])[:, 0, 2], [0.85, 0.85], atol=1e-9)
    assert sketch.accents[sketch.in_air].max() == 0.0 and sketch.accents[~sketch.in_air].min() == 1.0
    middle = 0.5 * (leaves + touches)
    assert list(sketch.is_down([0.0, leaves, middle, touches])) == [True, True, False, True]


def test_lines_without_a_way_between_them_are_one(tmp_path: Path) -> None:
    lines = [[[0.0, 0.0], [0.0, 0.2]], [[0.0, 0.2], [0.1, 0.0]]]
    assert load_strokes(write_lines(tmp_path / "a.json", lines), "arm6", plane=PLANE).air == ()


def test_pen_up_samples_of_a_tablet_are_no_line(tmp_path: Path) -> None:
    stroke = {"points": [[0, 0], [0, 1], [5, 5], [1, 1], [1, 0]], "pen_down": [1, 1, 0, 1, 1], "times": [0, 1, 2, 3, 4]}
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"unit": "cm", "strokes": {"pen": stroke}}), encoding="utf-8")
    sketch = load_strokes(file, "arm6", plane=PLANE)
    assert len(sketch.air) == 1 and np.ptp(sketch.positions[:, 0, 2]) == pytest.approx(0.01)


def test_times_that_run_backwards_are_left_out_and_said(tmp_path: Path) -> None:
    times = [0.01 * k for k in range(50)]
    times[20] = 0.05
    stroke = {"points": [[0.01 * k, 0.001 * k * k] for k in range(50)], "times": times}
    (tmp_path / "a.json").write_text(json.dumps({"strokes": {"pen": stroke}}), encoding="utf-8")
    sketch = load_strokes(tmp_path / "a.json", "arm6", plane="fitted")
    assert len(sketch.times) == 49 and "1 sample is left out" in sketch.notes[0]


def test_lines_in_space_are_lifted_along_their_normal_or_not_at_all() -> None:
    table = np.array([[0.5, 0.0, 0.3], [0.6, 0.0, 0.3], [0.6, 0.1, 0.3], [0.5, 0.2, 0.3]])
    normal = mean_normal(table)
    assert normal is not None
    np.testing.assert_allclose(normal, [0.0, 0.0, 1.0], atol=1e-12)
    assert mean_normal(np.random.default_rng(0).normal(size=(30, 3))) is None
    lines = [Stroke(table[:2], np.arange(2.0)), Stroke(table[2:], np.arange(2.0))]
    straight = joined_lines(lines, None, 0.05)
    assert np.ptp(straight.stroke.points[:, 2]) == 0.0 and straight.in_air.any()


def test_mistakes_are_said(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "a.json", BARS)
    with pytest.raises(OptionError, match="`lift_m` is a height"):
        load_strokes(file, "arm6", plane=PLANE, lift_m=-1.0)
    with pytest.raises(UnknownNameError, match=r"Body 'fourarm' is not in 'arm6'\. Did you mean 'forearm'"):
        load_strokes(file, "arm6", plane=PLANE, point="fourarm at 0,0,0")
    with pytest.raises(MotionError, match="at the same time"):
        load_strokes("golf", "torso29", point="crown")


def test_a_robot_draws_lines_and_not_the_ways_between(tmp_path: Path) -> None:
    arm = load_character("arm6")
    sketch = load_strokes(write_lines(tmp_path / "a.json", BARS), arm, start="board", plane=PLANE)
    solution = solve(build(arm, sketch, Options(start="board", segments=150)))
    assert solution.outcome.usable and solution.deviations.max() < 3e-3
    first, second = solution.pen_down
    assert first.start == 0.0 and second.end == solution.clip.times[-1] and first.end < second.start
    # where the clip says that the pen touches, it does
    kinematics = build_point_kinematics(arm, ["pen"])
    columns = [solution.clip.names.index(name) for name in kinematics.names]
    frames = np.array([np.interp([first.end, second.start], solution.clip.times, q) for q in solution.clip.positions.T])
    places = kinematics.places(frames[columns].T)[:, 0]
    np.testing.assert_allclose(places, sketch.x_of_s([first.s_end, second.s_start])[:, 0], atol=4e-3)


def test_a_point_may_be_anywhere_on_a_body() -> None:
    arm = with_body_points(load_character("arm6"), ["forearm at 0.1,0,0.02", "forearm@-.1,0,0", "pen"])
    assert [marker.name for marker in arm.markers][-2:] == ["forearm at 0.1,0,0.02", "forearm@-.1,0,0"]
    points = build_point_kinematics(arm, ["forearm", "forearm at 0.1,0,0.02", "forearm@-.1,0,0"])
    places = points.places(points.start[None])[0]
    assert np.linalg.norm(places[1] - places[0]) == pytest.approx(np.hypot(0.1, 0.02))
    assert np.linalg.norm(places[2] - places[0]) == pytest.approx(0.1)
    way = Stroke(places[1] + np.linspace(0.0, 0.05, 30)[:, None] * [0.0, 1.0, 0.0], np.linspace(0.0, 2.0, 30))
    solution = solve(build("arm6", {"forearm at 0.1,0,0.02": way}, Options(segments=100)))
    assert solution.outcome.usable and solution.deviations.max() < 2e-3


def test_a_lift_out_of_reach_is_no_stroke_out_of_reach(tmp_path: Path) -> None:
    arm = load_character("arm6")
    sketch = load_strokes(write_lines(tmp_path / "a.json", BARS), arm, start="board", plane=PLANE, lift_m=2.0)
    solution = solve(build(arm, sketch, Options(start="board"), name="bars"))
    assert not solution.path_fit.out_of_reach
    air = np.linspace(*sketch.air[0], 101)
    assert np.linalg.norm(solution.points_at(air) - sketch.x_of_s(air), axis=2).max() > 0.05  # the control
    far = load_strokes(write_lines(tmp_path / "a.json", BARS), arm, plane="-yz at 1.6,0,0.75", lift_m=0.02)
    assert solve(build(arm, far, Options(start="board"), name="far")).path_fit.out_of_reach
