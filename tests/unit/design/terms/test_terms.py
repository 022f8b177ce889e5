"""Terms of one's own: rows that are asked to be zero, and what must hold in the end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from animato.design import Options, SoftValues, TargetMotion, TrackingTarget, build, solve
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism
from animato.mechanics.loops.constraints import Mechanism, SparsePattern
from animato.outcome import Status
from tests.unit.design.small_robots import four_bar


@dataclass(frozen=True, eq=False)
class FixedLength:
    """One row: how far the first design parameter is from a value."""

    mechanism: Mechanism
    value: float
    weight: float = 1e6

    @property
    def weights(self) -> np.ndarray:
        return np.array([self.weight])

    @property
    def state(self) -> SparsePattern:
        return SparsePattern((1, len(self.mechanism.state)), np.empty(0, dtype=int), np.empty(0, dtype=int))

    @property
    def control(self) -> SparsePattern:
        return SparsePattern((1, len(self.mechanism.controls)), np.empty(0, dtype=int), np.empty(0, dtype=int))

    @property
    def design(self) -> SparsePattern:
        return SparsePattern((1, len(self.mechanism.design)), np.zeros(1, dtype=int), np.zeros(1, dtype=int))

    def evaluated(self, states: np.ndarray, controls: np.ndarray, design: np.ndarray) -> SoftValues:
        one, none = np.ones((len(states), 1)), np.empty((len(states), 0))
        return SoftValues((design[0] - self.value) * one, none, none, one)


@dataclass(frozen=True, eq=False)
class NeverLonger(FixedLength):
    """The same, and in the end it must not be longer by more than half a millimetre."""

    def broken(self, states: np.ndarray, controls: np.ndarray, design: np.ndarray) -> str | None:
        return f"The length is {design[0]:.3f} m." if design[0] > self.value + 5e-4 else None


@pytest.fixture(scope="module")
def mechanism() -> Mechanism:
    return build_mechanism(four_bar(configurable=True))


@pytest.fixture(scope="module")
def motion(mechanism: Mechanism) -> TargetMotion:
    """What the linkage does when its coupler is 0.1 m longer."""
    controls = np.linspace(0.0, 1.5, 20)[:, None]
    done = loop_kinematics(mechanism, controls, np.array([0.1]))
    return TargetMotion((TrackingTarget("rocker", np.zeros(3), done.positions("rocker")),), controls=controls)


def test_a_term_of_ones_own_pulls_as_hard_as_it_weighs(mechanism: Mechanism, motion: TargetMotion) -> None:
    free = solve(build(mechanism, motion, Options(optimize="design")))
    held = solve(build(mechanism, motion, Options(optimize="design"), terms=[FixedLength(mechanism, 0.05)]))
    assert free.optimized.point.design[0] > 0.09
    assert held.outcome.usable and held.optimized.point.design[0] == pytest.approx(0.05, abs=1e-5)


@pytest.mark.parametrize(("weight", "status"), [(1e6, Status.SOLVED), (1e-9, Status.INFEASIBLE)])
def test_a_term_that_must_hold_is_asked_in_the_end(
    mechanism: Mechanism, motion: TargetMotion, weight: float, status: Status
) -> None:
    term = NeverLonger(mechanism, 0.05, weight=weight)
    solution = solve(build(mechanism, motion, Options(optimize="design"), terms=(term,)))
    assert solution.outcome.status is status and solution.outcome.usable is (status is Status.SOLVED)
    assert ("The length is" in solution.outcome.reason) is (status is Status.INFEASIBLE)
