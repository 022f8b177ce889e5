"""URDF files that are written: what stands in them, what is said, and what is left untouched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character import (
    Actuator,
    Body,
    Capsule,
    Character,
    Coupling,
    Ellipsoid,
    EndPoint,
    Frame,
    Joint,
    JointType,
    Limits,
    Mesh,
    Shape,
    Sphere,
)
from animato.errors import AnimatoError, CharacterError, OptionError
from animato.formats.character_files import load_character, save_character
from animato.formats.files import XmlElement, XmlValues, load_xml
from animato.formats.loops import load_loop_closures
from animato.formats.outgoing import roll_pitch_yaw, write_together
from animato.formats.urdf import save_urdf
from animato.formats.urdf.links import frame_of_origin
from animato.loading.conversion import convert_file
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


def arm(**changes: object) -> Character:
    """A held arm of two hinges, the second geared to the first."""
    first = Joint("swing", JointType.REVOLUTE, "base", "upper", stated_limits=(Limits(-1.0, 2.0, 3.0, 5.0, 7.0, 4.0),))
    second = Joint("follow", JointType.REVOLUTE, "upper", "lower", coupling=Coupling("swing", -2.0, 0.1))
    ground = Joint("bolts", JointType.GROUND, "world", "base", frame_parent=Frame((0.0, 0.0, 1.0)))
    fields: dict[str, object] = {
        "name": "arm",
        "bodies": (Body("base"), Body("upper", 1.0), Body("lower", 0.5)),
        "joints": (ground, first, second),
    }
    return Character(**(fields | changes))  # type: ignore[arg-type]


def test_a_held_arm_comes_back(tmp_path: Path) -> None:
    saved = save_urdf(tmp_path / "arm.urdf", arm())
    back = load_character(saved)
    assert saved.files == (tmp_path / "arm.urdf",) and not back.floats
    assert [joint.name for joint in back.joints] == ["bolts", "swing", "follow"]
    assert back.joint("follow").coupling == Coupling("swing", -2.0, 0.1)
    limits = back.joint("swing").limits[0]
    assert (limits.lower, limits.upper, limits.velocity, limits.torque) == (-1.0, 2.0, 3.0, 4.0)
    assert back.joint("bolts").frame_parent == Frame((0.0, 0.0, 1.0))
    assert any(one.startswith("Limits of acceleration are left out: 1 (swing)") for one in saved.left_out)
    assert any(one.startswith("Limits of jerk are left out") for one in saved.left_out)


def test_a_servo_is_written_by_what_it_can_do(tmp_path: Path) -> None:
    joint = Joint("swing", JointType.REVOLUTE, "base", "upper", actuator=Actuator("XL330-M288"))
    character = arm(joints=(arm().joints[0], joint), bodies=arm().bodies[:2])
    saved = save_urdf(tmp_path / "arm.urdf", character)
    assert load_character(saved).joint("swing").limits[0].torque == joint.limits[0].torque
    said = " ".join(saved.left_out)
    assert "Names and gears of servos are left out" in said and "Torque against speed is left out" in said


def test_floating_robots_float_again(tmp_path: Path) -> None:
    character = arm(joints=arm().joints[1:])
    saved = save_urdf(tmp_path / "arm.urdf", character)
    assert load_character(saved).floats
    assert any("floating joint" in one for one in saved.left_out)


def test_loops_are_written_beside_and_closed_again(tmp_path: Path) -> None:
    saved = save_character(tmp_path / "crank.urdf", load_character("four_bar"))
    assert saved.files == (tmp_path / "crank.urdf", tmp_path / "crank.yaml")
    closures = load_loop_closures(tmp_path / "crank.yaml")
    assert closures.ties == ("6d",) and closures.motors == ("crank_axle",)
    back = load_character(saved)
    assert back.actuated_coordinate_names == ("crank_axle",)
    # once more over the files that are there
    save_character(tmp_path / "crank.urdf", load_character("four_bar"))


def test_other_files_are_never_written_over(tmp_path: Path) -> None:
    own = tmp_path / "crank.yaml"
    save_character(own, load_character("four_bar"))
    before = own.read_bytes()
    with pytest.raises(OptionError, match="where another file stands"):
        convert_file(own, tmp_path / "crank.urdf")
    assert own.read_bytes() == before and list(tmp_path.iterdir()) == [own]


def test_a_loop_file_of_another_robot_is_not_left_beside(tmp_path: Path) -> None:
    save_character(tmp_path / "robot.urdf", load_character("four_bar"))
    before = (tmp_path / "robot.urdf").read_bytes()
    with pytest.raises(OptionError, match="would close loops"):
        save_character(tmp_path / "robot.urdf", arm())
    assert (tmp_path / "robot.urdf").read_bytes() == before


def test_all_files_or_none(tmp_path: Path) -> None:
    first, second = tmp_path / "a.urdf", tmp_path / "a.yaml"
    first.write_text("as it was")
    with pytest.raises(AnimatoError):
        write_together({first: "new", second: "\ud800 cannot be encoded"})
    assert first.read_text() == "as it was" and not second.exists()
    with pytest.raises(AnimatoError):
        write_together({second: "new", tmp_path / "b": "\ud800"})
    assert list(tmp_path.iterdir()) == [first]


def test_shapes_that_urdf_lacks(tmp_path: Path) -> None:
    shapes = (Shape(Capsule(0.1, 0.4)), Shape(Ellipsoid((0.1, 0.2, 0.3))), Shape(Sphere(0.2), colour=(1, 0, 0, 1)))
    saved = save_urdf(tmp_path / "x.urdf", arm(bodies=(Body("base", shapes=shapes), *arm().bodies[1:])))
    assert (tmp_path / "x_ball.stl") in saved.files
    link = next(one for one in load_xml(saved.path).find_all("link") if one.attributes["name"] == "base")
    drawn = [one.children[-1 if one.children[-1].tag == "geometry" else -2] for one in link.find_all("visual")]
    assert [one.children[0].tag for one in drawn] == ["cylinder", "sphere", "sphere", "mesh", "sphere"]
    said = " ".join(saved.left_out)
    assert "Capsules are a cylinder and two balls each" in said and "Ellipsoids are meshes" in said
    back = load_character(saved).body("base")
    mesh = next(shape.geometry for shape in back.shapes if isinstance(shape.geometry, Mesh))
    assert mesh.scale == (0.1, 0.2, 0.3) and Path(mesh.path).is_file()
    assert back.shapes[-1].colour == (1.0, 0.0, 0.0, 1.0)


def test_meshes_are_named_relative_to_the_file(tmp_path: Path) -> None:
    mesh = Shape(Mesh(str(tmp_path / "meshes" / "gone.stl"), (0.001, 0.001, 0.001)))
    saved = save_urdf(tmp_path / "robot" / "x.urdf", arm(bodies=(Body("base", shapes=(mesh,)), *arm().bodies[1:])))
    assert 'filename="../meshes/gone.stl"' in saved.path.read_text()
    assert load_character(saved).body("base").shapes == (mesh,)
    assert any("gone.stl" in one for one in saved.left_out)


def test_end_points_are_links_that_face_forward(tmp_path: Path) -> None:
    point = EndPoint("eye", "lower", Frame((0.1, 0.0, 0.0)), forward=(0.0, 0.0, 1.0), up=(0.0, 1.0, 0.0))
    back = load_character(save_urdf(tmp_path / "x.urdf", arm(end_points=(point,))))
    turn = back.joint("eye.place").frame_parent.transform.rotation
    assert np.allclose(turn[:, 0], (0.0, 0.0, 1.0)) and np.allclose(turn[:, 2], (0.0, 1.0, 0.0))


def test_ranges_open_at_one_side_are_said(tmp_path: Path) -> None:
    joint = Joint("swing", JointType.REVOLUTE, "base", "upper", stated_limits=(Limits(lower=-1.0),))
    saved = save_urdf(tmp_path / "x.urdf", arm(joints=(arm().joints[0], joint), bodies=arm().bodies[:2]))
    assert any("open at a side" in one and "swing" in one for one in saved.left_out)


def test_names_that_xml_cannot_hold_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CharacterError, match="XML cannot hold"):
        save_urdf(tmp_path / "x.urdf", Character("a\x01b", (Body("base"),)))
    saved = save_urdf(tmp_path / "x.urdf", Character('<&">', (Body("base"),)))
    assert load_character(saved).name == '<&">'


def test_angles_come_back_also_where_pitch_is_a_right_angle() -> None:
    rng = np.random.default_rng(1)
    turns = rng.normal(size=(200, 4))
    right = quaternions.quaternion_about((0.0, 1.0, 0.0), 0.5 * np.pi)
    turns[:100] = quaternions.multiply(right, quaternions.quaternion_about((1.0, 0.0, 0.0), rng.normal(size=100)))
    turns[:50] = turns[:50] + 1e-9 * rng.normal(size=(50, 4))
    for turn in quaternions.normalized(turns):
        angles = roll_pitch_yaw(RigidTransform((0.0, 0.0, 0.0), turn))
        text = " ".join(repr(float(angle)) for angle in angles)
        read = frame_of_origin(XmlElement("origin", {"rpy": text}, 1), XmlValues("x.urdf"))
        assert float(quaternions.angle_between(read.quaternion_wxyz, turn)) < 1e-14


def test_axes_that_would_have_one_name_are_refused(tmp_path: Path) -> None:
    ball = Joint("neck", JointType.SPHERICAL, "base", "upper")
    hinge = Joint("neck.x", JointType.REVOLUTE, "upper", "lower")
    with pytest.raises(CharacterError, match=r"would be written as 'neck\.x'"):
        save_urdf(tmp_path / "x.urdf", arm(joints=(arm().joints[0], ball, hinge)))
    assert list(tmp_path.iterdir()) == []


def test_loops_are_cut_where_least_is_lost(tmp_path: Path) -> None:
    """A ball is cut rather than a hinge, and a bare hinge rather than a limited one or a motor."""
    bar = load_character("four_bar")
    for name in ("crank_pin", "rocker_axle"):
        joints = tuple(replace(one, stated_limits=()) if one.name == name else one for one in bar.joints)
        limited = (Limits(-3.0, 3.0),)
        joints = tuple(
            replace(one, stated_limits=limited) if one.type is JointType.REVOLUTE and one.name != name else one
            for one in joints
        )
        saved = save_urdf(tmp_path / f"{name}.urdf", replace(bar, joints=joints))
        assert any(f"loops are cut at 1 ({name})" in one for one in saved.left_out)
