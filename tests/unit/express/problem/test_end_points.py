"""End-points of robots whose files have none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.cli import run
from animato.errors import CharacterError, OptionError, UnknownNameError
from animato.express import Options, build
from animato.express.facing import solve_facing
from animato.express.problem.end_points import with_end_points
from animato.formats import load_character
from animato.mechanics.tree.kinematics.chains import tip_orientations
from animato.spatial import quaternions

AXES = ("0 0 1", "0 1 0", "0 1 0", "1 0 0")


@pytest.fixture
def urdf(tmp_path: Path) -> Path:
    """An arm whose tool is a link without mass, turned by a quarter about y: its z points along the arm."""
    inertial = '<inertial><mass value="0.2"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3"/></inertial>'
    links = [
        '<link name="base"/>',
        *(f'<link name="link_{n}">{inertial}</link>' for n in range(4)),
        '<link name="tool"/>',
    ]
    joints = [
        f'''<joint name="joint_{n}" type="revolute"><parent link="{f"link_{n - 1}" if n else "base"}"/>
        <child link="link_{n}"/><origin xyz="{0.2 if n else 0} 0 0"/><axis xyz="{axis}"/>
        <limit lower="-2" upper="2" effort="20" velocity="3"/></joint>'''
        for n, axis in enumerate(AXES)
    ]
    flange = """<joint name="flange" type="fixed"><parent link="link_3"/><child link="tool"/>
        <origin xyz="0.1 0 0" rpy="0 1.5707963267948966 0"/></joint>"""
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="arm">{"".join(links)}{"".join(joints)}{flange}</robot>', encoding="utf-8")
    return path


def test_a_link_of_a_urdf_robot_faces(urdf: Path) -> None:
    options = Options(end_point="tool", forward="z", up="-x")
    problem = build(load_character(urdf), {"joint_1": -0.6, "joint_2": 0.9}, options=options)
    assert problem.character.end_point("tool").body == "tool"
    assert problem.names == tuple(f"joint_{n}" for n in range(4))
    wanted = quaternions.quaternion_about((0.0, 0.0, 1.0), 0.7)  # the arm's own x, turned
    turned = quaternions.multiply(wanted, quaternions.quaternion_about((0.0, 1.0, 0.0), np.pi / 2))
    solved = solve_facing(problem.facing(), turned)
    got = tip_orientations(problem.chain, solved.positions[None])[0]
    assert abs(float(np.dot(got, turned))) == pytest.approx(1.0, abs=1e-6)
    ahead = quaternions.rotate(got, np.array(problem.character.end_point("tool").forward))
    np.testing.assert_allclose(ahead, (np.cos(0.7), np.sin(0.7), 0.0), atol=1e-3)


def test_no_end_point_says_what_could_be_one(urdf: Path) -> None:
    with pytest.raises(CharacterError, match=r"no end-point .*`end_point`.*base, link_0, .*tool\."):
        build(urdf, {})
    with pytest.raises(UnknownNameError, match="Did you mean 'tool'"):
        build(urdf, {}, options=Options(end_point="tol"))


def test_directions_hold_for_what_is_made_and_the_most_important(urdf: Path) -> None:
    options = Options(end_point="tool", also_facing=("link_2",), forward="y")
    character, names = with_end_points(load_character(urdf), options)
    assert names == ("tool", "link_2")
    assert [one.forward for one in character.end_points] == [(0, 1, 0), (0, 1, 0)]
    again, _ = with_end_points(character, Options(end_point="tool", also_facing=("link_2",), forward="x"))
    assert [one.forward for one in again.end_points] == [(1, 0, 0), (0, 1, 0)]
    with pytest.raises(CharacterError, match="tool, link_2; say which one"):
        with_end_points(character, Options())


def test_a_site_of_an_mjcf_robot_faces_in_its_own_frame(tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    path = tmp_path / "arm.xml"
    bodies = "".join(
        f'<body name="b{n}" pos="0.2 0 0"><joint name="j{n}" axis="{axis}" range="-2 2"/><geom size="0.02"/>'
        for n, axis in enumerate(AXES)
    )
    site = '<site name="pinch" pos="0.1 0 0" euler="0 90 0"/>'
    inside = f'<compiler angle="degree"/><worldbody>{bodies}{site}{"</body>" * 4}</worldbody>'
    path.write_text(f"<mujoco>{inside}</mujoco>", encoding="utf-8")
    problem = build(path, {}, options=Options(end_point="pinch", forward="z"))
    tip = problem.character.end_point("pinch")
    assert (tip.body, tip.frame.position, tip.up) == ("b3", (0.1, 0.0, 0.0), (1, 0, 0))
    at_rest = tip_orientations(problem.chain, np.zeros((1, 4)))[0]
    np.testing.assert_allclose(quaternions.rotate(at_rest, np.array(tip.forward)), (1, 0, 0), atol=1e-12)


def test_an_empty_xform_of_a_usd_robot_can_be_named(tmp_path: Path) -> None:
    pytest.importorskip("pxr")
    body = """
def Xform "b{n}" (prepend apiSchemas = ["PhysicsRigidBodyAPI"])
{{
    double3 xformOp:translate = ({x}, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    {inside}
}}"""
    joint = """
def PhysicsRevoluteJoint "j{n}"
{{
    rel physics:body0 = </r/b{n}>
    rel physics:body1 = </r/b{next}>
    uniform token physics:axis = "{axis}"
    point3f physics:localPos0 = (0.2, 0, 0)
}}"""
    on_tip = """
    def Xform "tool"
    {
        double3 xformOp:translate = (0.1, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def Xform "visuals"
    {
        def Sphere "ball"
        {
            double radius = 0.01
        }
    }"""
    parts = [body.format(n=n, x=0.2 * n, inside=on_tip if n == 2 else "") for n in range(3)]
    parts += [joint.format(n=n, next=n + 1, axis="ZY"[n]) for n in range(2)]
    path = tmp_path / "arm.usda"
    head = '#usda 1.0\n(\ndefaultPrim = "r"\nupAxis = "Z"\nmetersPerUnit = 1\n)\n'
    path.write_text(f'{head}def Xform "r"\n{{\n{"".join(parts)}\n}}\n', encoding="utf-8")
    character = load_character(path, base="ground")
    assert [(one.name, one.body) for one in character.markers] == [("tool", "b2")]  # visuals hold something
    np.testing.assert_allclose(character.markers[0].position, (0.1, 0, 0), atol=1e-7)
    assert build(character, {}, options=Options(end_point="tool")).names == ("j0", "j1")


@pytest.mark.parametrize("given", ["w", "", (1.0, 2.0), (0.0, 0.0, 0.0), 3, ("x", "y", "z")])
def test_directions_are_checked_with_the_options(given: Any) -> None:
    for name in ("forward", "up"):
        with pytest.raises(OptionError, match=f"^`{name}` must be .*, not .*\\.$"):
            Options(**{name: given})


def test_directions_may_be_arrays() -> None:
    assert Options(forward=np.array([0, 1, 0])).forward == (0.0, 1.0, 0.0)  # type: ignore[arg-type]


def test_the_command_line_names_a_link_and_its_axes(urdf: Path) -> None:
    named = ["--end-point", "tol", "--forward", "-y", "--up", "0", "0", "1"]
    with pytest.raises(UnknownNameError, match="Did you mean 'tool'"):
        run(["express", str(urdf), "--posture", "none", *named])


def test_a_robot_without_postures_holds_the_neutral_one(urdf: Path) -> None:
    text = urdf.read_text(encoding="utf-8").replace('lower="-2"', 'lower="0.3"', 1)
    urdf.write_text(text, encoding="utf-8")
    problem = build(urdf, "neutral", options=Options(end_point="tool"))
    assert problem.held.tolist() == [0.3, 0.0, 0.0, 0.0]  # the range of the first begins there
    with pytest.raises(UnknownNameError, match="Postures: neutral"):
        build(urdf, "proud", options=Options(end_point="tool"))
