"""Robot files read by animato and by other parsers: one kinematics, one mass."""

from __future__ import annotations

import importlib.util
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.character.character import Character
from animato.character.mass_properties import combined, mass_properties_of
from animato.character.shape import Mesh
from animato.errors import AnimatoError
from animato.formats.character_yaml.reader import character_from_yaml
from animato.formats.character_yaml.writer import character_to_yaml
from animato.formats.mjcf.reader import load_mjcf
from animato.formats.urdf.reader import load_urdf
from animato.mechanics.tree.kinematics import forward_kinematics
from animato.motion.clip import Clip
from animato.spatial import quaternions

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
FRAMES = 3

# Files of that package that nobody can read, and what is wrong with them.
BROKEN = {
    "alex_psyonic_hands.urdf": "Joint 'index_q1' is not in 'the file'",
    "falcon.urdf": "Link 'Z_propeller' is not in 'the file'",
    "romeo_laas_small.urdf": "link 'body': The inertia of body 'body' has a negative moment",
    "ur3.urdf": "the robot has no <link>",
}


def example_robots() -> list[Path]:
    spec = importlib.util.find_spec("cmeel")
    if spec is None or spec.origin is None:
        return []
    site = Path(spec.origin).parent.parent
    return sorted((site / "cmeel.prefix/share/example-robot-data/robots").rglob("*.urdf"))


def shared_robots() -> list[Path]:
    files = ("robots/g1/g1_29dof_rev_1_0.urdf", "robots/tx90l/tx90l.urdf", "robots/hrp4c/HRP4Cmain.urdf")
    return [SHARED / file for file in (*files, "mechanisms/five_bar/robot.urdf")]


@pytest.fixture(autouse=True)
def skip_absent(request: pytest.FixtureRequest) -> None:
    path = request.node.callspec.params.get("path") if hasattr(request.node, "callspec") else None
    if path is not None and not path.is_file():
        pytest.skip(f"{path.name} is not on this machine (a folder shared/data beside the checkout)")


def identity(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


ROBOTS = example_robots() + shared_robots()
GOOD = [path for path in ROBOTS if path.name not in BROKEN]


def random_clip(character: Character, rng: np.random.Generator) -> Clip:
    """Random positions of all coordinates; the root of a floating character stays at the origin."""
    positions = np.zeros((FRAMES, len(character.coordinate_names)))
    for column, name in enumerate(character.coordinate_names):
        positions[:, column] = rng.uniform(-1.5, 1.5, FRAMES) if name.rpartition(".")[2] != "qw" else 1.0
    return Clip(np.arange(FRAMES) / 10.0, character.coordinate_names, positions)


def joint_positions(character: Character, clip: Clip, frame: int) -> dict[str, float]:
    """Position of every joint of one axis, those that follow another one and those that are set too."""
    known = dict(zip(clip.names, clip.positions[frame], strict=True))
    for joint in character.joints:
        if joint.coupling is not None:
            known[joint.name] = joint.coupling.ratio * known[joint.coupling.leader] + joint.coupling.offset
        elif joint.configuration:
            known[joint.name] = joint.configuration[0]
    return known


def set_positions(model: Any, q: np.ndarray, positions: dict[str, float]) -> None:
    """Writes positions of joints into Pinocchio's q."""
    for name, value in positions.items():
        if model.existJointName(name):
            joint = model.joints[model.getJointId(name)]
            turns_endlessly = joint.nq == 2  # kept as cosine and sine
            q[joint.idx_q : joint.idx_q + joint.nq] = (np.cos(value), np.sin(value)) if turns_endlessly else value


@pytest.mark.skipif(not example_robots(), reason="the package example-robot-data is not installed")
def test_there_are_many_robots():
    assert len(example_robots()) > 50


@pytest.mark.parametrize("path", GOOD, ids=identity)
def test_urdf_bodies_are_where_pinocchio_says(path: Path):
    pinocchio = pytest.importorskip("pinocchio")
    character = load_urdf(path)
    clip = random_clip(character, np.random.default_rng(7))
    poses = forward_kinematics(character, clip)
    model = pinocchio.buildModelFromUrdf(str(path))
    data = model.createData()
    for frame in range(FRAMES):
        q = pinocchio.neutral(model)
        set_positions(model, q, joint_positions(character, clip, frame))
        pinocchio.framesForwardKinematics(model, data, q)
        for index, body in enumerate(poses.names):
            theirs = data.oMf[model.getFrameId(body, pinocchio.FrameType.BODY)]
            np.testing.assert_allclose(poses.positions[frame, index], theirs.translation, atol=1e-9)
            ours = quaternions.matrix_from_quaternion(poses.quaternions_wxyz[frame, index])
            np.testing.assert_allclose(ours, theirs.rotation, atol=1e-9)


@pytest.mark.parametrize("path", GOOD, ids=identity)
def test_urdf_has_the_mass_and_inertia_that_pinocchio_says(path: Path):
    pinocchio = pytest.importorskip("pinocchio")
    character = load_urdf(path)
    clip = random_clip(character, np.random.default_rng(8))
    poses = forward_kinematics(character, clip)
    model = pinocchio.buildModelFromUrdf(str(path), pinocchio.JointModelFreeFlyer())
    data = model.createData()
    q = pinocchio.neutral(model)
    set_positions(model, q, joint_positions(character, clip, 0))
    pinocchio.ccrba(model, data, q, np.zeros(model.nv))
    parts = [
        mass_properties_of(body).moved(poses.of(body.name).rotation[0], poses.of(body.name).position[0])
        for body in character.bodies
    ]
    whole = combined(parts)
    assert whole.mass == pytest.approx(pinocchio.computeTotalMass(model), rel=1e-12, abs=1e-12)
    if whole.mass > 0.0:
        np.testing.assert_allclose(whole.centre, data.com[0], atol=1e-9)
        np.testing.assert_allclose(whole.inertia, data.Ig.inertia, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("path", [path for path in ROBOTS if path.name in BROKEN], ids=identity)
def test_broken_robots_are_explained(path: Path):
    with pytest.raises(AnimatoError, match=BROKEN[path.name]):
        load_urdf(path)


@pytest.mark.parametrize("path", GOOD, ids=identity)
def test_urdf_values_are_those_that_yourdfpy_reads(path: Path):
    yourdfpy = pytest.importorskip("yourdfpy")
    logging.getLogger("yourdfpy.urdf").setLevel(logging.CRITICAL)
    robot = yourdfpy.URDF.load(str(path), load_meshes=False, build_scene_graph=False).robot
    character = load_urdf(path)
    bodies = {body.name: body for body in character.bodies}
    joints = {joint.name: joint for joint in character.joints}
    for link in robot.links:
        if link.name not in bodies:
            assert link.name == "world"
            continue
        body = bodies[link.name]
        drawn = [shape for shape in body.shapes if shape.visual]
        assert len(drawn) == len(link.visuals)
        assert sum(shape.collision for shape in body.shapes) == len(link.collisions)
        for shape, visual in zip(drawn, link.visuals, strict=True):
            origin = np.eye(4) if visual.origin is None else visual.origin
            np.testing.assert_allclose(shape.frame.transform.matrix, origin, atol=1e-12)
            assert isinstance(shape.geometry, Mesh) == (visual.geometry.mesh is not None)
        if link.inertial is not None:
            assert body.mass == link.inertial.mass
    for joint in robot.joints:
        if joint.type in ("revolute", "prismatic", "continuous"):
            ours = joints[joint.name]
            np.testing.assert_allclose(ours.axis, joint.axis / np.linalg.norm(joint.axis), atol=1e-12)
            limits = ours.limits[0]
            if joint.limit is not None:
                assert (limits.velocity or 0.0) == (joint.limit.velocity or 0.0)
                assert (limits.torque or 0.0) == (joint.limit.effort or 0.0)
                if joint.type != "continuous":
                    assert (limits.lower, limits.upper) == (joint.limit.lower, joint.limit.upper)
            assert (ours.coupling is None) == (joint.mimic is None)


@pytest.mark.parametrize("path", GOOD, ids=identity)
def test_robots_survive_the_character_file_bit_for_bit(path: Path):
    character = load_urdf(path)
    assert character_from_yaml(character_to_yaml(character)) == character


MODELS = {
    "floating": """
<mujoco model="bird">
  <compiler angle="degree" eulerseq="XYZ"/>
  <default><default class="leg"><joint damping="0.3" armature="0.01"/></default></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="torso" pos="0.1 0.2 1" euler="10 20 30">
      <freejoint name="root"/>
      <geom type="box" size=".1 .2 .3" pos="0 0 .1" euler="5 6 7"/>
      <body name="leg" pos=".1 .2 -.3" quat="1 .1 .2 .3" childclass="leg">
        <inertial pos="0 .02 .1" mass="2" diaginertia=".1 .2 .25" euler="5 6 7"/>
        <joint name="yaw" axis="0 0 1" pos=".01 .02 .03" range="-30 60" ref="12"/>
        <joint name="slide" type="slide" axis="1 1 0" pos=".3 .02 .03" ref=".2"/>
        <joint name="roll" axis="1 .2 .1" pos="0 .1 .2"/>
        <body name="foot" pos="0 0 -.4">
          <joint name="ankle" axis="0 1 0" ref="-20"/>
          <geom type="capsule" fromto="0 0 0 .1 .2 .3" size=".05"/>
        </body>
      </body>
      <body name="tail" pos="-.1 0 0"><joint name="wag" axis="0 1 0"/><geom size=".04"/></body>
      <body name="crest" pos="0 0 .3"><geom type="ellipsoid" size=".04 .02 .01"/></body>
    </body>
  </worldbody>
</mujoco>""",
    "held": """
<mujoco>
  <worldbody>
    <frame pos="0 0 .5" euler="0 0 45">
      <body name="stand"><geom type="cylinder" size=".1 .2"/>
        <body name="arm" pos="0 0 .2"><joint name="shoulder" type="ball" pos="0 0 .05"/><geom size=".1" pos="0 0 .2"/>
          <body name="hand" pos=".3 0 0"><joint name="wrist" axis="1 2 3"/><geom size=".05" mass="0.2"/></body>
        </body>
      </body>
    </frame>
    <body name="cart" pos="1 0 0"><joint name="rail" type="slide" axis="1 0 0"/><geom size=".1"/></body>
  </worldbody>
</mujoco>""",
}


@pytest.mark.parametrize("name", MODELS)
def test_mjcf_bodies_and_masses_are_those_of_mujoco(name: str, tmp_path: Path, rng: np.random.Generator):
    mujoco = pytest.importorskip("mujoco")
    path = tmp_path / "model.xml"
    path.write_text(MODELS[name], encoding="utf-8")
    character = load_mjcf(path)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    clip = random_clip(character, rng)
    turns = quaternions.normalized(rng.normal(size=(FRAMES, 4)))
    if character.floats:
        clip = Clip(clip.times, clip.names, clip.positions, rng.normal(size=(FRAMES, 3)), turns)
    poses = forward_kinematics(character, clip)
    for frame in range(FRAMES):
        for number in range(model.njnt):
            start, joint = model.jnt_qposadr[number], model.joint(number).name
            if model.jnt_type[number] == mujoco.mjtJoint.mjJNT_FREE:
                data.qpos[start : start + 3] = clip.base_positions[frame]
                data.qpos[start + 3 : start + 7] = clip.base_quaternions_wxyz[frame]
            elif model.jnt_type[number] == mujoco.mjtJoint.mjJNT_BALL:
                quaternion = [clip.positions[frame, clip.column(f"{joint}.q{part}")] for part in "wxyz"]
                data.qpos[start : start + 4] = quaternion / np.linalg.norm(quaternion)
            else:
                data.qpos[start] = clip.positions[frame, clip.column(joint)]
        mujoco.mj_kinematics(model, data)
        for body in range(1, model.nbody):
            ours = poses.of(model.body(body).name)
            np.testing.assert_allclose(ours.position[frame], data.xpos[body], atol=1e-12)
            np.testing.assert_allclose(ours.rotation[frame].ravel(), data.xmat[body], atol=1e-12)
    for body in range(1, model.nbody):
        properties = mass_properties_of(character.body(model.body(body).name))
        rotation = quaternions.matrix_from_quaternion(model.body_iquat[body])
        assert properties.mass == pytest.approx(model.body_mass[body], rel=1e-12)
        np.testing.assert_allclose(properties.centre, model.body_ipos[body], atol=1e-12)
        inertia = rotation @ np.diag(model.body_inertia[body]) @ rotation.T
        np.testing.assert_allclose(properties.inertia, inertia, atol=1e-12)
