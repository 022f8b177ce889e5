"""The reader of URDF files."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Coupling, JointRole, JointType
from animato.character.limits import Limits
from animato.character.mass_properties import mass_properties_of
from animato.character.shape import Box, Capsule, Cylinder, Mesh, Shape, Sphere
from animato.character.structure.topology import topology_of
from animato.errors import AnimatoError, FileFormatError, OptionError
from animato.formats.urdf.reader import load_urdf
from animato.mechanics.tree.kinematics import forward_kinematics
from animato.motion.clip import Clip

MASS = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'


def robot(tmp_path: Path, inside: str, **options: object) -> Character:
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="crane">\n{inside}\n</robot>', encoding="utf-8")
    return load_urdf(path, **options)


def joint(name: str, kind: str, parent: str, child: str, inside: str = "") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>\n'


def links(*names: str, inside: str = "") -> str:
    return "".join(f'<link name="{name}">{inside}</link>\n' for name in names)


def two(kind: str, inside: str = "") -> str:
    return links("a", "b", inside=MASS) + joint("j", kind, "a", "b", inside)


def test_inertia_is_turned_into_the_axes_of_the_link(tmp_path: Path):
    inside = """<link name="a"><inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/><mass value="2"/>
        <inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="2.5"/></inertial></link>"""
    body = robot(tmp_path, inside).body("a")
    assert body.mass == 2.0
    assert body.centre == (1.0, 2.0, 3.0)
    np.testing.assert_allclose(body.inertia, (2, 1, 2.5, -0.1, -0.3, 0.2), atol=1e-12)


def test_inertia_that_is_not_turned_is_kept_bit_for_bit(tmp_path: Path):
    inertia = '<inertia ixx="0.1" ixy="0.01" ixz="0.02" iyy="0.2" iyz="0.03" izz="0.25"/>'
    inside = f'<link name="a"><inertial><mass value="0.3"/>{inertia}</inertial></link>'
    assert robot(tmp_path, inside).body("a").inertia == (0.1, 0.2, 0.25, 0.01, 0.02, 0.03)


def test_a_link_without_inertial_is_massless(tmp_path: Path):
    body = robot(tmp_path, links("a")).body("a")
    assert body == Body("a")
    assert mass_properties_of(body).mass == 0.0


def test_shapes_with_colours_and_what_is_drawn_and_collides_alike_once(tmp_path: Path):
    inside = """
    <link name="a">
      <visual><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
      <collision><origin xyz="0 0 1"/><geometry><box size="1 2 3"/></geometry></collision>
      <visual><geometry><sphere radius="1"/></geometry><material name="x"><color rgba="0 2 -1 0.5"/></material></visual>
      <visual><geometry><capsule radius="1" length="2"/></geometry><material name="unknown"/></visual>
      <collision><geometry><cylinder radius="1" length="2"/></geometry></collision>
      <visual><!-- a comment --><geometry><mesh filename="m.stl" scale="2"/></geometry></visual>
    </link>
    <material name="red"><color rgba="0.9 0.1 0 1"/></material>"""
    assert robot(tmp_path, inside).body("a").shapes == (
        Shape(Box((1, 2, 3)), Frame((0, 0, 1)), (0.9, 0.1, 0.0, 1.0)),
        Shape(Sphere(1), colour=(0.0, 1.0, 0.0, 0.5), collision=False),
        Shape(Capsule(1, 2), collision=False),
        Shape(Mesh(str(tmp_path / "m.stl"), (2, 2, 2)), collision=False),
        Shape(Cylinder(1, 2), visual=False),
    )


def test_a_joint_with_everything(tmp_path: Path):
    inside = two(
        "revolute",
        '<origin xyz="1 2 3" rpy="0 0 3.141592653589793"/><axis xyz="0 0 2"/>'
        '<limit lower="-1" upper="2" effort="3" velocity="4"/><dynamics damping="0.1" friction="0.2"/>',
    )
    found = robot(tmp_path, inside).joint("j")
    assert found.type is JointType.REVOLUTE
    assert found.role is JointRole.ACTUATED
    assert found.frame_parent.position == (1.0, 2.0, 3.0)
    np.testing.assert_allclose(found.frame_parent.quaternion_wxyz, (0, 0, 0, 1), atol=1e-15)
    assert found.axis == (0.0, 0.0, 1.0)
    assert found.stated_limits == (Limits(-1, 2, velocity=4, torque=3),)
    assert (found.damping, found.friction) == (0.1, 0.2)


@pytest.mark.parametrize(
    ("kind", "inside", "limits"),
    [
        ("revolute", "", ()),
        ("revolute", "<limit/>", ()),
        ("revolute", '<limit effort="0" velocity="0"/>', ()),
        ("revolute", '<limit lower="0" upper="0"/>', (Limits(0, 0),)),
        ("revolute", '<limit lower="-inf" upper="inf" effort="inf" velocity="1"/>', (Limits(velocity=1),)),
        ("continuous", '<limit lower="0" upper="0" effort="2" velocity="0"/>', (Limits(torque=2),)),
        ("prismatic", '<limit lower="0" upper="1"/>', (Limits(0, 1),)),
    ],
)
def test_limits_that_are_not_known_are_left_out(tmp_path: Path, kind: str, inside: str, limits: tuple[Limits, ...]):
    assert robot(tmp_path, two(kind, inside)).joint("j").stated_limits == limits


def test_mimics_follow_the_leader_of_their_leader(tmp_path: Path):
    inside = links("a", "b", "c", "d", "e", "f")
    inside += joint("lead", "revolute", "a", "b")
    inside += joint("second", "revolute", "a", "c", '<mimic joint="lead" multiplier="2" offset="0.1"/>')
    inside += joint("third", "prismatic", "a", "d", '<mimic joint="second" multiplier="-3" offset="0.2"/>')
    inside += joint("stiff", "fixed", "a", "e", '<mimic joint="lead"/>')
    inside += joint("set", "revolute", "a", "f", '<mimic joint="stiff" multiplier="5" offset="0.7"/>')
    character = robot(tmp_path, inside)
    assert character.joint("second").coupling == Coupling("lead", 2.0, 0.1)
    third = character.joint("third").coupling
    assert third is not None
    assert (third.leader, third.ratio) == ("lead", -6.0)
    assert third.offset == pytest.approx(-3 * 0.1 + 0.2, abs=1e-15)
    assert character.joint("stiff").coupling is None
    assert character.joint("set").role is JointRole.CONFIGURABLE
    assert character.coordinate_names == ("lead",)


@pytest.mark.parametrize("axis", ["0 0 1", "1 0 0", "1 2 -1"])
def test_a_planar_joint_moves_in_its_plane_and_turns_about_its_normal(tmp_path: Path, axis: str):
    character = robot(tmp_path, two("planar", f'<origin xyz="0 0 1"/><axis xyz="{axis}"/>'))
    assert character.coordinate_names == ("j.x", "j.y", "j.turn")
    normal = np.array([float(word) for word in axis.split()])
    normal /= np.linalg.norm(normal)
    clip = Clip(np.array([0.0, 1.0]), character.coordinate_names, np.array([[0, 0, 0], [0.3, 0.4, 0.5]]))
    pose = forward_kinematics(character, clip).of("b")
    moved = pose.position[1] - pose.position[0]
    assert np.linalg.norm(moved) == pytest.approx(0.5, abs=1e-12)
    assert moved @ normal == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(pose.rotation[1] @ normal, normal, atol=1e-12)
    assert np.trace(pose.rotation[1]) == pytest.approx(1 + 2 * math.cos(0.5), abs=1e-12)
    if axis == "0 0 1":
        np.testing.assert_allclose(moved, (0.3, 0.4, 0), atol=1e-12)


def test_a_floating_joint_inside_a_robot_slides_and_turns(tmp_path: Path):
    character = robot(tmp_path, two("floating"))
    assert character.coordinate_names == tuple(
        f"j.{end}" for end in ("position.x", "position.y", "position.z")
    ) + tuple(f"j.orientation.{end}" for end in ("qw", "qx", "qy", "qz"))
    assert not character.floats


FEET = links("hip", "left_foot", "right_foot") + joint("l", "revolute", "hip", "left_foot")
FEET += joint("r", "revolute", "hip", "right_foot")
ARM = links("stand", "arm") + joint("j", "revolute", "stand", "arm")


@pytest.mark.parametrize(
    ("inside", "base", "floats"),
    [
        (ARM, "auto", False),
        (ARM, "ground", False),
        (ARM, "float", True),
        (FEET, "auto", True),
        (FEET, "ground", False),
        (FEET, "float", True),
        (links("world") + joint("w", "fixed", "world", "hip") + FEET, "auto", False),
        (links("world") + joint("w", "fixed", "world", "hip") + FEET, "float", True),
        (links("world") + joint("w", "floating", "world", "stand") + ARM, "auto", True),
        (links("world") + joint("w", "floating", "world", "stand") + ARM, "ground", False),
        (links("odom") + joint("w", "floating", "odom", "stand") + ARM, "auto", True),
        (links("world") + joint("w", "revolute", "world", "hip") + FEET, "auto", False),
    ],
)
def test_what_holds_the_robot(tmp_path: Path, inside: str, base: str, floats: bool):
    character = robot(tmp_path, inside, base=base)
    assert character.floats is floats
    assert "world" not in [body.name for body in character.bodies]
    topology_of(character)


def test_a_chain_of_ankles_is_one_foot(tmp_path: Path):
    inside = links("hip", "ankle_pitch", "ankle_roll") + joint("p", "revolute", "hip", "ankle_pitch")
    inside += joint("r", "revolute", "ankle_pitch", "ankle_roll")
    assert not robot(tmp_path, inside).floats


def test_joints_of_the_world_become_ground_joints_where_they_are(tmp_path: Path):
    inside = links("world") + joint("w", "fixed", "world", "stand", '<origin xyz="1 2 3"/>') + ARM
    character = robot(tmp_path, inside)
    assert character.joint("w").type is JointType.GROUND
    assert character.joint("w").frame_parent == Frame((1, 2, 3))
    assert [body.name for body in character.bodies] == ["stand", "arm"]


def test_a_world_that_holds_moving_joints_stays_as_a_body(tmp_path: Path):
    inside = links("world", "cart") + joint("rail", "prismatic", "world", "cart")
    character = robot(tmp_path, inside)
    assert [body.name for body in character.bodies] == ["world_link", "cart"]
    assert character.joint("ground").child == "world_link"


def test_package_addresses_are_looked_for_in_the_folders_above_and_in_package_dirs(tmp_path: Path):
    package = tmp_path / "crane_description"
    for name in ("urdf", "meshes"):
        (package / name).mkdir(parents=True)
    (package / "meshes" / "a.stl").touch()
    other = tmp_path / "elsewhere" / "parts" / "b.stl"
    other.parent.mkdir(parents=True)
    other.touch()
    names = [
        "package://crane_description/meshes/a.stl",
        "package://parts/b.stl",
        "package://gone/c.stl",
        "../meshes/a.stl",
        "file:///robots/d%20e.stl",
        "https://example.com/f.stl",
    ]
    shapes = "".join(f'<visual><geometry><mesh filename="{name}"/></geometry></visual>' for name in names)
    character = robot(package / "urdf", f'<link name="a">{shapes}</link>', package_dirs=[tmp_path / "elsewhere"])
    assert [shape.geometry.path for shape in character.body("a").shapes] == [
        str(package / "meshes" / "a.stl"),
        str(other),
        "package://gone/c.stl",
        str(package / "meshes" / "a.stl"),
        "/robots/d e.stl",
        "https://example.com/f.stl",
    ]


RING = joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a")
SHARED_CHILD = links("a", "b", "c") + joint("j", "fixed", "a", "c") + joint("k", "fixed", "b", "c")


def drawn(geometry: str) -> str:
    return links("a", inside=f"<visual><geometry>{geometry}</geometry></visual>")


WRONG = {
    "no links": ("", 1, "the robot has no <link>"),
    "link name": ("<link/>", 2, "<link> has no 'name'"),
    "twice": (links("a", "a"), 3, "link 'a' stands twice, first on line 2"),
    "joint twice": (links("a", "b") + joint("j", "fixed", "a", "b") * 2, 5, "joint 'j' stands twice"),
    "type": (two("hinge"), 4, "joint 'j': the type 'hinge' is not known. Allowed: revolute, continuous"),
    "no type": (links("a", "b") + '<joint name="j"/>', 4, "joint 'j': <joint> has no 'type'"),
    "no child": (links("a") + '<joint name="j" type="fixed"><parent link="a"/></joint>', 3, "it has no <child>"),
    "reference": (links("arm") + joint("j", "fixed", "arm", "am"), 3, "Link 'am' is not in 'the file'. Did you mean"),
    "itself": (links("a") + joint("j", "fixed", "a", "a"), 3, "connects link 'a' with itself"),
    "two parents": (SHARED_CHILD, 6, "already hangs on joint 'j'. A URDF file is a tree"),
    "circle": (links("a", "b") + RING, 1, "in a circle"),
    "lost circle": (links("r", "a", "b") + RING, 3, "in a circle: a, b"),
    "two roots": (links("a", "b"), 3, r"there are 2 roots \(a, b\); connect them"),
    "zero axis": (two("revolute", '<axis xyz="0 0 0"/>'), 4, "joint 'j': The axis of joint 'j' must not be zero"),
    "number": (two("revolute", '<axis xyz="0 0 up"/>'), 4, "joint 'j': <axis xyz=\"0 0 up\"> must be 3 numbers"),
    "nan": (two("revolute", '<origin xyz="0 0 nan"/>'), 4, "<origin xyz=\"0 0 nan\"> must be 3 numbers"),
    "huge": (two("revolute", '<origin xyz="0 0 1e300"/>'), 4, "of a possible size"),
    "count": (two("revolute", '<origin rpy="0 0"/>'), 4, "<origin rpy=\"0 0\"> must be 3 numbers"),
    "reversed limits": (two("revolute", '<limit lower="1" upper="0"/>'), 4, "The limits are reversed"),
    "negative effort": (two("revolute", '<limit effort="-1"/>'), 4, "The torque limit must be greater than 0"),
    "negative damping": (two("revolute", '<dynamics damping="-1"/>'), 4, "must not be negative"),
    "unknown leader": (two("revolute", '<mimic joint="k"/>'), 4, "joint 'j': Joint 'k' is not in 'the file'"),
    "mimics itself": (two("revolute", '<mimic joint="j"/>'), 4, "it mimics itself"),
    "negative mass": (links("a", inside=MASS.replace('"1"', '"-1"', 1)), 2, "link 'a': The mass of body 'a' must not"),
    "no mass": (links("a", inside="<inertial/>"), 2, "link 'a': <inertial> has no <mass>"),
    "no inertia": (links("a", inside='<inertial><mass value="1"/></inertial>'), 2, "<inertial> has no <inertia>"),
    "half an inertia": (links("a", inside=MASS.replace('ixx="1" ', "")), 2, "link 'a': <inertia> has no 'ixx'"),
    "impossible inertia": (links("a", inside=MASS.replace('ixx="1"', 'ixx="-1"')), 2, "has a negative moment"),
    "no geometry": (links("a", inside="<visual/>"), 2, "<visual> has no geometry"),
    "geometry": (drawn("<cone/>"), 2, "geometry <cone> is not known. Allowed"),
    "flat box": (drawn('<box size="1 1 0"/>'), 2, "must be greater than 0"),
    "no file": (drawn("<mesh/>"), 2, "<mesh> has no 'filename'"),
    "xacro": ('<xacro:macro name="x"/>', 2, "this is a xacro file; expand it first"),
    "open": ("<link", 3, "not well-formed XML"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, case: str):
    inside, line, message = WRONG[case]
    with pytest.raises(FileFormatError, match=message) as caught:
        robot(tmp_path, inside)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


def test_entities_are_refused_and_nothing_else_is_read(tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    path = tmp_path / "robot.urdf"
    path.write_text(f'<!DOCTYPE r [<!ENTITY x SYSTEM "{secret}">]><robot name="&x;"><link name="a"/></robot>')
    with pytest.raises(FileFormatError, match="it declares the entity 'x'"):
        load_urdf(path)


def test_other_files_and_options_are_explained(tmp_path: Path):
    path = tmp_path / "robot.urdf"
    path.write_text("<mujoco/>")
    with pytest.raises(FileFormatError, match=r"starts with <robot>, not with <mujoco>\. It is a MuJoCo"):
        load_urdf(path)
    path.write_text('<robot name="x"><link name="a">')
    with pytest.raises(FileFormatError, match="the file ends before its last element is closed"):
        load_urdf(path)
    path.write_text("<a>" * 300)
    with pytest.raises(FileFormatError, match="nested more than 200 levels deep"):
        load_urdf(path)
    with pytest.raises(OptionError, match="one of auto, ground, float, not 'sky'"):
        load_urdf(path, base="sky")
    with pytest.raises(AnimatoError, match="no such file"):
        load_urdf(tmp_path / "none.urdf")


@pytest.mark.parametrize(
    ("name", "joint_count", "floats", "mass"),
    [
        ("g1/g1_29dof_rev_1_0.urdf", 29, True, 33.34),
        ("tx90l/tx90l.urdf", 6, False, None),
        ("hrp4c/HRP4Cmain.urdf", 42, True, None),
    ],
)
def test_real_robots(shared_data: Path, name: str, joint_count: int, floats: bool, mass: float | None):
    character = load_urdf(shared_data / "robots" / name)
    assert len(character.coordinate_names) == joint_count
    assert character.floats is floats
    if mass is not None:
        total = sum(mass_properties_of(body).mass for body in character.bodies)
        assert total == pytest.approx(mass, abs=0.01)
