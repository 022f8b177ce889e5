"""Forces of solved motions: they carry the weight, push only, stay in their cones; and a flight is ballistic."""

from __future__ import annotations

import numpy as np
import pytest

from animato.mechanics.contact import zero_moment_points
from animato.mechanics.tree import centre_of_mass, forward_kinematics, packed_tree, states_of_clip
from animato.mimic.optimization import Solution
from animato.mimic.options import Options
from tests.mimic_solved import pico, solved

GRAVITY = 9.81
MASS = float(packed_tree(pico()).arrays.mass.sum())
WEIGHT = MASS * GRAVITY


def accelerations_of_mass(solution: Solution) -> np.ndarray:
    """Of the centre of mass at the knots [m/s^2], [knot, 3]: second differences of the curve around each."""
    clip, h = solution.clip, 1e-4  # accelerations have corners at the knots
    times = solution.problem.times[1:-1]
    around = [centre_of_mass(pico(), states_of_clip(pico(), clip, times + late)) for late in (-h, 0.0, h)]
    return np.asarray((around[0] - 2.0 * around[1] + around[2]) / h**2)


@pytest.mark.parametrize("name", ["stand", "step", "hop"])
def test_forces_carry_the_weight(name: str) -> None:
    """Sum of forces = m (g + a), to a hundredth of the weight, of the centre of mass of the clip that is delivered."""
    solution = solved(name)
    assert solution.outcome.usable
    total = solution.forces.sum(axis=1)[1:-1]
    up = np.array((0.0, 0.0, GRAVITY))
    wanted = MASS * (accelerations_of_mass(solution) + up)
    assert np.abs(total - wanted).max() < 0.02 * WEIGHT
    wrong = MASS * (accelerations_of_mass(solution) + 1.1 * up)
    assert np.abs(total - wrong).max() > 0.05 * WEIGHT  # negative control: on a heavier planet they would not


@pytest.mark.parametrize("name", ["stand", "step", "hop"])
def test_forces_push_within_their_cones_and_only_where_something_stands(name: str) -> None:
    solution = solved(name)
    forces, parts = solution.forces, solution.problem.plan.parts
    up = forces[..., 2]
    assert up.min() >= 0.0
    friction = Options().friction
    assert np.all(np.abs(forces[..., :2]).sum(axis=2) <= friction * up + 1e-9 * WEIGHT)
    columns = np.repeat(np.arange(len(parts)), [len(part.points) for part in parts])
    assert np.abs(forces[~solution.planted[:, columns]]).max(initial=0.0) == 0.0


@pytest.mark.parametrize("name", ["stand", "step"])
def test_the_zmp_is_the_centre_of_pressure(name: str) -> None:
    """Where the forces press and where the motion's moments vanish is the same point, inside what is planted."""
    solution = solved(name)
    poses = forward_kinematics(pico(), solution.states)
    corners = [poses.of(body).apply(point) for part in solution.problem.plan.parts for body, point in part.points]
    places, up = np.stack(corners, axis=1), solution.forces[..., 2]
    pressure = np.einsum("tc,tcx->tx", up, places[..., :2]) / up.sum(axis=1)[:, None]
    np.testing.assert_allclose(pressure, solution.zmp, atol=2e-3)
    np.testing.assert_allclose(solution.zmp, zero_moment_points(pico(), solution.states), atol=1e-12)


def test_a_flight_is_ballistic() -> None:
    """Nothing pushes, so the root needs no wrench and the centre of mass falls, until the feet are down."""
    solution = solved("hop")
    flight = solution.problem.plan.flight
    assert 5 < flight.sum() < len(flight) - 10
    assert np.abs(solution.forces[flight]).max() == 0.0
    wrench = np.abs(solution.torques[flight, :6])
    assert wrench[:, :3].max() < 1e-2 * WEIGHT and wrench[:, 3:].max() < 1e-3 * WEIGHT
    inside = np.flatnonzero(flight)[1:-1]
    falling = accelerations_of_mass(solution)[inside - 1]
    np.testing.assert_allclose(falling, np.tile((0.0, 0.0, -GRAVITY), (len(inside), 1)), atol=0.02 * GRAVITY)
    assert np.isnan(solution.zmp[inside]).all()  # with nothing that presses there is no such point
    before = np.flatnonzero(flight)[0] - 1
    assert solution.forces[before].sum() > 2.0 * WEIGHT  # negative control: the push before it is far from falling


def test_the_hop_takes_as_long_as_a_body_of_its_size_falls() -> None:
    """Of a person that jumps 0.35 m in 0.53 s, a robot of 0.22 of the size jumps 0.077 m, in 0.25 s."""
    solution = solved("hop")
    flight = solution.problem.plan.flight.sum() * solution.problem.step
    height = 0.35 * solution.problem.scale
    assert flight == pytest.approx(2.0 * np.sqrt(2.0 * height / GRAVITY), rel=0.12)
