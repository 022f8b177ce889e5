"""Live tracing, whatever comes in: nothing is raised, limits hold between commands too, accelerations go on."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from animato.character.character import Character
from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics.packing import packed_tree
from animato.mechanics.tree.kinematics.states import States
from animato.mechanics.tree.rnea import inverse_dynamics
from animato.trace.live.loop import Loop
from animato.trace.timing.axis_limits import axis_limits
from benchmarks.trace_live import acceleration_jump

PERIOD_S, FINER = 0.01, 100  # of commands, and by how much the motion is looked at more finely
POINT, START = "pen", "board"


@lru_cache
def _arm() -> Character:
    return load_character("arm6")


def _shares(character: Character, tracer: Loop) -> dict[str, float]:
    """Largest used shares of the limits over the whole motion, by inverse dynamics of a grid finer than commands."""
    tree, limits = packed_tree(character), axis_limits(character)
    begin, end = tracer.motion.plans[0].begins, min(tracer.motion.ends, tracer.motion.plans[0].begins + 4.0)
    times = np.arange(begin, end, PERIOD_S / FINER)
    q, v, a = tracer.motion.states(times)
    positions = np.tile(tree.neutral, (len(times), 1))
    velocities = np.zeros((len(times), len(tree.dof_names)))
    accelerations = np.zeros_like(velocities)
    low, high = tracer._kinematics.lower, tracer._kinematics.upper
    for column, name in enumerate(tracer.names):
        positions[:, tree.coordinate_names.index(name)] = q[:, column]
        velocities[:, tree.dof_names.index(name)] = v[:, column]
        accelerations[:, tree.dof_names.index(name)] = a[:, column]
    root = np.tile(np.concatenate([tree.root_rest.position, tree.root_rest.quaternion_wxyz]), (len(times), 1))
    torques = inverse_dynamics(character, States(times, positions, velocities, accelerations, root)).values
    return {
        "range": 1.0 + float(np.maximum(low - q, q - high).max()),
        "velocity": float((np.abs(velocities) / limits.velocity).max()),
        "acceleration": float((np.abs(accelerations) / limits.acceleration).max()),
        "torque": float((np.abs(torques) / limits.torque).max()),
    }


def _wild(seed: int, speed: float, far: float, trouble: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A random stroke of places [k, 3], times [k] and the pen's state [k], with all that can be wrong with one."""
    rng = np.random.default_rng(seed)
    count = 90
    noise = np.column_stack([np.convolve(rng.normal(size=count + 30), np.hanning(31), "valid") for _ in range(3)])
    points = np.array([0.7, 0.0, 0.6]) + far * (noise - noise[0])[:count]
    steps = np.where(rng.uniform(size=count) < 0.1, rng.choice([0.0, 0.001, 0.2]), 0.01) / speed
    times = np.cumsum(steps)
    bad = rng.uniform(size=count) < trouble
    points[bad] = rng.choice([np.nan, np.inf, -np.inf, 1e300, 1e9, 3.0, 0.0], size=(int(bad.sum()), 3))
    late = rng.uniform(size=count) < trouble
    times[late] = rng.choice([np.nan, np.inf, -1.0, 0.0, 1e300, 1e9, 0.3], size=int(late.sum()))
    return points, times, rng.uniform(size=count) < 0.9


@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=some.integers(0, 1000),
    speed=some.sampled_from([0.5, 1.0, 3.0]),
    far=some.sampled_from([0.01, 0.05, 0.3]),
    trouble=some.sampled_from([0.0, 0.05, 0.3]),
)
def test_nothing_is_raised_and_all_limits_hold(seed: int, speed: float, far: float, trouble: float) -> None:
    points, times, down = _wild(seed, speed, far, trouble)
    tracer = Loop(_arm(), POINT, start=START, warm=False)
    rng, moment, first = np.random.default_rng(seed), 0.0, 0
    while first < len(times):
        batch = int(rng.choice([1, 1, 2, 7]))
        tracer.add(points[first : first + batch], times[first : first + batch], down=bool(down[first]))
        moment += float(rng.choice([0.0, PERIOD_S, PERIOD_S, 0.1]))
        assert np.all(np.isfinite(tracer.command(moment)))
        first += batch
    tracer.finish()
    tracer.command(float("nan"))
    for _ in range(400):
        if tracer.done:
            break
        tracer.advance(PERIOD_S)
    if tracer.motion.plans:
        assert max(_shares(_arm(), tracer).values()) <= 1.0 + 1e-6
        assert acceleration_jump(tracer) < 1e-6


def test_the_check_above_can_fail() -> None:
    points, times, _ = _wild(1, 1.0, 0.05, 0.0)
    tracer = Loop(_arm(), POINT, start=START, warm=False)
    for place, moment in zip(points, times, strict=True):
        tracer.add(place, float(moment))
    assert max(_shares(_arm(), tracer).values()) <= 1.0 + 1e-6
    plan = tracer.motion.plans[-1]
    for name in ("b", "bends"):
        getattr(plan.scaling, name)[:] *= 4.0
    plan.scaling.times[:] *= 0.5
    assert max(_shares(_arm(), tracer).values()) > 1.0 + 1e-3


@pytest.mark.parametrize("tempo", [1.0, 4.0])
def test_lag_is_bounded_out_of_reach(tempo: float) -> None:
    t = np.arange(0.0, 3.0, 0.01)
    wave, rise = np.sin(1.5 * t), 1.0 - np.cos(1.5 * t)
    points = np.array([0.7, 0.0, 0.7]) + 0.5 * np.column_stack([wave, np.zeros_like(t), rise])
    tracer = Loop(_arm(), POINT, start=START, warm=False, delay_s=0.3, longest_lag_s=0.6)
    lag = []
    for place, moment in zip(points, t / tempo, strict=True):
        tracer.add(place, float(moment))
        tracer.command(float(moment))
        lag.append(tracer.lag_s)
    tracer.finish()
    while not tracer.done:
        tracer.advance(PERIOD_S)
        lag.append(tracer.lag_s)
    # a plan that is made late still has to stop at its end; half a second is what that takes this arm
    assert max(lag) < 0.3 + 0.6 + 0.5
