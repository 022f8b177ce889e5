"""Torques of a solved motion, with the floor's forces as they were found, against Pinocchio."""

from __future__ import annotations

import numpy as np
import pytest

from tests.agreement.test_contact_forces import Points, by_pinocchio
from tests.mimic_solved import pico, solved


@pytest.mark.parametrize("name", ["step", "hop"])
def test_torques_of_a_solution_are_pinocchios(name: str) -> None:
    """`rnea` of the states at the knots, less J^T f of the forces at the soles' corners."""
    solution = solved(name)
    points: Points = tuple(point for part in solution.problem.plan.parts for point in part.points)
    theirs = by_pinocchio(pico(), solution.states, points, solution.forces)
    np.testing.assert_allclose(solution.torques, theirs, rtol=0, atol=1e-9 * np.abs(theirs).max())
    assert np.abs(theirs[:, 6:]).max() > 0.1  # it is not nothing that agrees


def test_what_nothing_gives_is_small_and_other_forces_would_not_do() -> None:
    """The root's own wrench, by Pinocchio; with a tenth of a force left out it is not small any more."""
    solution = solved("step")
    points: Points = tuple(point for part in solution.problem.plan.parts for point in part.points)
    weight = float(solution.forces[..., 2].sum(axis=1).mean())
    left = by_pinocchio(pico(), solution.states, points, solution.forces)[:, :6]
    assert np.abs(left[:, :3]).max() < 1e-2 * weight and np.abs(left[:, 3:]).max() < 1e-3 * weight
    less = by_pinocchio(pico(), solution.states, points, 0.9 * solution.forces)[:, :6]
    assert np.abs(less).max() > 0.05 * weight
