"""The shape of the verb: options, problem, solution, and what it says of itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato import trace
from animato.errors import CharacterError, MotionError, OptionError
from animato.formats.character_files import load_character
from animato.formats.strokes.reader import read_strokes
from animato.mechanics.limits import limit_usage
from animato.motion.stroke import Stroke
from animato.outcome import Iteration, Outcome, Status
from animato.trace.verdict import verdict

QUICK = trace.Options(start="ready", segments=120)


@pytest.fixture(scope="module")
def told() -> list[Iteration]:
    return []


@pytest.fixture(scope="module")
def hammer(told: list[Iteration]) -> trace.Solution:
    problem = trace.build(load_character("planar_arm"), read_strokes("hammer"), QUICK, name="hammer")
    return trace.solve(problem, progress=told.append)


def test_a_solution_says_everything(hammer: trace.Solution, told: list[Iteration], tmp_path: Path) -> None:
    assert hammer.outcome.solved and hammer.outcome.usable
    assert hammer.history == tuple(told) and hammer.seconds > 0.0
    stages = list(dict.fromkeys(step.stage for step in told))
    assert stages == [
        "fitting the path",
        "timing the path",
        "proving how good the timing is",
        "settling the frames",
    ]
    assert repr(hammer).startswith("<trace.Solution: stroke hammer, robot planar_arm, outcome solved")
    assert repr(hammer.problem).startswith("<trace.Problem: stroke hammer, robot planar_arm, points 1 (pen)")
    for thing in (hammer.problem.sketch, hammer.problem.path, hammer.path, hammer.path_fit, hammer.scaling):
        assert len(repr(thing)) < 250 and "array" not in repr(thing)
    assert max(hammer.usage.peak(kind) for kind in ("velocity", "acceleration", "torque")) <= 1.0 + 1e-6
    assert hammer.usage.peak("torque") == limit_usage(hammer.problem.character, hammer.clip).peak("torque")
    page = hammer.save_page(tmp_path / "hammer.html")
    assert "Performed" in page.read_text(encoding="utf-8")


def test_a_start_is_gone_on_from(hammer: trace.Solution) -> None:
    again = trace.solve(hammer.problem, start=hammer)
    assert again.path_fit.deviation <= 1.01 * hammer.path_fit.deviation
    other = trace.solve(replace_options(hammer.problem, control_point_count=30), start=hammer.path)
    assert other.path.control_point_count == 30 and other.outcome.usable


def replace_options(problem: trace.Problem, control_point_count: int) -> trace.Problem:
    options = replace(problem.options, control_point_count=control_point_count)
    return trace.build(problem.character, problem.sketch, options)


def test_the_same_path_with_another_timing(hammer: trace.Solution) -> None:
    fast = trace.retimed(hammer, trace.Options(beta=0.0, gamma=1.0, tempo_lock=False, segments=120))
    assert fast.path is hammer.path
    assert fast.scaling.duration < hammer.scaling.duration
    assert fast.problem.options.gamma == 1.0


def test_what_does_not_hold_is_not_usable(hammer: trace.Solution) -> None:
    """One reason at a time, on an answer that is otherwise good."""
    fit, scaling, settled = hammer.path_fit, hammer.scaling, hammer.settled
    assert verdict(fit, scaling, settled).solved
    broken = verdict(fit, scaling, replace(settled, peaks={**settled.peaks, "torque": 1.02}))
    assert broken.status is Status.INFEASIBLE and "102 % of a limit of torque" in broken.reason
    beyond = verdict(fit, scaling, replace(settled, position=1.00001))
    assert beyond.status is Status.INFEASIBLE and "position" in beyond.reason
    stalled = replace(scaling, outcome=Outcome(Status.STALLED, "no step makes it better"), lower_bound=float("nan"))
    assert verdict(fit, stalled, settled).status is Status.STALLED
    poor = replace(stalled, lower_bound=0.9 * scaling.objective)
    assert not verdict(fit, poor, settled).usable
    proven = replace(stalled, lower_bound=0.9999 * scaling.objective)
    assert verdict(fit, proven, settled).status is Status.ACCEPTABLE
    unfinished = replace(fit, outcome=Outcome(Status.OUT_OF_ITERATIONS, "The path was still improving."))
    assert verdict(unfinished, scaling, settled).status is Status.ACCEPTABLE


def test_out_of_reach_is_infeasible() -> None:
    stroke = read_strokes("hammer")["pen"]
    far = Stroke(stroke.points * 1.6, stroke.times)
    lost = trace.solve(trace.build(load_character("planar_arm"), {"pen": far}, QUICK))
    assert lost.outcome.status is Status.INFEASIBLE and "cannot reach" in lost.outcome.reason


def test_names_stand_for_things_and_other_things_are_refused() -> None:
    problem = trace.build("arm6", "hello")
    assert problem.character.name == "arm6" and problem.sketch.points == ("pen",)
    with pytest.raises(MotionError, match=r"`motion` must be a Sketch, strokes by point, or the name"):
        trace.build("arm6", 3)  # type: ignore[arg-type]
    with pytest.raises(CharacterError, match=r"`character` must be a Character, or the name or file"):
        trace.build(3, "hello")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"method": "both"}, "`method` is one of decoupled, coupled, iterative; given 'both'"),
        ({"timing": "free"}, "`timing` is one of relative, absolute"),
        ({"beta": -1.0}, "`beta` is a number 0 or more; given -1.0"),
        ({"gamma": float("nan")}, "`gamma`"),
        ({"beta": "much"}, "`beta` is a number"),
        ({"beta": 0.0, "gamma": 0.0}, "nothing is wanted"),
        ({"duration_s": 0.0}, "`duration_s` is a number above 0"),
        ({"segments": 1}, "`segments` is a number 2 or more"),
        ({"segments": None}, "`segments`"),
        ({"rate_hz": 1e6}, "at most 20000"),
        ({"epsilon": 1.5}, "`epsilon`"),
        ({"method": "iterative", "duration_s": 3.0}, "`duration_s` does not go with the iterative `method`"),
    ],
)
def test_options_out_of_range_name_themselves(given: dict[str, object], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        trace.Options(**given)  # type: ignore[arg-type]


def test_the_path_gives_way_to_limits_of_jerk_where_they_make_it_longer() -> None:
    arm = an.load_character("arm6")
    u = np.linspace(0.0, 2.0 * np.pi, 300)
    loops = np.stack([0.6 + 0.0 * u, 0.15 * np.sin(2.0 * u), 0.7 + 0.1 * np.sin(3.0 * u)], axis=1)
    sketch = an.Sketch(("pen",), loops[:, None], u)
    fastest = an.trace.Options(
        start="board", beta=0.0, gamma=1.0, tempo_lock=False, segments=150, certificate=False, jerk=True
    )
    free = an.trace.solve(an.trace.build(arm, sketch, fastest))
    held = an.trace.solve(an.trace.build(arm, sketch, replace(fastest, control_point_count=_plain_count(arm, sketch))))
    assert free.path.control_point_count == 2 * held.path.control_point_count
    assert free.clip.duration < held.clip.duration
    assert free.usage.peak("jerk") < 1.0 + 1e-6 and free.outcome.usable


def _plain_count(arm: an.Character, sketch: an.Sketch) -> int:
    return an.trace.build(arm, sketch, an.trace.Options(start="board")).path.control_point_count


def test_lines_with_a_lifted_pen_are_not_for_the_coupled_method(tmp_path: Path) -> None:
    drawing = tmp_path / "two.svg"
    drawing.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="100mm" viewBox="0 0 100 100">'
        '<path fill="none" stroke="black" d="M10 10L40 10"/><path fill="none" stroke="black" d="M60 60L90 60"/></svg>'
    )
    arm = an.load_character("arm6")
    lines = an.load_strokes(drawing, arm, start="board", plane="-yz at 0.6,0,0.7")
    with pytest.raises(OptionError, match="2 with the pen lifted"):
        an.trace.build(arm, lines, an.trace.Options(start="board", method="coupled"))
