"""Derivatives of inverse dynamics and of contact torques against central differences, where Pinocchio has no twin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Body, Character
from animato.mechanics.tree import States, build_contact_points, contact_torques, inverse_dynamics, rnea_derivatives
from animato.mechanics.tree.kinematics.packing import Tree, packed_tree
from animato.spatial import quaternions
from tests.tree_builders import random_states, tangled_character

STEP = 1e-5


def moved(tree: Tree, states: States, column: int, step: float) -> States:
    """States after a small move along one column of velocity."""
    positions, root = states.positions.copy(), states.root.copy()
    turn = quaternions.quaternion_from_rotation_vector(step * np.eye(3))
    if tree.has_free_root and column < 3:
        root[:, :3] += quaternions.rotate(root[:, 3:], step * np.eye(3)[column])
        return replace(states, root=root)
    if tree.has_free_root and column < 6:
        root[:, 3:] = quaternions.multiply(root[:, 3:], turn[column - 3])
        return replace(states, root=root)
    for coordinate, dof, _ in tree.balls:
        if dof <= column < dof + 3:
            here = slice(coordinate, coordinate + 4)
            positions[:, here] = quaternions.multiply(positions[:, here], turn[column - dof])
            return replace(states, positions=positions)
    coordinate = next(c for c, d in zip(tree.arrays.coordinate, tree.arrays.dof, strict=True) if d == column and c >= 0)
    positions[:, coordinate] += step
    return replace(states, positions=positions)


def case(seed: int, floats: bool) -> tuple[Character, Tree, States, np.random.Generator]:
    rng = np.random.default_rng(seed)
    character = tangled_character(rng, floats=floats)
    return character, packed_tree(character), random_states(rng, character), rng


def assert_close(exact: np.ndarray, difference: np.ndarray) -> None:
    np.testing.assert_allclose(exact, difference, rtol=0, atol=1e-6 * np.abs(difference).max())


@pytest.mark.parametrize("floats", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_derivatives_of_inverse_dynamics(seed: int, floats: bool) -> None:
    character, tree, states, _ = case(seed, floats)
    ours = rnea_derivatives(character, states)
    assert any(backward for *_, backward in tree.balls) and not all(backward for *_, backward in tree.balls)
    np.testing.assert_allclose(ours.tau, inverse_dynamics(character, states).values, atol=1e-10)
    columns = range(len(tree.dof_names))
    by_q = [_slope(character, moved(tree, states, c, STEP), moved(tree, states, c, -STEP)) for c in columns]
    assert_close(ours.by_q, np.stack(by_q, axis=-1))
    for name, exact in (("velocities", ours.by_v), ("accelerations", ours.by_a)):
        ends = [[_shifted(states, name, c, sign * STEP) for sign in (1, -1)] for c in columns]
        assert_close(exact, np.stack([_slope(character, *pair) for pair in ends], axis=-1))


def _shifted(states: States, name: str, column: int, step: float) -> States:
    values = getattr(states, name).copy()
    values[:, column] += step
    return replace(states, **{name: values})


def _slope(character: Character, after: States, before: States) -> np.ndarray:
    ends = inverse_dynamics(character, after).values, inverse_dynamics(character, before).values
    return (ends[0] - ends[1]) / (2 * STEP)


@pytest.mark.parametrize("floats", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_derivatives_of_contact_torques(seed: int, floats: bool) -> None:
    _, tree, states, rng = case(seed, floats)
    places = [(f"b{n}", rng.normal(size=3)) for n in (0, 2, 3, 5, 7, 8, 8)]
    points = build_contact_points(tree, places)
    forces = rng.normal(size=(len(states.times), len(places), 3))
    ours = contact_torques(tree, states.positions, states.root, points, forces)
    by_q = []
    for column in range(len(tree.dof_names)):
        ends = [moved(tree, states, column, sign * STEP) for sign in (1, -1)]
        after, before = (contact_torques(tree, end.positions, end.root, points, forces).values for end in ends)
        by_q.append((after - before) / (2 * STEP))
    assert_close(ours.by_q, np.stack(by_q, axis=-1))
    np.testing.assert_allclose(ours.values, np.einsum("tdki,tki->td", ours.by_f, forces), atol=1e-12)


def test_the_comparison_can_fail() -> None:
    """Negative control: derivatives at a neighbouring moment are not these."""
    character, tree, states, _ = case(0, True)
    ours = rnea_derivatives(character, states)
    column = len(tree.dof_names) - 1
    slope = _slope(character, moved(tree, states, column, STEP), moved(tree, states, column, -STEP))
    with pytest.raises(AssertionError):
        assert_close(np.roll(ours.by_q[:, :, column], 1, axis=0), slope)


def test_a_lone_body_turns_only_against_gravity() -> None:
    """Known answer: of a body that floats, neither place nor linear velocity changes a force."""
    character = Character("stone", (Body("stone", mass=2.0, centre=(0.1, 0, 0), inertia=(0.1, 0.2, 0.3, 0, 0, 0)),), ())
    count = 3
    root = np.tile((5.0, -7.0, 2.0, 1.0, 0.0, 0.0, 0.0), (count, 1))
    states = States(np.arange(count), np.zeros((count, 0)), np.ones((count, 6)), np.zeros((count, 6)), root)
    ours = rnea_derivatives(character, states)
    np.testing.assert_array_equal(ours.by_q[:, :, :3], 0.0)
    np.testing.assert_array_equal(ours.by_v[:, :, :3], 0.0)
    up = np.array((0.0, 0.0, 9.81))
    np.testing.assert_allclose(ours.by_q[0, :3, 3:], 2.0 * np.cross(up, np.eye(3)).T, atol=1e-12)
    np.testing.assert_allclose(ours.by_a[0, :3, :3], 2.0 * np.eye(3), atol=1e-12)
