"""MJCF files that are written: motors, gears, keyframes, sites and what MuJoCo would refuse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from animato.character import (
    Body,
    Box,
    Character,
    Coupling,
    EndPoint,
    Frame,
    Joint,
    JointRole,
    JointType,
    Limits,
    Mesh,
    NamedPosture,
    Shape,
    Sole,
)
from animato.character.structure import rest_poses, rezeroed
from animato.errors import OptionError
from animato.formats.character_files import load_character
from animato.formats.mjcf import save_mjcf
from animato.mechanics.loops import clip_with_loops
from animato.motion import Clip
from tests.mechanism_builders import four_bar

mujoco = pytest.importorskip("mujoco")

GROUND = Joint("bolts", JointType.GROUND, "world", "base")
SWING = Joint("swing", JointType.REVOLUTE, "base", "upper", stated_limits=(Limits(-1.0, 2.0, 3.0, torque=4.0),))
FOLLOW = Joint("follow", JointType.REVOLUTE, "upper", "lower", coupling=Coupling("swing", -2.0, 0.1))
BODIES = (Body("base"), Body("upper", 1.0, shapes=(Shape(Box((0.1, 0.1, 0.1))),)), Body("lower", 0.5))


def arm(**changes: object) -> Character:
    fields: dict[str, object] = {"name": "arm", "bodies": BODIES, "joints": (GROUND, SWING, FOLLOW)}
    return Character(**(fields | changes))  # type: ignore[arg-type]


def test_motors_gears_and_limits(tmp_path: Path) -> None:
    saved = save_mjcf(tmp_path / "arm.xml", arm())
    model = mujoco.MjModel.from_xml_path(str(saved.path))
    assert model.nu == 1 and model.neq == 1 and model.actuator_forcerange[0].tolist() == [-4.0, 4.0]
    assert model.joint("swing").range.tolist() == [-1.0, 2.0]
    back = load_character(saved)
    assert back.joint("follow").coupling == Coupling("swing", -2.0, 0.1)
    assert back.joint("follow").role is JointRole.PASSIVE
    assert any(one.startswith("Limits of speed are left out: 1 (swing)") for one in saved.left_out)


def test_bodies_that_mujoco_would_refuse_are_given_a_little(tmp_path: Path) -> None:
    bodies = (Body("base"), Body("upper", 1.0), Body("lower"))
    saved = save_mjcf(tmp_path / "arm.xml", arm(bodies=bodies))
    model = mujoco.MjModel.from_xml_path(str(saved.path))
    assert model.body("upper").mass[0] == 1.0 and model.body("lower").mass[0] == 1e-6
    said = " ".join(saved.left_out)
    assert "without mass are given 1e-06 kg: 1 (lower)" in said and "given 1e-09 kg m^2: 1 (upper)" in said


def test_moments_of_no_rigid_body_are_evened_out_and_said(tmp_path: Path) -> None:
    bodies = (Body("base"), Body("upper", 1.0, (0, 0, 0), (0.1, 0.1, 0.9, 0, 0, 0)), BODIES[2])
    saved = save_mjcf(tmp_path / "arm.xml", arm(bodies=bodies))
    mujoco.MjModel.from_xml_path(str(saved.path))
    assert any("evens out moments" in one and "upper" in one for one in saved.left_out)


def test_postures_are_keyframes(tmp_path: Path) -> None:
    posture = NamedPosture("up", (("swing", 0.7),))
    saved = save_mjcf(tmp_path / "arm.xml", arm(postures=(posture,)))
    model = mujoco.MjModel.from_xml_path(str(saved.path))
    assert model.key("up").qpos.tolist() == [0.7, -2.0 * 0.7 + 0.1]
    assert load_character(saved).posture("up").values == (("swing", 0.7),)


def test_keyframes_of_a_mechanism_place_its_bodies(tmp_path: Path) -> None:
    crank = load_character("four_bar")
    motor = crank.actuated_coordinate_names[0]
    whole = clip_with_loops(crank, Clip(np.zeros(1), (motor,), np.array([[0.4]])))
    values = tuple(zip(whole.names, whole.positions[0].tolist(), strict=True))
    character = Character(crank.name, crank.bodies, crank.joints, postures=(NamedPosture("turned", values),))
    model = mujoco.MjModel.from_xml_path(str(save_mjcf(tmp_path / "crank.xml", character)))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    zeros = {name: (value,) for name, value in values}
    bare = Character(crank.name, crank.bodies, crank.joints)
    for body, pose in rest_poses(rezeroed(bare, zeros)).items():
        assert np.abs(data.body(body).xpos - pose.position).max() < 1e-8  # the tolerance of our loops
    assert np.abs(data.efc_pos[: data.ne]).max() < 1e-8


def test_places_are_sites(tmp_path: Path) -> None:
    point = EndPoint("eye", "lower", Frame((0.1, 0.0, 0.0)), forward=(0.0, 0.0, 1.0), up=(0.0, 1.0, 0.0))
    sole = Sole("foot", "lower", ((0.1, 0.0, 0.0), (0.0, 0.1, 0.0), (-0.1, 0.0, 0.0)))
    saved = save_mjcf(tmp_path / "arm.xml", arm(end_points=(point,), soles=(sole,)))
    model = mujoco.MjModel.from_xml_path(str(saved.path))
    assert model.site("foot.2").pos.tolist() == [0.0, 0.1, 0.0]
    turn = load_character(saved).marker("eye").frame.transform.rotation
    assert np.allclose(turn[:, 0], (0.0, 0.0, 1.0)) and np.allclose(turn[:, 2], (0.0, 1.0, 0.0))


def test_a_loop_of_motors_only_keeps_them_all(tmp_path: Path) -> None:
    bar = four_bar()
    driven = tuple(
        Joint(
            one.name, one.type, one.parent, one.child, JointRole.ACTUATED, one.frame_parent, one.frame_child, one.axis
        )
        if one.type is JointType.REVOLUTE
        else one
        for one in bar.joints
    )
    saved = save_mjcf(tmp_path / "bar.xml", Character("bar", bar.bodies, driven))
    model = mujoco.MjModel.from_xml_path(str(saved.path))
    assert model.nu == 4 and model.neq == 1
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert np.abs(data.efc_pos[: data.ne]).max() < 1e-9
    assert any("welded on" in one for one in saved.left_out)


def test_meshes_are_kept_converted_or_said_to_be_missing(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    cube = trimesh.creation.box((1.0, 1.0, 1.0))
    cube.export(tmp_path / "a.stl")
    cube.export(tmp_path / "b.ply")
    (tmp_path / "c.stl").write_text("version https://git-lfs.github.com/spec/v1\n" + "size 1234\n" * 10)
    shapes = tuple(Shape(Mesh(str(tmp_path / name))) for name in ("a.stl", "b.ply", "c.stl", "gone.obj"))
    character = arm(bodies=(Body("base", shapes=shapes), *BODIES[1:]))
    saved = save_mjcf(tmp_path / "arm.xml", character)
    assert [path.name for path in saved.files] == ["arm.xml", "arm_b.stl"]
    model = mujoco.MjModel.from_xml_path(str(saved.path))
    assert model.nmesh == 2
    assert any("2 (c.stl, gone.obj)" in one for one in saved.left_out)


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="ends in"):
        save_mjcf(tmp_path / "arm.urdf", arm())
