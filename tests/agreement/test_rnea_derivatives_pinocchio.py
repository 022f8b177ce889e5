"""Mass matrix and derivatives of inverse dynamics: our kernels and Pinocchio, two engines, one answer."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Body, Character
from animato.mechanics.tree import (
    RneaDerivatives,
    States,
    build_contact_points,
    contact_torques,
    frame_jacobians,
    inverse_dynamics,
    mass_matrix,
    rnea_derivatives,
)
from animato.mechanics.tree.kinematics.packing import packed_tree
from animato.mechanics.tree.kinematics.pinocchio_twin import PinocchioTwin, pinocchio_twin
from tests.tree_builders import random_character, random_states

pinocchio = pytest.importorskip("pinocchio")


def theirs(twin: PinocchioTwin, states: States, floats: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pinocchio's derivatives in our columns.

    Their acceleration of the root is spatial, ours that of its origin, so theirs is a - w x v: by the chain rule our
    derivative by v has a part of their derivative by a.
    """
    data, E = twin.model.createData(), twin.expansion
    q, v = twin.configurations(states), twin.velocities(states.velocities)
    a = twin.velocities(states.accelerations)
    result = []
    for t in range(len(q)):
        a_by_v = np.zeros((twin.model.nv, twin.model.nv))
        now = a[t].copy()
        if floats:
            now[:3] -= np.cross(v[t, 3:6], v[t, :3])
            a_by_v[:3, :3], a_by_v[:3, 3:6] = -pinocchio.skew(v[t, 3:6]), pinocchio.skew(v[t, :3])
        by_q, by_v, by_a = (x.copy() for x in pinocchio.computeRNEADerivatives(twin.model, data, q[t], v[t], now))
        by_a = np.triu(by_a) + np.triu(by_a, 1).T
        result.append((E.T @ by_q @ E, E.T @ (by_v + by_a @ a_by_v) @ E, E.T @ by_a @ E))
    by_q, by_v, by_a = (np.array(x) for x in zip(*result, strict=True))
    return by_q, by_v, by_a


def worst(ours: RneaDerivatives, peer: tuple[np.ndarray, np.ndarray, np.ndarray]) -> float:
    """The largest difference, relative to the largest number of its matrix."""
    pairs = zip((ours.by_q, ours.by_v, ours.by_a), peer, strict=True)
    return max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in pairs)


@pytest.mark.parametrize("floats", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_derivatives_agree(seed: int, floats: bool) -> None:
    rng = np.random.default_rng(seed)
    character = random_character(rng, floats=floats)
    states = random_states(rng, character)
    ours = rnea_derivatives(character, states)
    assert worst(ours, theirs(pinocchio_twin(character), states, floats)) < 1e-9
    tau = inverse_dynamics(character, states).values
    np.testing.assert_allclose(ours.tau, tau, rtol=0, atol=1e-10 * np.abs(tau).max())


@pytest.mark.parametrize("floats", [False, True])
def test_mass_matrix_agrees_with_crba_and_with_columns_of_inverse_dynamics(floats: bool) -> None:
    rng = np.random.default_rng(5)
    character = random_character(rng, floats=floats)
    states = random_states(rng, character)
    M = mass_matrix(character, states)
    twin = pinocchio_twin(character)
    data, E = twin.model.createData(), twin.expansion
    for t, q in enumerate(twin.configurations(states)):
        peer = np.triu(pinocchio.crba(twin.model, data, q))
        peer = peer + np.triu(peer, 1).T
        np.testing.assert_allclose(M[t], E.T @ peer @ E, rtol=0, atol=1e-10 * np.abs(peer).max())
    still = States(
        states.times, states.positions, 0 * states.velocities, 0 * states.accelerations, states.root, states.held
    )
    rest = inverse_dynamics(character, still).values
    for column in range(M.shape[1]):
        still.accelerations[:] = 0.0
        still.accelerations[:, column] = 1.0
        moved = inverse_dynamics(character, still).values
        np.testing.assert_allclose(moved - rest, M[:, :, column], rtol=0, atol=1e-10 * np.abs(rest).max())


def test_contact_torques_are_those_of_the_jacobian(rng: np.random.Generator) -> None:
    for floats in (False, True):
        character = random_character(rng, floats=floats)
        states, tree = random_states(rng, character), packed_tree(character)
        bodies = ("b3", "b6", "b9", "b9", "b0")
        forces = rng.normal(size=(len(states.times), len(bodies), 3))
        points = build_contact_points(tree, [(body, (0.0, 0.0, 0.0)) for body in bodies])
        ours = contact_torques(tree, states.positions, states.root, points, forces)
        J = np.stack([frame_jacobians(character, states, body)[:, :3] for body in bodies], axis=1)
        np.testing.assert_allclose(ours.by_f, np.moveaxis(J, 3, 1), atol=1e-10)
        np.testing.assert_allclose(ours.values, np.einsum("tkid,tki->td", J, forces), atol=1e-10)


def test_the_comparison_can_fail(rng: np.random.Generator) -> None:
    """Negative control: a body that is one part in a million heavier is seen in every derivative."""
    character = random_character(rng, floats=True)
    last = character.bodies[-1]
    heavier = Body(last.name, mass=last.mass * (1 + 1e-6), centre=last.centre, inertia=last.inertia)
    changed = Character(character.name, (*character.bodies[:-1], heavier), character.joints)
    states = random_states(rng, character)
    assert worst(rnea_derivatives(changed, states), theirs(pinocchio_twin(character), states, True)) > 1e-9
