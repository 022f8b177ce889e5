"""The same URDF or MJCF in MuJoCo and in animato: poses, Jacobians and torques to 1e-9."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import JointType
from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics import centre_of_mass, forward_kinematics, frame_jacobians
from animato.mechanics.tree.packing import packed_tree
from animato.mechanics.tree.rnea import inverse_dynamics
from animato.mechanics.tree.states import states_of_clip
from animato.motion.clip import Clip
from animato.spatial import quaternions

mujoco = pytest.importorskip("mujoco")

ROBOTS = ["g1/g1_29dof_rev_1_0.urdf", "tx90l/tx90l.urdf"]  # MuJoCo refuses HRP-4C: a rounded inertia of -1e-7

SPIDER = """
<mujoco model="spider">
  <worldbody>
    <body name="core" pos="0.1 0.2 0.9" quat="0.9 0.1 -0.2 0.3">
      <freejoint name="free"/>
      <inertial pos="0.02 0.01 0.03" mass="2" fullinertia="0.03 0.04 0.05 0.001 0.002 0.003"/>
      <body name="hip" pos="0.2 0.1 0" euler="10 20 30">
        <joint name="ball" type="ball" pos="0.01 0.02 0.03"/>
        <inertial pos="0.1 0 0.05" mass="0.7" diaginertia="0.01 0.02 0.015"/>
        <body name="shin" pos="0.3 0 0.1">
          <joint name="knee" type="hinge" axis="0 1 0.5" pos="0 0.02 0" range="-90 90" armature="0.013" damping="0.2"/>
          <joint name="twist" type="hinge" axis="1 0 0"/>
          <inertial pos="0 0 -0.1" mass="0.4" diaginertia="0.003 0.004 0.002"/>
          <body name="foot" pos="0 0 -0.25">
            <joint name="slide" type="slide" axis="0 0.2 1"/>
            <inertial pos="0 0.05 0" mass="0.2" diaginertia="0.001 0.001 0.001"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def mujoco_model(path: Path) -> object:
    """Compiled without fusing links and without meshes, which need not be there."""
    spec = mujoco.MjSpec.from_file(str(path))
    spec.compiler.fusestatic = False
    spec.compiler.discardvisual = False
    for geom in list(spec.geoms):
        spec.delete(geom)
    for mesh in list(spec.meshes):
        spec.delete(mesh)
    return spec.compile()


def random_motion(character: Character, rng: np.random.Generator) -> Clip:
    times = np.linspace(0, 2, 12)
    names = character.coordinate_names
    positions = 0.5 * rng.normal(size=(12, len(names)))
    for column, name in enumerate(names):
        if name.endswith(".qw"):
            turns = quaternions.quaternion_from_rotation_vector(0.4 * rng.normal(size=(12, 3)))
            positions[:, column : column + 4] = quaternions.continuous(turns)
    if not character.floats:
        return Clip(times, names, positions)
    turns = quaternions.quaternion_from_rotation_vector(0.4 * rng.normal(size=(12, 3)))
    return Clip(times, names, positions, 0.3 * rng.normal(size=(12, 3)), turns)


class Peer:
    """MuJoCo's model with the columns of ours."""

    def __init__(self, model: object, character: Character) -> None:
        self.model, self.data, self.character = model, mujoco.MjData(model), character
        self.tree = packed_tree(character)
        free = [j for j in range(model.njnt) if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_FREE]
        self.free = free[0] if free else None
        # column of each of MuJoCo's velocities in ours
        self.columns = np.full(model.nv, -1)
        for j in range(model.njnt):
            address, name = model.jnt_dofadr[j], model.joint(j).name
            if j == self.free:
                self.columns[address : address + 6] = np.arange(6)
            else:
                dof = next(n for n, joint in enumerate(self.tree.dof_joints) if joint and joint.name == name)
                width = 3 if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL else 1
                self.columns[address : address + width] = dof + np.arange(width)

    def set(self, states: object, t: int) -> None:
        model, data = self.model, self.data
        for j in range(model.njnt):
            address, name = model.jnt_qposadr[j], model.joint(j).name
            if j == self.free:
                data.qpos[address : address + 7] = states.root[t]
            else:
                joint = self.character.joint(name)
                column = self.tree.coordinate_names.index(joint.coordinate_names[0])
                width = len(joint.coordinate_names)
                data.qpos[address : address + width] = states.positions[t, column : column + width]
        data.qvel[:] = states.velocities[t, self.columns]
        data.qacc[:] = states.accelerations[t, self.columns]
        if self.free is not None:  # theirs is linear in world axes, angular in the body's, as a point's acceleration
            a = model.jnt_dofadr[self.free]
            turn = states.root[t, 3:]
            data.qvel[a : a + 3] = quaternions.rotate(turn, states.velocities[t, :3])
            data.qacc[a : a + 3] = quaternions.rotate(turn, states.accelerations[t, :3])

    def forces(self) -> np.ndarray:
        out = np.zeros(len(self.tree.dof_names))
        force = self.data.qfrc_inverse.copy()
        if self.free is not None:
            a = self.model.jnt_dofadr[self.free]
            force[a : a + 3] = quaternions.rotate(quaternions.conjugate(self.data.qpos[3:7]), force[a : a + 3])
        np.add.at(out, self.columns, force)
        return out

    def jacobian(self, body: int, point: np.ndarray) -> np.ndarray:
        linear, angular = np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
        mujoco.mj_jac(self.model, self.data, linear, angular, point, body)
        theirs = np.vstack([linear, angular])
        out = np.zeros((6, len(self.tree.dof_names)))
        if self.free is not None:
            a = self.model.jnt_dofadr[self.free]
            theirs[:, a : a + 3] = theirs[:, a : a + 3] @ quaternions.matrix_from_quaternion(self.data.qpos[3:7])
        out[:, self.columns] = theirs
        return out


def assert_agreement(model: object, character: Character, rng: np.random.Generator) -> None:
    # friction in MuJoCo is a constraint force, which this comparison leaves out
    model.dof_frictionloss[:] = 0.0
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    peer = Peer(model, character)
    states = states_of_clip(character, random_motion(character, rng), np.linspace(0.1, 1.9, 6))
    poses = forward_kinematics(character, states)
    # what friction adds is a closed form of its own, known from elsewhere
    tau = inverse_dynamics(character, states).values - peer.tree.friction * np.sign(states.velocities)
    centre = centre_of_mass(character, states)
    point = Frame((0.05, -0.1, 0.2))
    names = [model.body(b).name for b in range(1, model.nbody) if model.body(b).name in poses.names]
    assert len(names) >= len([joint for joint in character.joints if joint.type is not JointType.FIXED]) * 0.5
    jacobians = {name: frame_jacobians(character, states, name, point) for name in names[:: max(1, len(names) // 5)]}
    scale = max(1.0, float(np.abs(tau).max()))
    for t in range(len(states.times)):
        peer.set(states, t)
        mujoco.mj_inverse(model, peer.data)
        for name in names:
            body, index = model.body(name).id, poses.names.index(name)
            np.testing.assert_allclose(poses.positions[t, index], peer.data.xpos[body], atol=1e-9)
            ours = quaternions.matrix_from_quaternion(poses.quaternions_wxyz[t, index])
            np.testing.assert_allclose(ours, peer.data.xmat[body].reshape(3, 3), atol=1e-9)
        for name, ours in jacobians.items():
            where = poses.of(name).apply(point.position)[t]
            np.testing.assert_allclose(ours[t], peer.jacobian(model.body(name).id, where), atol=1e-9)
        np.testing.assert_allclose(tau[t], peer.forces(), atol=1e-9 * scale)
        np.testing.assert_allclose(centre[t], peer.data.subtree_com[0], atol=1e-9)


@pytest.mark.parametrize("robot", ROBOTS)
def test_urdf(robot: str, shared_data: Path, rng: np.random.Generator) -> None:
    path = shared_data / "robots" / robot
    assert_agreement(mujoco_model(path), load_character(path, base="ground"), rng)


def test_mjcf(tmp_path: Path, rng: np.random.Generator) -> None:
    path = tmp_path / "spider.xml"
    path.write_text(SPIDER)
    assert_agreement(mujoco_model(path), load_character(path), rng)


def test_the_comparison_can_fail(tmp_path: Path, rng: np.random.Generator) -> None:
    path, other = tmp_path / "spider.xml", tmp_path / "other.xml"
    path.write_text(SPIDER)
    other.write_text(SPIDER.replace('mass="0.2"', 'mass="0.21"'))
    with pytest.raises(AssertionError):
        assert_agreement(mujoco_model(path), load_character(other), rng)
