"""Path and timing optimized together."""

from __future__ import annotations

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.trace.between_grid import shares_between
from animato.trace.coupled import optimize_coupled, solve_coupled
from animato.trace.coupled_interior_point import solve_timing, solve_together
from animato.trace.coupled_point import CoupledModel
from animato.trace.timing_problem import TimingOptions
from tests.unit.trace.coupled_cases import decoupled, planar, problem, wishes


def test_coupling_is_better_and_holds_every_limit_between_grid_points() -> None:
    arm, path_problem, drawn = planar()
    start = decoupled()
    found = optimize_coupled(arm, path_problem, drawn, wishes(), start=start)
    assert found.outcome.solved
    assert found.objective < 0.85 * start.objective
    assert found.duration < start.duration  # the path gives way where the robot had to slow down
    assert found.deviation > start.deviation
    assert np.all(found.path.control_points >= path_problem.lower)
    assert np.all(found.path.control_points <= path_problem.upper)
    assert max(shares_between(arm, found.path, found.scaling).values()) <= 1.0 + 1e-9


def test_the_optimum_cannot_be_improved_by_small_changes() -> None:
    """Any near path, with its own best timing on the same grid, is worse."""
    found = problem()
    points, cost, outcome = solve_coupled(found, tolerance=1e-8)
    assert outcome.solved
    model = CoupledModel(found)
    rng = np.random.default_rng(3)
    for _ in range(4):
        near = points + 0.02 * rng.normal(size=points.shape)
        x = np.concatenate([near.ravel(), found.start_b])
        other, inner = solve_timing(model, x, tolerance=1e-8, iterations=200)
        assert inner.solved
        np.testing.assert_array_equal(model.split(other.x)[0], near)
        assert other.cost > cost
    # and the timing that belongs to the optimum is the one that was found with it
    x = np.concatenate([points.ravel(), found.start_b])
    same, _ = solve_timing(model, x, tolerance=1e-9, iterations=200)
    assert same.cost == pytest.approx(cost, rel=1e-6)


def test_limits_hold_at_the_grid_and_some_are_used_up() -> None:
    found = problem()
    model = CoupledModel(found)
    x = np.concatenate([found.start_points.ravel(), found.start_b])
    point, outcome = solve_together(model, x, tolerance=1e-8, iterations=200)
    assert outcome.solved
    shares = max(float(point.speeds.max()), float(np.abs(point.pushes).max()))
    assert 1.0 - 1e-4 < shares <= 1.0 + 1e-7


def test_iterative_paths_reach_nearly_the_same() -> None:
    arm, path_problem, drawn = planar()
    start = decoupled()
    found = optimize_coupled(arm, path_problem, drawn, wishes(), method="iterative", start=start, iterations=60)
    assert found.objective < 0.95 * start.objective
    assert max(shares_between(arm, found.path, found.scaling).values()) <= 1.0 + 1e-9


def test_tempo_lock_holds() -> None:
    arm, path_problem, drawn = planar()
    options = wishes(tempo_lock=True)
    start = optimize_coupled(arm, path_problem, drawn, options, method="decoupled")
    found = optimize_coupled(arm, path_problem, drawn, options, start=start)
    assert found.objective <= start.objective
    assert found.duration >= drawn.duration * (1.0 - 1e-6)


def test_without_torque_limits() -> None:
    arm, path_problem, drawn = planar()
    free = TimingOptions(beta=0.1, gamma=0.01, segments=40, torque=False, certificate=False)
    found = optimize_coupled(arm, path_problem, drawn, free)
    assert found.outcome.solved
    assert "torque" not in found.scaling.worst_shares


def test_bad_wishes_are_refused() -> None:
    arm, path_problem, drawn = planar()
    with pytest.raises(OptionError, match="decoupled, coupled, iterative"):
        optimize_coupled(arm, path_problem, drawn, wishes(), method="both")
    with pytest.raises(OptionError, match="duration"):
        optimize_coupled(arm, path_problem, drawn, TimingOptions(duration=9.0, segments=40), start=decoupled())
    with pytest.raises(MotionError, match="knots"):
        optimize_coupled(arm, planar(12)[1], drawn, wishes(), start=decoupled())
