"""The ZMP of the published method beside known answers."""

from __future__ import annotations

import numpy as np
import pytest

from animato.gallery.mimic.lift_on_pico import lift_on_pico
from animato.mechanics.contact import centroidal_zmp, momentum_of
from animato.mechanics.tree import States, centre_of_mass
from animato.mimic.published import PublishedProblem, Robot, dynamics_of


@pytest.fixture(scope="module")
def problem() -> PublishedProblem:
    return lift_on_pico(frames=6, seconds=0.6)


@pytest.fixture(scope="module")
def robot(problem: PublishedProblem) -> Robot:
    return dynamics_of(problem, problem.source).at(problem.source)


def test_eq_7_of_the_paper_is_the_zmp_of_the_base_wrench(problem: PublishedProblem, robot: Robot) -> None:
    postures = robot.fit.postures
    states = States(problem.times, postures.q, robot.rates.v, robot.rates.a, postures.root)
    printed = centroidal_zmp(momentum_of(problem.markers.character, states))
    np.testing.assert_allclose(robot.zmp.values, printed, rtol=0, atol=1e-12)


def test_at_rest_it_lies_under_the_centre_of_mass_and_in_motion_it_does_not(
    problem: PublishedProblem, robot: Robot
) -> None:
    under = centre_of_mass(problem.markers.character, robot.fit.postures.still())[:, :2]
    np.testing.assert_allclose(robot.zmp.values[[0, -1]], under[[0, -1]], rtol=0, atol=1e-12)
    assert np.abs(robot.zmp.values[1:-1] - under[1:-1]).max() > 1e-3
