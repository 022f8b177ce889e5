"""Path and timing optimized together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.errors import MotionError, OptionError
from animato.outcome import Iteration, Status
from animato.trace.coupled.first_order import FIRST_ORDER_TOLERANCE, first_order_gain
from animato.trace.coupled.interior_point import solve_timing, solve_together
from animato.trace.coupled.point import CoupledModel
from animato.trace.coupled.solving import solve_coupled
from animato.trace.options import Options
from animato.trace.timing.limit_shares import shares_between
from animato.trace.tracing import solve
from tests.unit.trace.coupled_cases import decoupled, dragged_problem, posed, problem, wishes


def test_coupling_is_better_and_holds_every_limit_between_grid_points() -> None:
    start, whole = decoupled(), posed(wishes())
    found = solve(whole, start=start)
    assert found.outcome.solved
    assert found.objective < 0.85 * start.objective
    assert found.scaling.duration < start.scaling.duration  # the path gives way where the robot had to slow down
    assert found.path_fit.deviation > start.path_fit.deviation
    assert np.all(found.path.control_points >= whole.path.lower)
    assert np.all(found.path.control_points <= whole.path.upper)
    assert max(shares_between(whole.character, found.path, found.scaling).values()) <= 1.0 + 1e-9


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
    point, outcome, _ = solve_together(model, x, tolerance=1e-8, iterations=200)
    assert outcome.solved
    shares = max(float(point.speeds.max()), float(np.abs(point.pushes).max()))
    assert 1.0 - 1e-4 < shares <= 1.0 + 1e-7


def test_iterative_paths_reach_nearly_the_same() -> None:
    start = decoupled()
    found = solve(posed(wishes("iterative", iterations=60)), start=start)
    assert found.objective < 0.95 * start.objective
    assert max(shares_between(found.problem.character, found.path, found.scaling).values()) <= 1.0 + 1e-9


def test_tempo_lock_holds() -> None:
    start = solve(posed(wishes("decoupled", tempo_lock=True)))
    found = solve(posed(wishes(tempo_lock=True)), start=start)
    assert found.objective <= start.objective
    assert found.scaling.duration >= found.problem.drawn.duration * (1.0 - 1e-6)


def test_without_torque_limits_and_without_a_start() -> None:
    told: list[Iteration] = []
    found = solve(posed(wishes(torque=False)), progress=told.append)
    assert found.outcome.solved
    assert "torque" not in found.scaling.worst_shares
    assert found.history == tuple(told)
    together = [step for step in told if step.stage == "path and timing together"]
    assert [step.number for step in together] == list(range(len(together)))
    assert all(step.objective is not None and step.total == 400 for step in together[1:])


def test_what_is_not_finished_is_usable_but_not_solved() -> None:
    found = solve(posed(wishes(iterations=2)), start=decoupled())
    assert found.outcome.status is Status.ACCEPTABLE and found.outcome.usable
    assert "2 iterations were not enough" in found.outcome.reason


def test_bad_wishes_are_refused() -> None:
    with pytest.raises(OptionError, match="`duration_s`"):
        Options(duration_s=9.0, method="iterative")
    with pytest.raises(OptionError, match="`starts`"):
        Options(starts=0)
    with pytest.raises(MotionError, match="knots"):
        solve(posed(wishes(control_point_count=12)), start=decoupled())


def test_more_starts_are_never_worse_and_are_told() -> None:
    one, several = (solve_coupled(problem(), starts=count) for count in (1, 12))
    assert several[1] <= one[1] * (1.0 + 1e-9)
    assert one[2].reason == "a local optimum, from one start"
    assert "starts" in several[2].reason and "agree" in several[2].reason
    again = solve_coupled(problem(), starts=12)  # whatever the threads do
    np.testing.assert_array_equal(several[0], again[0])


def test_first_order_conditions_tell_an_optimum_from_a_point_on_the_way() -> None:
    found = problem()
    model = CoupledModel(found)
    x = np.concatenate([found.start_points.ravel(), found.start_b])
    done, _, weights = solve_together(model, x, tolerance=1e-6, iterations=200)
    assert first_order_gain(model, done, weights) < FIRST_ORDER_TOLERANCE
    halfway, _, weights = solve_together(model, x, tolerance=1e-6, iterations=12)
    assert first_order_gain(model, halfway, weights) > 10.0 * FIRST_ORDER_TOLERANCE


def test_a_wanted_duration_holds_and_may_be_shorter_than_the_decoupled_path_allows() -> None:
    free = solve(posed(wishes()), start=decoupled()).scaling.duration
    wanted = 0.5 * (free + decoupled().scaling.duration)
    found = solve(posed(wishes(duration_s=wanted)), start=decoupled())
    assert found.outcome.usable
    assert found.scaling.duration == pytest.approx(wanted, rel=1e-6)
    assert max(shares_between(found.problem.character, found.path, found.scaling).values()) <= 1.0 + 1e-9
    hurried = solve(posed(wishes(duration_s=0.5 * free)), start=decoupled())
    assert hurried.scaling.duration == pytest.approx(0.5 * free, rel=1e-6)
    assert hurried.path_fit.deviation > 2.0 * found.path_fit.deviation  # paid for with the drawing


def test_damping_and_motor_curves_count_during_the_search() -> None:
    found = dragged_problem()
    _, cost, outcome = solve_coupled(found)
    assert outcome.solved
    arrays = found.arrays._replace(drag=np.zeros_like(found.arrays.drag))
    _, without, _ = solve_coupled(replace(found, arrays=arrays))
    assert cost > 1.01 * without


def test_many_segments_are_chosen_for_on_few() -> None:
    options = replace(wishes(), segments=150)
    first = solve(posed(replace(options, method="decoupled")))
    found = solve(posed(options), start=first)
    assert found.outcome.solved and "starts" in found.outcome.reason
    assert found.objective < 0.9 * first.objective
