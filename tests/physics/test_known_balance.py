"""The ZMP in closed form: at rest, of a cart on a table, in flight; and by two ways that must be one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Body, Character, Frame, Joint, Sole
from animato.mechanics.contact import (
    balance_of,
    centroidal_zmp,
    momentum_of,
    root_wrench,
    weight_share,
    zero_moment_points,
)
from animato.mechanics.tree import (
    States,
    centre_of_mass,
    forward_kinematics,
    frame_jacobians,
    inverse_dynamics,
    states_of_clip,
)
from animato.motion import Clip
from animato.spatial import quaternions
from tests.tree_builders import random_character, random_states

G = 9.81
CORNERS = ((0.1, 0.05, 0.0), (-0.1, 0.05, 0.0), (-0.1, -0.05, 0.0), (0.1, -0.05, 0.0))


def still(states: States) -> States:
    zero = np.zeros_like(states.velocities)
    return replace(states, velocities=zero, accelerations=zero)


def cart_on_table(height: float = 0.8) -> Character:
    """A light table with a sole, and a heavy cart that slides over it along x; a point mass."""
    table = Body("table", mass=1e-12)
    cart = Body("cart", mass=30.0)
    slide = Joint("slide", "prismatic", "table", "cart", axis=(1, 0, 0), frame_parent=Frame((0.0, 0.0, height)))
    return Character("cart", (table, cart), (slide,), soles=(Sole("sole", "table", CORNERS),))


@pytest.mark.parametrize("seed", range(4))
def test_at_rest_the_zmp_is_under_the_centre_of_mass(seed: int) -> None:
    rng = np.random.default_rng(seed)
    character = random_character(rng, floats=True)
    states = still(random_states(rng, character))
    np.testing.assert_allclose(
        zero_moment_points(character, states), centre_of_mass(character, states)[:, :2], rtol=0, atol=1e-12
    )
    np.testing.assert_allclose(weight_share(character, states), 1.0, rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_from_the_centre_of_mass_it_is_the_same_as_from_the_root(seed: int) -> None:
    rng = np.random.default_rng(seed)
    character = random_character(rng, floats=True)
    states = random_states(rng, character)
    standing = weight_share(character, states) > 0.3  # near flight the ZMP is anywhere, and so is its rounding
    assert standing.sum() >= 3
    ours, theirs = zero_moment_points(character, states), centroidal_zmp(momentum_of(character, states), G)
    scale = np.maximum(1.0, np.linalg.norm(ours, axis=1))[standing]
    assert np.max(np.abs(ours - theirs)[standing] / scale[:, None]) < 1e-12


def test_the_rates_of_momentum_are_those_of_a_motion_in_time() -> None:
    """Differences of the centre of mass and of the angular momentum, summed over bodies."""
    rng = np.random.default_rng(3)
    character = random_character(rng, floats=True)
    times = np.linspace(0.0, 1.0, 6)
    positions = np.tile(rng.normal(size=len(character.coordinate_names)), (6, 1))
    positions += 0.1 * rng.normal(size=positions.shape)
    turns = quaternions.quaternion_from_rotation_vector(0.2 * rng.normal(size=(6, 3)))
    clip = Clip(times, character.coordinate_names, positions, 0.1 * rng.normal(size=(6, 3)), turns)
    step = 1e-4
    around = [states_of_clip(character, clip, [0.5 + k * step]) for k in (-1, 0, 1)]
    before, here, after = (centre_of_mass(character, states)[0] for states in around)
    momentum = momentum_of(character, around[1])
    # differences of second order over steps of 1e-4 s carry rounding of 1e-16 / 1e-8
    np.testing.assert_allclose(momentum.acceleration[0], (before - 2 * here + after) / step**2, atol=1e-5)
    spin = (spin_of(character, around[2]) - spin_of(character, around[0])) / (2 * step)
    np.testing.assert_allclose(momentum.spin_rate[0], spin, atol=1e-5 * np.abs(spin).max())


def spin_of(character: Character, states: States) -> np.ndarray:
    """Angular momentum about the centre of mass, body by body: sum of R I R^T w + (c_k - c) x m_k c_k'."""
    poses, centre = forward_kinematics(character, states), centre_of_mass(character, states)[0]
    total = np.zeros(3)
    for body in character.bodies:
        rates = frame_jacobians(character, states, body.name, Frame(body.centre))[0] @ states.velocities[0]
        xx, yy, zz, xy, xz, yz = body.inertia
        pose = poses.of(body.name)
        turn = quaternions.matrix_from_quaternion(pose.quaternion_wxyz[0])
        inertia = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
        arm = pose.apply(body.centre)[0] - centre
        total += inertia @ rates[3:] + np.cross(arm, body.mass * rates[:3])
    return total


def test_a_sign_as_printed_would_be_seen() -> None:
    """Negative control: the moment's sign of the first line used in the second is off by much."""
    rng = np.random.default_rng(0)
    character = random_character(rng, floats=True)
    states = random_states(rng, character)
    momentum = momentum_of(character, states)
    flipped = replace(momentum, spin_rate=momentum.spin_rate * (-1.0, 1.0, 1.0))
    standing = weight_share(character, states) > 0.3
    gap = np.abs(zero_moment_points(character, states) - centroidal_zmp(flipped, G))[standing]
    assert gap[:, 1].max() > 1e-3
    assert gap[:, 0].max() < 1e-9


@pytest.mark.parametrize("push", [0.0, 0.4, -3.0])
def test_cart_on_a_table(push: float) -> None:
    """x_zmp = x - z x'' / g."""
    character = cart_on_table()
    times = np.linspace(0.0, 1.0, 21)
    x = 0.02 + 0.5 * push * (times - 0.5) ** 2
    states = states_of_clip(character, Clip(times, ("slide",), x[:, None], np.zeros((21, 3))))
    zmp = zero_moment_points(character, states)
    np.testing.assert_allclose(zmp[:, 0], x - 0.8 * push / G, atol=1e-9)  # the table weighs a little
    np.testing.assert_allclose(zmp[:, 1], 0.0, atol=1e-12)
    balance = balance_of(character, states)
    np.testing.assert_allclose(balance.outside, np.maximum(np.abs(zmp[:, 0]) - 0.1, -0.05), atol=1e-12)
    assert np.all(balance.lost == (np.abs(zmp[:, 0]) > 0.1))


def falling(spin: float, gravity: float = G) -> tuple[Character, States]:
    """A body that is thrown up and turns about its own axis."""
    body = Body("body", mass=4.0, inertia=(0.1, 0.2, 0.3, 0, 0, 0))
    times = np.linspace(0.0, 0.4, 9)
    height = 1.0 + 2.0 * times - 0.5 * gravity * times**2
    place = np.stack([0.7 * times, 0.0 * times, height], axis=1)
    root = np.concatenate([place, quaternions.quaternion_about((0, 0, 1), spin * times)], axis=1)
    v, a = np.zeros((9, 6)), np.zeros((9, 6))
    turn = quaternions.conjugate(root[:, 3:])
    v[:, :3] = quaternions.rotate(turn, np.stack([0.7 + 0 * times, 0 * times, 2.0 - gravity * times], axis=1))
    v[:, 5] = spin
    a[:, 2] = -gravity
    return Character("body", (body,)), States(times, np.zeros((9, 0)), v, a, root)


def test_flight_asks_for_nothing_from_outside() -> None:
    character, states = falling(spin=3.0)
    wrench = root_wrench(character, states)
    np.testing.assert_allclose(wrench.force, 0.0, atol=1e-12)
    np.testing.assert_allclose(wrench.moment, 0.0, atol=1e-12)
    assert np.all(np.isnan(zero_moment_points(character, states)))
    assert balance_of(character, states).flight.all()


def test_a_fall_that_is_too_slow_is_carried_by_something() -> None:
    character, states = falling(spin=3.0, gravity=0.9 * G)
    np.testing.assert_allclose(weight_share(character, states), 0.1, atol=1e-12)
    balance = balance_of(character, states)
    np.testing.assert_allclose(balance.residual_share, 0.1, atol=1e-12)


def test_torques_with_the_floor_are_those_of_the_legs_alone() -> None:
    """A still body on two slides: each carries half of what is above it."""
    leg = {side: Body(f"{side} leg", mass=0.5) for side in ("left", "right")}
    body = Body("body", mass=9.0, centre=(0.0, 0.0, 0.2))
    joints = tuple(
        Joint(f"{side} slide", "prismatic", "body", f"{side} leg", axis=(0, 0, -1), frame_parent=Frame((0.0, y, 0.0)))
        for side, y in (("left", 0.1), ("right", -0.1))
    )
    soles = tuple(Sole(side, f"{side} leg", CORNERS) for side in leg)
    character = Character("stilts", (body, *leg.values()), joints, soles=soles)
    clip = Clip([0.0, 1.0], ("left slide", "right slide"), np.zeros((2, 2)), np.zeros((2, 3)))
    states = states_of_clip(character, clip)
    balance = balance_of(character, states)
    np.testing.assert_allclose(balance.support.torques[:, 6:], 4.5 * G, rtol=1e-5)  # the regularization
    assert np.abs(inverse_dynamics(character, states).values[:, 6:]).max() < 0.5 * G + 1e-9
    assert balance.lost_share == 0.0
