"""Live tracing: what is committed stays, limits hold across plans, and the robot can always stop."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest

from animato.character.character import Character
from animato.errors import AnimatoError, OptionError
from animato.formats.character_files import load_character
from animato.formats.strokes.reader import read_stroke
from animato.mechanics.tree.kinematics.packing import packed_tree
from animato.mechanics.tree.kinematics.states import States
from animato.mechanics.tree.rnea import inverse_dynamics
from animato.trace.live.loop import Loop, posture_at, warm_up
from animato.trace.live.planner import Wishes
from animato.trace.sketch.plane import Plane, parse_plane, placed
from animato.trace.timing.axis_limits import axis_limits

RATE = 125.0


def _board() -> Plane:
    return parse_plane("-yz at 0.75,0,0.7").resized(np.array([0.75, 0.0, 0.7]), 1.0)


@lru_cache
def _word(seconds: float, tempo: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """The beginning of the word hello before the arm, drawn `tempo` times as fast."""
    stroke = placed(read_stroke("hello"), _board())
    assert stroke.times is not None
    part = stroke.times <= seconds
    return stroke.points[part], stroke.times[part] / tempo


@lru_cache
def _arm() -> Character:
    return load_character("arm6")


def _drawn(tracer: Loop, points: np.ndarray, times: np.ndarray, batch: int = 2) -> np.ndarray:
    """Draws it all; commands at the end of what was committed when each was given, [k, 1 + n]."""
    commands = []
    for first in range(0, len(times), batch):
        tracer.add(points[first : first + batch], times[first : first + batch])
        moment = tracer.time + 0.02
        commands.append([moment, *tracer.motion.position(moment)])
    tracer.finish()
    return np.array(commands)


def _tracer(points: np.ndarray, **options: float) -> Loop:
    arm = _arm()
    return Loop(arm, "pen", start=posture_at(arm, "pen", points[0], "board"), **options)  # type: ignore[arg-type]


def _shares(character: Character, tracer: Loop, step: float = 1e-3) -> dict[str, float]:
    """Largest used shares over the whole motion, by inverse dynamics."""
    tree, limits = packed_tree(character), axis_limits(character)
    times = np.arange(tracer.motion.plans[0].begins, tracer.motion.ends, step)
    q, v, a = tracer.motion.states(times)
    positions = np.tile(tree.neutral, (len(times), 1))
    velocities = np.zeros((len(times), len(tree.dof_names)))
    accelerations = np.zeros_like(velocities)
    for column, name in enumerate(tracer.names):
        positions[:, tree.coordinate_names.index(name)] = q[:, column]
        velocities[:, tree.dof_names.index(name)] = v[:, column]
        accelerations[:, tree.dof_names.index(name)] = a[:, column]
    root = np.tile(np.concatenate([tree.root_rest.position, tree.root_rest.quaternion_wxyz]), (len(times), 1))
    torques = inverse_dynamics(character, States(times, positions, velocities, accelerations, root)).values
    return {
        "velocity": float((np.abs(velocities) / limits.velocity).max()),
        "acceleration": float((np.abs(accelerations) / limits.acceleration).max()),
        "torque": float((np.abs(torques) / limits.torque).max()),
    }


@pytest.mark.parametrize("tempo", [1.0, 6.0])
def test_limits_hold_across_plans_and_velocities_do_not_jump(tempo: float) -> None:
    points, times = _word(4.0, tempo)
    tracer = _tracer(points)
    _drawn(tracer, points, times)
    assert max(_shares(_arm(), tracer).values()) <= 1.0 + 1e-6
    plans = tracer.motion.plans
    assert len(plans) > 20
    for before, after in pairwise(plans):
        s, rate, _ = before.scaling.rates_at(np.array([after.begins - before.begins]))
        s_next, rate_next, _ = after.scaling.rates_at(np.zeros(1))
        np.testing.assert_allclose(before.path.at(s), after.path.at(s_next), atol=1e-9)
        old, new = before.path.at(s, 1) * rate, after.path.at(s_next, 1) * rate_next
        np.testing.assert_allclose(old, new, atol=1e-9 * max(1.0, float(np.abs(old).max())))


def test_what_is_committed_stays() -> None:
    points, times = _word(4.0, 2.0)
    tracer = _tracer(points)
    commands = _drawn(tracer, points, times)
    for moment, *q in commands:
        np.testing.assert_allclose(tracer.motion.position(moment), q, atol=1e-9)


def test_every_plan_ends_at_rest_where_something_was_drawn() -> None:
    points, times = _word(3.0, 3.0)
    tracer = _tracer(points)
    for first in range(0, len(times), 4):
        tracer.add(points[first : first + 4], times[first : first + 4])
        for plan in tracer.motion.plans[-1:]:
            assert plan.scaling.b[-1] == 0.0
            assert plan.end <= np.linalg.norm(np.diff(points[: first + 4], axis=0), axis=1).sum() + 1e-9


def test_it_follows_the_line_and_keeps_its_delay() -> None:
    points, times = _word(4.0)
    noisy = points + np.random.default_rng(1).normal(scale=3e-4, size=points.shape)
    tracer = _tracer(points, delay_s=0.3)
    _drawn(tracer, noisy, times)
    moments = np.linspace(1.0, 4.0, 200)
    places = tracer._kinematics.places(tracer.motion.states(moments)[0])[:, 0]
    then = np.stack([np.interp(moments - 0.3, times, column) for column in points.T], axis=1)
    distances = np.linalg.norm(places - then, axis=1)
    assert np.sqrt(np.mean(distances**2)) < 0.003
    moving = tracer.command(10.0)
    np.testing.assert_allclose(tracer._kinematics.places(moving[None])[0, 0], noisy[-1], atol=2e-3)
    assert tracer.done
    assert tracer.figures.kept == 0


def test_it_is_causal() -> None:
    points, times = _word(2.0)
    other = points.copy()
    other[150:] += 0.01
    one, two = _tracer(points), _tracer(points)
    _drawn(one, points, times)
    _drawn(two, other, times)
    for moment in np.linspace(0.0, times[149] + 0.02, 50):
        np.testing.assert_array_equal(one.motion.position(moment), two.motion.position(moment))
    assert np.abs(one.motion.position(2.0) - two.motion.position(2.0)).max() > 1e-3


def test_it_goes_to_the_first_sample_from_where_it_is() -> None:
    points, times = _word(1.5)
    arm = _arm()
    tracer = Loop(arm, "pen", start="board")
    _drawn(tracer, points, times)
    while not tracer.done:
        tracer.advance(0.02)
    assert max(_shares(arm, tracer).values()) <= 1.0 + 1e-6
    np.testing.assert_allclose(tracer._kinematics.places(tracer.advance(0.0)[None])[0, 0], points[-1], atol=2e-3)


def test_bad_samples_are_counted_and_nothing_is_raised() -> None:
    points, times = _word(1.0)
    tracer = _tracer(points)
    tracer.add(points[:40], times[:40])
    tracer.add([np.nan, 0.0, 0.0], [times[40]])
    tracer.add(points[30], [times[30]])  # backwards
    tracer.add("nonsense", [1.0])
    tracer.add(points[40:43], times[40:41])
    tracer.add(points[43], [np.inf])
    assert tracer.figures.ignored == 1 + 1 + 1 + 3 + 1
    tracer.command(np.nan)
    tracer.add(points[43:], times[43:])
    tracer.finish()
    assert tracer.figures.updates > 1


def test_out_of_reach_goes_as_near_as_it_can_and_says_so() -> None:
    points, times = _word(3.0)
    far = points + np.array([0.6, 0.0, 0.4])
    tracer = _tracer(far)
    _drawn(tracer, far, times, batch=5)
    figures = tracer.figures
    assert max(_shares(_arm(), tracer).values()) <= 1.0 + 1e-6
    assert figures.deviation > 0.05
    assert any("out of reach" in note for note in figures.notes)


def test_a_flat_drawing_goes_onto_its_plane() -> None:
    stroke, board = read_stroke("hello"), _board()
    assert stroke.times is not None
    points, _ = _word(2.0)
    arm = _arm()
    start = posture_at(arm, "pen", points[0], "board")
    flat, space = Loop(arm, "pen", board, start=start), Loop(arm, "pen", start=start)
    middle = 0.5 * (stroke.points.min(axis=0) + stroke.points.max(axis=0))
    for k in range(0, 200, 4):
        flat.add(stroke.points[k : k + 4] - middle, stroke.times[k : k + 4])
        space.add(points[k : k + 4], stroke.times[k : k + 4])
    np.testing.assert_allclose(flat.command(1.6), space.command(1.6), atol=1e-7)


def test_options_and_names_are_checked() -> None:
    arm = _arm()
    with pytest.raises(AnimatoError, match="pen"):
        Loop(arm, "pne")
    with pytest.raises(OptionError, match="commit_s"):
        Loop(arm, "pen", commit_s=-1.0)
    with pytest.raises(OptionError, match="nothing is wanted"):
        Loop(arm, "pen", beta=0.0, gamma=0.0)
    with pytest.raises(OptionError, match="leave the `plane` out"):
        Loop(arm, ["pen", "hand"], _board())
    with pytest.raises(AnimatoError, match="no clip"):
        Loop(arm, "pen").clip()


def test_the_clip_is_the_motion() -> None:
    points, times = _word(1.0)
    tracer = _tracer(points)
    _drawn(tracer, points, times)
    clip = tracer.clip(200.0)
    assert clip.times[0] == 0.0
    begin = tracer.motion.plans[0].begins
    columns = [clip.column(name) for name in tracer.names]
    np.testing.assert_allclose(clip.positions[40, columns], tracer.motion.position(begin + 0.2), atol=1e-9)


def test_a_wild_scribble_far_out_of_reach_ends_within_all_limits() -> None:
    rng = np.random.default_rng(5)
    points = np.array([0.7, 0.0, 0.6]) + np.cumsum(rng.normal(scale=0.3, size=(40, 3)), axis=0)
    points[[7, 20]] = np.nan
    tracer = Loop(_arm(), "pen", start="board")
    _drawn(tracer, points, np.cumsum(rng.exponential(0.03, 40)), batch=3)
    for _ in range(4000):
        if tracer.done:
            break
        tracer.advance(0.05)
    assert tracer.done
    assert tracer.figures.ignored == 2
    assert max(_shares(_arm(), tracer, 4e-3).values()) <= 1.0 + 1e-6


@pytest.mark.parametrize(("robot", "point"), [("arm6", "pen"), ("planar_arm", "pen")])
def test_warming_up_does_all_that_a_stroke_may_need(robot: str, point: str) -> None:
    practised = warm_up(load_character(robot), (point,), None, Wishes(0.3, 0.6, 1.0, 1e-3, True))
    moving = [
        before.scaling.rates_at(np.array([after.begins - before.begins]))[1][0] > 0.0
        for before, after in pairwise(practised.motion.plans)
    ]
    assert any(moving)  # plans that take over while the robot moves
    assert practised.figures.shortened > 0
