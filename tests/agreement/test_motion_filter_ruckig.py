"""The motion filter beside Ruckig, which plans the time-optimal motion in continuous time."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from animato.character.limits import Limits
from animato.express.filter.motion_filter import MotionFilter, follow
from animato.express.filter.report import step_response

ruckig = pytest.importorskip("ruckig")

SAMPLES_LATE = 1.5
"""How much later than the time-optimal motion the filter may settle [samples]: its jerk changes at samples only."""

RATES = (50.0, 100.0, 200.0, 500.0, 1000.0)


def optimum(limits: Limits, state: tuple[float, float, float], goal: float) -> object:
    """Ruckig's trajectory from (position, velocity, acceleration) to rest at a goal."""
    task = ruckig.InputParameter(1)
    task.current_position, task.current_velocity, task.current_acceleration = ([value] for value in state)
    task.target_position = [goal]
    task.max_velocity, task.max_acceleration, task.max_jerk = [limits.velocity], [limits.acceleration], [limits.jerk]
    trajectory = ruckig.Trajectory(1)
    assert ruckig.Ruckig(1).calculate(task, trajectory) in (ruckig.Result.Working, ruckig.Result.Finished)
    return trajectory


def settled_s(positions: np.ndarray, goal: float, rate: float) -> float:
    """When positions, one sample after the start and on, meet the goal for good [s]."""
    off = np.flatnonzero(np.abs(positions - goal) > 1e-9 * (1.0 + abs(goal)))
    assert len(off) < len(positions)
    return (off[-1] + 2) / rate if len(off) else 0.0


@pytest.mark.parametrize("rate", RATES)
def test_steps_settle_as_soon_as_the_time_optimal_motion(rate: float) -> None:
    for velocity, sharpness, softness, size in product((0.5, 2.0, 8.0), (2.0, 10.0), (3.0, 20.0), (0.02, 0.3, 2.0)):
        limits = Limits(-3, 3, velocity, velocity * sharpness, velocity * sharpness * softness)
        best = optimum(limits, (0.0, 0.0, 0.0), size).duration  # type: ignore[attr-defined]
        goal = np.full((int(1.3 * best * rate) + 20, 1), size)
        positions = follow([limits], rate, goal, start=[0.0]).positions[:, 0]
        seconds = settled_s(positions, size, rate)
        assert seconds <= best + SAMPLES_LATE / rate
        if best * rate >= 10:
            assert seconds <= 1.15 * best
        assert positions.max() <= size * (1 + 1e-12)


def test_jumps_in_motion_settle_as_soon_too(rng: np.random.Generator) -> None:
    for trial in range(250):
        velocity = 10 ** rng.uniform(-0.5, 1)
        acceleration = velocity * 10 ** rng.uniform(-0.3, 1.5)
        limits = Limits(velocity=velocity, acceleration=acceleration, jerk=acceleration * 10 ** rng.uniform(-0.3, 1.7))
        rate = RATES[trial % len(RATES)]
        first, second = rng.uniform(-1, 1, 2) * 10 ** rng.uniform(-1, 0.7)
        motion_filter = MotionFilter([limits], rate, responsiveness=0.0)
        whole = optimum(limits, (0.0, 0.0, 0.0), first).duration  # type: ignore[attr-defined]
        for _ in range(1 + int(rng.uniform() * whole * rate)):
            motion_filter.step([first])
        state = tuple(
            float(value[0])
            for value in (motion_filter.positions, motion_filter.velocities, motion_filter.accelerations)
        )
        best = optimum(limits, state, second).duration  # type: ignore[arg-type, attr-defined]
        positions = np.array([motion_filter.step([second])[0] for _ in range(int(1.5 * best * rate) + 20)])
        assert settled_s(positions, second, rate) <= best + SAMPLES_LATE / rate


def test_motions_are_the_same_at_a_high_rate() -> None:
    limits, rate = Limits(velocity=2.0, acceleration=10.0, jerk=100.0), 1000.0
    for goal in (0.01, 0.2, 1.0, -2.0):
        trajectory = optimum(limits, (0.0, 0.0, 0.0), goal)
        motion = follow([limits], rate, np.full((2000, 1), goal), start=[0.0])
        wanted = np.array([trajectory.at_time(time)[0][0] for time in motion.times])  # type: ignore[attr-defined]
        # The jerk changes at samples only: velocity may be off by J h^2, position by that times a second.
        np.testing.assert_allclose(motion.positions[:, 0], wanted, atol=100.0 / rate**2)


def test_smoothness_is_seen_by_the_same_measure() -> None:
    """Negative control: what is not time-optimal is told apart."""
    limits = Limits(velocity=2.0, acceleration=10.0, jerk=100.0)
    best = optimum(limits, (0.0, 0.0, 0.0), 1.0).duration  # type: ignore[attr-defined]
    assert step_response(limits, 200.0, smoothness=0.5).settling_s > 1.15 * best
