"""Robots that animato writes, read by Pinocchio (URDF) and MuJoCo (MJCF): one kinematics, one mass, closed loops."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.character import Character, JointType
from animato.character.structure import rest_poses
from animato.formats.character_files import load_character, save_character
from animato.formats.mjcf.written_postures import ball_in_body
from animato.formats.outgoing import plain_tree
from animato.mechanics.loops import clip_with_loops
from animato.mechanics.tree import centre_of_mass, forward_kinematics
from animato.motion import Clip
from tests.mechanism_builders import stewart
from tests.tree_builders import random_character, random_clip, tangled_character

SAME = 1e-9
FRAMES = 3


def characters() -> dict[str, Character]:
    rng = np.random.default_rng(11)
    made = {"random": random_character(rng, floats=False), "tangled": tangled_character(rng, floats=False)}
    made["floating"] = random_character(rng, floats=True)
    return made | {name: load_character(name) for name in ("arm6", "lamp", "kickbot", "torso29")}


CHARACTERS = characters()


def followers(character: Character, clip: Clip) -> dict[str, np.ndarray]:
    """Positions of all coordinates, those of gears included, by name, shape [frame]."""
    values = {name: clip.positions[:, n] for n, name in enumerate(clip.names)}
    for joint in character.joints:
        if joint.coupling is not None:
            values[joint.name] = joint.coupling.ratio * values[joint.coupling.leader] + joint.coupling.offset
    return values


@pytest.mark.parametrize("name", list(CHARACTERS))
def test_pinocchio_has_the_same_bodies_in_the_same_places(tmp_path: Path, name: str) -> None:
    pinocchio = pytest.importorskip("pinocchio")
    from tests.laws.test_robot_round_trips import restated

    character = CHARACTERS[name]
    saved = save_character(tmp_path / "robot.urdf", character)
    model = pinocchio.buildModelFromUrdf(str(saved.path))
    data = model.createData()
    clip = random_clip(np.random.default_rng(3), character, FRAMES)
    values = followers(character, restated(clip, character, ".urdf"))
    poses, centres = forward_kinematics(character, clip), centre_of_mass(character, clip)
    for frame in range(FRAMES):
        q = pinocchio.neutral(model)
        for joint, index in zip(model.names[1:], model.idx_qs[1:], strict=True):
            kind = model.joints[model.getJointId(joint)].shortname()
            if "FreeFlyer" in kind:
                assert clip.base_positions is not None and clip.base_quaternions_wxyz is not None
                turn = clip.base_quaternions_wxyz[frame][[1, 2, 3, 0]]
                q[index : index + 7] = [*clip.base_positions[frame], *turn]
            elif model.nqs[model.getJointId(joint)] == 2:  # turns endlessly: a point on a circle
                q[index : index + 2] = np.cos(values[joint][frame]), np.sin(values[joint][frame])
            else:
                q[index] = values[joint][frame]
        pinocchio.framesForwardKinematics(model, data, q)
        for body in character.bodies:
            found = data.oMf[model.getFrameId(body.name, pinocchio.FrameType.BODY)]
            assert np.abs(found.translation - poses.of(body.name).position[frame]).max() < SAME
            assert np.abs(found.rotation - poses.of(body.name).rotation[frame]).max() < SAME
        if character.floats:  # what is fixed to the world is not in its centre of mass
            assert np.abs(pinocchio.centerOfMass(model, data, q) - centres[frame]).max() < SAME


def set_joints(mujoco: Any, model: Any, data: Any, character: Character, clip: Clip, frame: int) -> None:
    values = followers(character, clip)
    for step in plain_tree(character).steps:
        joint = step.joint
        if joint is None:
            assert clip.base_positions is not None and clip.base_quaternions_wxyz is not None
            data.qpos[:7] = [*clip.base_positions[frame], *clip.base_quaternions_wxyz[frame]]
        elif joint.type is JointType.SPHERICAL:
            turn = np.array([values[name][frame] for name in joint.coordinate_names])
            data.joint(joint.name).qpos[:] = ball_in_body(step, turn)
        else:
            for axis in step.axes:
                data.joint(axis.name).qpos[0] = values[axis.name][frame]
    mujoco.mj_forward(model, data)


@pytest.mark.parametrize("name", list(CHARACTERS))
def test_mujoco_has_the_same_bodies_in_the_same_places(tmp_path: Path, name: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    character = CHARACTERS[name]
    saved = save_character(tmp_path / "robot.xml", character)
    model = mujoco.MjModel.from_xml_path(str(saved.path))
    data = mujoco.MjData(model)
    clip = random_clip(np.random.default_rng(3), character, FRAMES)
    poses, centres = forward_kinematics(character, clip), centre_of_mass(character, clip)
    for frame in range(FRAMES):
        set_joints(mujoco, model, data, character, clip, frame)
        for body in character.bodies:
            found = data.body(body.name)
            assert np.abs(found.xpos - poses.of(body.name).position[frame]).max() < SAME
            assert np.abs(found.xmat.reshape(3, 3) - poses.of(body.name).rotation[frame]).max() < SAME
        assert np.abs(data.subtree_com[0] - centres[frame]).max() < SAME
    assert np.allclose(model.opt.gravity, character.gravity)
    driven = plain_tree(character).driven
    assert model.nu == sum(3 if joint.type is JointType.SPHERICAL else len(joint.coordinate_names) for joint in driven)


@pytest.mark.parametrize("name", ["four_bar", "biker", "rapper", "legs", "stewart"])
def test_mujoco_finds_loops_closed_at_rest(tmp_path: Path, name: str) -> None:
    mujoco = pytest.importorskip("mujoco")
    character = stewart() if name == "stewart" else load_character(name)
    saved = save_character(tmp_path / "robot.xml", character)
    model = mujoco.MjModel.from_xml_path(str(saved.path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert data.ne > 0
    assert np.abs(data.efc_pos[: data.ne]).max() < SAME
    for body, pose in rest_poses(character).items():
        assert np.abs(data.body(body).xpos - pose.position).max() < SAME


def test_mujoco_finds_loops_closed_while_the_motor_turns(tmp_path: Path) -> None:
    mujoco = pytest.importorskip("mujoco")
    character = load_character("four_bar")
    model = mujoco.MjModel.from_xml_path(str(save_character(tmp_path / "robot.xml", character)))
    data = mujoco.MjData(model)
    motor = character.actuated_coordinate_names[0]
    clip = clip_with_loops(character, Clip(np.arange(3) / 10.0, (motor,), np.array([[0.0], [0.3], [0.6]])))
    for frame in range(3):
        set_joints(mujoco, model, data, character, clip, frame)
        assert np.abs(data.efc_pos[: data.ne]).max() < 1e-8  # the tolerance of our loops
    data.joint(motor).qpos[0] += 0.01  # negative control: one joint alone opens the loop
    mujoco.mj_forward(model, data)
    assert np.abs(data.efc_pos[: data.ne]).max() > 1e-4
