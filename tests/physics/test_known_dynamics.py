"""Mass matrix, derivatives of inverse dynamics and contact torques against closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Body, Character, Frame, Joint
from animato.mechanics.tree import (
    States,
    build_contact_points,
    contact_torques,
    mass_matrix,
    put_mass_matrix,
    put_rnea_derivatives,
    rnea_derivatives,
)
from animato.mechanics.tree.kinematics.packing import packed_tree

L1, L2, M1, M2, I1, I2, G = 0.7, 0.4, 1.5, 0.8, 0.05, 0.02, 9.81
AXIS = (0, -1, 0)  # counter-clockwise in the plane of x and z


def double_pendulum(**losses: float) -> Character:
    """Two links from x to x in the plane of x and z, each with its mass and second moment at its end."""
    links = (
        Body("base"),
        Body("a", mass=M1, centre=(L1, 0, 0), inertia=(I1, I1, I1, 0, 0, 0)),
        Body("b", mass=M2, centre=(L2, 0, 0), inertia=(I2, I2, I2, 0, 0, 0)),
    )
    joints = (
        Joint("stand", "ground", "world", "base"),
        Joint("q1", "revolute", "base", "a", axis=AXIS, **losses),  # type: ignore[arg-type]
        Joint("q2", "revolute", "a", "b", frame_parent=Frame((L1, 0, 0)), axis=AXIS),
    )
    return Character("double pendulum", links, joints)


def swinging(count: int = 21) -> States:
    rng = np.random.default_rng(7)
    q, v, a = rng.normal(size=(3, count, 2))
    return States(np.arange(count) / 10, q, v, a, np.tile((0.0, 0, 0, 1, 0, 0, 0), (count, 1)))


def closed_form(states: States) -> dict[str, np.ndarray]:
    """tau = M a + h + g with its derivatives, by hand."""
    (q1, q2), (v1, v2), (a1, a2) = states.positions.T, states.velocities.T, states.accelerations.T
    c2, s2, k = np.cos(q2), np.sin(q2), M2 * L1 * L2
    m11 = (M1 + M2) * L1**2 + I1 + I2 + M2 * L2**2 + 2 * k * c2
    m12, m22 = M2 * L2**2 + I2 + k * c2, np.full_like(q2, M2 * L2**2 + I2)
    far, near = M2 * G * L2, (M1 + M2) * G * L1
    zero = np.zeros_like(q1)
    tau = (
        m11 * a1 + m12 * a2 - k * s2 * (2 * v1 * v2 + v2**2) + near * np.cos(q1) + far * np.cos(q1 + q2),
        m12 * a1 + m22 * a2 + k * s2 * v1**2 + far * np.cos(q1 + q2),
    )
    fall = -far * np.sin(q1 + q2)
    by_q = (
        (fall - near * np.sin(q1), fall - k * s2 * (2 * a1 + a2) - k * c2 * (2 * v1 * v2 + v2**2)),
        (fall, fall - k * s2 * a1 + k * c2 * v1**2),
    )
    by_v = ((-2 * k * s2 * v2, -2 * k * s2 * (v1 + v2)), (2 * k * s2 * v1, zero))
    return {
        "tau": np.stack(tau, axis=1),
        "by_q": np.moveaxis(np.array(by_q), 2, 0),
        "by_v": np.moveaxis(np.array(by_v), 2, 0),
        "by_a": np.moveaxis(np.array(((m11, m12), (m12, m22))), 2, 0),
    }


def test_double_pendulum() -> None:
    ours, expected = rnea_derivatives(double_pendulum(), swinging()), closed_form(swinging())
    for name, values in expected.items():
        np.testing.assert_allclose(getattr(ours, name), values, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(mass_matrix(double_pendulum(), swinging()), expected["by_a"], atol=1e-12)


def test_a_longer_first_link_is_seen() -> None:
    """Negative control: the closed form belongs to these lengths."""
    character = double_pendulum()
    longer = replace(character.joints[2], frame_parent=Frame((1.001 * L1, 0, 0)))
    changed = Character(character.name, character.bodies, (*character.joints[:2], longer))
    ours, expected = rnea_derivatives(changed, swinging()), closed_form(swinging())
    for name, values in expected.items():
        assert np.abs(getattr(ours, name) - values).max() > 1e-4, name


def test_rotor_and_damping_stand_on_the_diagonal() -> None:
    plain = rnea_derivatives(double_pendulum(), swinging())
    real = rnea_derivatives(double_pendulum(armature=0.3, damping=0.2, friction=0.1), swinging())
    states, first = swinging(), np.diag((1.0, 0.0))
    losses = 0.3 * states.accelerations + 0.2 * states.velocities + 0.1 * np.sign(states.velocities)
    np.testing.assert_allclose(real.tau - plain.tau, losses * (1, 0), atol=1e-12)
    np.testing.assert_allclose(real.by_q, plain.by_q, atol=1e-12)
    np.testing.assert_allclose(real.by_v - plain.by_v, np.tile(0.2 * first, (21, 1, 1)), atol=1e-12)
    np.testing.assert_allclose(real.by_a - plain.by_a, np.tile(0.3 * first, (21, 1, 1)), atol=1e-12)


def test_friction_of_a_joint_at_rest_is_zero() -> None:
    states = swinging()
    states.velocities[:] = 0.0
    real = rnea_derivatives(double_pendulum(friction=0.1), states)
    np.testing.assert_array_equal(real.tau, rnea_derivatives(double_pendulum(), states).tau)


def test_memory_that_is_there_is_written_whole() -> None:
    """Also where the count of moments is no multiple of eight."""
    tree, states = packed_tree(double_pendulum()), swinging()
    tau, (by_q, by_v, by_a, M) = np.full((21, 2), np.nan), np.full((4, 21, 2, 2), np.nan)
    put_rnea_derivatives(
        tree, states.positions, states.velocities, states.accelerations, states.root, tau, by_q, by_v, by_a
    )
    put_mass_matrix(tree, states.positions, states.root, M)
    for name, values in closed_form(states).items():
        written = {"tau": tau, "by_q": by_q, "by_v": by_v, "by_a": by_a}[name]
        np.testing.assert_allclose(written, values, atol=1e-12)
    np.testing.assert_allclose(M, by_a, atol=1e-12)


def test_a_character_without_joints_has_no_torques() -> None:
    block = Character("block", (Body("base", mass=1.0),), (Joint("stand", "ground", "world", "base"),))
    states = States(np.arange(3), *np.zeros((3, 3, 0)), np.tile((0.0, 0, 0, 1, 0, 0, 0), (3, 1)))
    ours = rnea_derivatives(block, states)
    assert ours.tau.shape == (3, 0) and ours.by_q.shape == mass_matrix(block, states).shape == (3, 0, 0)


@pytest.mark.parametrize("force", [(3.0, 0.0, 0.0), (0.0, 0.0, -2.0)])
def test_contact_torque_of_a_force_at_the_tip(force: tuple[float, float, float]) -> None:
    """The tip is at L1 (cos q1, sin q1) + L2 (cos, sin)(q1 + q2), and J^T f its gradient along f."""
    tree, states = packed_tree(double_pendulum()), swinging()
    points = build_contact_points(tree, [("b", (L2, 0.0, 0.0))])
    ours = contact_torques(tree, states.positions, states.root, points, np.tile(force, (21, 1, 1)))
    q1, q12 = states.positions[:, 0], states.positions.sum(axis=1)
    fx, fz = force[0], force[2]
    near = L1 * (-fx * np.sin(q1) + fz * np.cos(q1))
    far = L2 * (-fx * np.sin(q12) + fz * np.cos(q12))
    np.testing.assert_allclose(ours.values, np.stack((near + far, far), axis=1), atol=1e-12)
    bend, tip = -L1 * (fx * np.cos(q1) + fz * np.sin(q1)), -L2 * (fx * np.cos(q12) + fz * np.sin(q12))
    np.testing.assert_allclose(ours.by_q[:, 0, 0], bend + tip, atol=1e-12)
    for i, j in ((0, 1), (1, 0), (1, 1)):
        np.testing.assert_allclose(ours.by_q[:, i, j], tip, atol=1e-12)
