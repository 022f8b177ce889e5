"""Inverse dynamics less J^T f of given contact forces, against Pinocchio and MuJoCo, which take forces on bodies."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character import Character
from animato.formats import load_character
from animato.mechanics.contact import corners_of
from animato.mechanics.tree import (
    States,
    build_contact_points,
    contact_torques,
    forward_kinematics,
    inverse_dynamics,
    packed_tree,
    states_of_clip,
)
from animato.mechanics.tree.kinematics.pinocchio_twin import pinocchio_twin
from tests.agreement.test_mechanics_mujoco import Peer, random_motion
from tests.tree_builders import random_character, random_states

Points = tuple[tuple[str, tuple[float, float, float]], ...]


def torques_with(character: Character, states: States, points: Points, forces: np.ndarray) -> np.ndarray:
    """Ours, by the Jacobians of corners and by the kernel that gives derivatives; both must agree."""
    tree = packed_tree(character)
    corners = corners_of(character, states, points)
    free = inverse_dynamics(character, states).values - tree.friction * np.sign(states.velocities)
    ours = free - np.einsum("tcid,tci->td", corners.jacobians, forces)
    packed = build_contact_points(tree, points)
    kernel = contact_torques(tree, states.positions, states.root, packed, forces).values
    np.testing.assert_allclose(free - kernel, ours, rtol=0, atol=1e-10 * np.abs(ours).max())
    return ours


def by_pinocchio(character: Character, states: States, points: Points, forces: np.ndarray) -> np.ndarray:
    """`rnea` with external forces, which it takes in the frames of joints."""
    pinocchio = pytest.importorskip("pinocchio")
    twin = pinocchio_twin(character)
    model, data = twin.model, twin.model.createData()
    v, a = twin.velocities(states.velocities), twin.velocities(states.accelerations)
    poses = forward_kinematics(character, states)
    out = np.zeros((len(states.times), model.nv))
    for t, q in enumerate(twin.configurations(states)):
        pinocchio.forwardKinematics(model, data, q)
        outer = [pinocchio.Force.Zero() for _ in range(model.njoints)]
        for (body, point), force in zip(points, forces[t], strict=True):
            joint = model.frames[model.getFrameId(body)].parentJoint
            where = poses.of(body).apply(point)[t]
            outer[joint] += data.oMi[joint].actInv(pinocchio.Force(force, np.cross(where, force)))
        out[t] = pinocchio.rnea(model, data, q, v[t], spatial_acceleration(model, v[t], a[t]), outer)
    return twin.forces(out)


def spatial_acceleration(model: object, v: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Pinocchio's acceleration of a free root is that of the body's frame, ours that of its origin in space."""
    out = a.copy()
    if model.joints[1].shortname() == "JointModelFreeFlyer":
        out[:3] -= np.cross(v[3:6], v[:3])
    return out


@pytest.mark.parametrize("seed", range(3))
def test_against_pinocchio(seed: int) -> None:
    rng = np.random.default_rng(seed)
    character = random_character(rng, floats=True)
    states = random_states(rng, character, 5)
    points: Points = tuple((f"b{body}", tuple(rng.normal(size=3))) for body in (0, 3, 6, 9, 9))
    forces = 10.0 * rng.normal(size=(5, len(points), 3))
    ours = torques_with(character, states, points, forces)
    theirs = by_pinocchio(character, states, points, forces)
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-10 * np.abs(theirs).max())


def test_against_mujoco_on_a_humanoid(shared_data: Path, rng: np.random.Generator) -> None:
    mujoco = pytest.importorskip("mujoco")
    path = shared_data / "robots" / "g1" / "g1_29dof_rev_1_0.urdf"
    character = load_character(path)
    assert character.floats
    spec = mujoco.MjSpec.from_file(str(path))
    spec.compiler.fusestatic = False
    spec.compiler.discardvisual = False
    for thing in [*spec.geoms, *spec.meshes]:
        spec.delete(thing)
    spec.body("pelvis").add_freejoint()
    model = spec.compile()
    model.dof_frictionloss[:] = 0.0
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    peer = Peer(model, character)
    states = states_of_clip(character, random_motion(character, rng), np.linspace(0.1, 1.9, 4))
    points: Points = tuple(
        (f"{side}_ankle_roll_link", corner)
        for side in ("left", "right")
        for corner in ((-0.05, 0.025, -0.035), (0.12, -0.03, -0.035))
    )
    forces = 100.0 * rng.normal(size=(4, len(points), 3))
    ours = torques_with(character, states, points, forces)
    poses = forward_kinematics(character, states)
    for t in range(4):
        peer.set(states, t)
        mujoco.mj_inverse(model, peer.data)
        for (name, point), force in zip(points, forces[t], strict=True):
            where = poses.of(name).apply(point)[t]
            mujoco.mj_applyFT(model, peer.data, -force, np.zeros(3), where, model.body(name).id, peer.data.qfrc_inverse)
        np.testing.assert_allclose(ours[t], peer.forces(), rtol=0, atol=1e-9 * np.abs(ours).max())


def test_the_comparison_can_fail() -> None:
    """Negative control: a point that is a tenth of a millimetre off is seen."""
    rng = np.random.default_rng(1)
    character = random_character(rng, floats=True)
    states = random_states(rng, character, 3)
    points: Points = (("b9", (0.1, 0.2, 0.3)),)
    moved: Points = (("b9", (0.1001, 0.2, 0.3)),)
    forces = 10.0 * rng.normal(size=(3, 1, 3))
    ours, theirs = torques_with(character, states, moved, forces), by_pinocchio(character, states, points, forces)
    assert np.abs(ours - theirs).max() > 1e-6 * np.abs(theirs).max()
