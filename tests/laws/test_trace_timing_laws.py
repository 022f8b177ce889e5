"""What must hold for any time scaling: limits between grid points, reversal, change of units, the tempo lock."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character.limits import Limits
from animato.formats.character_files import load_character
from animato.trace.options import Options
from animato.trace.path.joint_path import JointPath
from animato.trace.sketch.drawn_timing import DrawnTiming
from animato.trace.timing.limit_shares import shares_between
from animato.trace.timing.temporal_stage import solve_time_scaling
from animato.trace.timing.time_scaling import TimeScaling
from tests.unit.trace.timing_cases import drawn, fitted, gantry

ARM = load_character("arm6")


def scribble(seed: int) -> JointPath:
    """A smooth way of all six joints about the posture 'board'."""
    rng = np.random.default_rng(seed)
    phases, sizes = rng.uniform(0, 6, 6), rng.uniform(0.05, 0.3, 6)
    centre = np.array([0.0, 0.17, -0.35, 0.0, 0.17, 0.0])

    def curve(s: np.ndarray) -> np.ndarray:
        return centre + sizes * np.sin(9 * s[:, None] * (1 + np.arange(6) % 3) + phases)

    return fitted(ARM.coordinate_names, curve, pieces=30)


def swaying(s: np.ndarray) -> np.ndarray:
    return 1.0 + 0.5 * np.sin(25 * s)


SWAYING = drawn(swaying, 5.0)
WISHES = [
    Options(beta=0.0, gamma=1.0, segments=80, tempo_lock=False),
    Options(beta=10.0, gamma=0.01, segments=80, tempo_lock=False),
    Options(beta=1.0, gamma=0.1, timing="absolute", segments=80, tempo_lock=False),
    Options(tempo_lock=True, segments=80),
    Options(beta=10.0, duration_s=6.0, segments=80, tempo_lock=False),
]


@pytest.mark.parametrize("options", WISHES)
@pytest.mark.parametrize("acceleration", [True, False])
def test_limits_hold_between_grid_points(options: Options, acceleration: bool) -> None:
    robot = ARM
    if not acceleration:  # then torques govern
        joints = tuple(
            replace(
                joint,
                stated_limits=tuple(
                    replace(one, acceleration=None, torque=0.7 * one.torque) for one in joint.stated_limits
                ),
            )
            for joint in ARM.joints
        )
        robot = replace(ARM, joints=joints)
    path = scribble(3)
    answer = solve_time_scaling(robot, path, SWAYING, options)
    assert answer.outcome.solved, answer.outcome
    shares = shares_between(robot, path, answer, finer=100)
    assert max(shares.values()) <= 1.0 + 1e-9
    assert answer.gap <= 5e-3
    assert answer.lower_bound <= answer.objective
    if options.beta == 0.0:
        assert max(shares.values()) > 0.999  # a fastest motion touches its limits


def test_limits_at_grid_points_alone_do_break() -> None:
    """Negative control: the speed of a coarse grid, straight between its points, breaks limits on the finer one."""
    path = scribble(3)
    fine = solve_time_scaling(ARM, path, SWAYING, WISHES[0])
    coarse = replace(
        fine, s=fine.s[::4], b=fine.b[::4], bends=np.zeros(20), times=fine.times[::4], waits=fine.waits[::4]
    )
    assert max(shares_between(ARM, path, coarse, finer=100).values()) > 1.05


def backward(path: JointPath) -> JointPath:
    return JointPath(path.names, 1.0 - path.knots[::-1], path.control_points[::-1], path.held)


@pytest.mark.parametrize("options", [WISHES[0], WISHES[1], WISHES[3], WISHES[4]])  # absolute times have a first end
def test_time_reversal(options: Options) -> None:
    """Backward along the path, with the drawing played backward: the same motion backward."""
    path = scribble(5)
    there = solve_time_scaling(ARM, path, SWAYING, options)
    reversed_timing = DrawnTiming(1.0 - SWAYING.s[::-1], SWAYING.duration - SWAYING.times[::-1])
    back = solve_time_scaling(ARM, backward(path), reversed_timing, options)
    assert back.objective == pytest.approx(there.objective, rel=1e-5)
    if options.beta == 0.0:
        np.testing.assert_allclose(back.b[::-1], there.b, rtol=1e-2, atol=1e-4 * there.b.max())


@pytest.mark.parametrize("scale", [1e-3, 20.0])
def test_unit_of_time(scale: float) -> None:
    """Hours or milliseconds: limits, drawing and weights in other units give the same motion."""

    def solve(unit: float) -> TimeScaling:
        limits = Limits(velocity=2.0 / unit, acceleration=5.0 / unit**2)
        path = fitted(("axis_0", "axis_1"), lambda s: np.stack([s, 0.3 * np.sin(8 * s)], axis=1), pieces=20)
        timing = drawn(swaying, 1.5 * unit)
        options = Options(beta=3.0 / unit**2, gamma=0.1 / unit, segments=60, tempo_lock=False)
        return solve_time_scaling(gantry(limits, limits), path, timing, options)

    plain, other = solve(1.0), solve(scale)
    assert other.objective == pytest.approx(plain.objective, rel=1e-6)
    np.testing.assert_allclose(other.times, scale * plain.times, rtol=1e-3, atol=1e-4 * scale)


def test_unit_of_length_and_force() -> None:
    """Millimetres: a path a thousand times as long with limits a thousand times as large."""

    def solve(unit: float) -> TimeScaling:
        limits = Limits(velocity=2.0 * unit, torque=5.0 * unit)
        path = fitted(("axis_0", "axis_1"), lambda s: unit * np.stack([s, 0.3 * np.sin(8 * s)], axis=1), pieces=20)
        return solve_time_scaling(
            gantry(limits, limits), path, SWAYING, Options(beta=1.0, segments=60, tempo_lock=False)
        )

    assert solve(1000.0).objective == pytest.approx(solve(1.0).objective, rel=1e-6)


def test_tempo_lock_repeats_a_feasible_stroke() -> None:
    """A gentle stroke, locked: the same timing away from the ends, where the robot must start and stop."""
    path, timing = scribble(8), drawn(lambda s: 1.0 + 0.3 * np.sin(8 * s), 12.0)
    answer = solve_time_scaling(ARM, path, timing, Options(beta=1.0, gamma=0.1, tempo_lock=True, segments=500))
    drawn_steps, steps = np.diff(timing.at(answer.s)), np.diff(answer.times)
    assert np.all(steps >= drawn_steps * (1 - 1e-9))  # never faster than drawn
    inner = (answer.s[:-1] > 0.05) & (answer.s[1:] < 0.95)
    np.testing.assert_allclose(steps[inner], drawn_steps[inner], rtol=5e-3)
    late = answer.times - timing.at(answer.s)
    assert np.ptp(late[(answer.s > 0.05) & (answer.s < 0.95)]) < 2e-3 * timing.duration
