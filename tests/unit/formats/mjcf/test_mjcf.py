"""The reader of MJCF files."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from animato.character.character import Character
from animato.character.joint import JointRole, JointType
from animato.character.landmarks import Marker, NamedPosture
from animato.character.limits import Limits
from animato.character.shape import Box, Capsule, Cylinder, Ellipsoid, Mesh, Sphere
from animato.character.structure.rest_pose import rest_poses, rest_stands
from animato.character.structure.topology import topology_of
from animato.errors import FileFormatError, MissingDependencyError
from animato.formats.mjcf.reader import load_mjcf

mujoco = pytest.importorskip("mujoco")

INERTIAL = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


def model(tmp_path: Path, inside: str, name: str = "bird") -> Character:
    path = tmp_path / "model.xml"
    path.write_text(f'<mujoco model="{name}">\n{inside}\n</mujoco>', encoding="utf-8")
    return load_mjcf(path)


def world(inside: str) -> str:
    return f"<worldbody>{inside}</worldbody>"


def body(name: str, inside: str = "", joint: str = "") -> str:
    return f'<body name="{name}">{joint}<geom size="0.1"/>{inside}</body>'


ARM = world(body("arm", body("hand", joint='<joint name="wrist"/>'), '<joint name="shoulder" axis="0 1 0"/>'))


def test_shapes_have_full_sizes_colours_and_flags(tmp_path: Path):
    geoms = """
      <geom type="box" size="1 2 3" rgba="0.1 0.2 0.3 0.4"/>
      <geom type="sphere" size="1" group="3"/>
      <geom type="ellipsoid" size="1 2 3" contype="0" conaffinity="0"/>
      <geom type="cylinder" size="1 2" material="gold"/>
      <geom type="capsule" size="1 2" pos="1 0 0" euler="90 0 0"/>"""
    asset = '<asset><material name="gold" rgba="1 0.8 0 1" texture="t"/><texture name="t" file="no.png"/></asset>'
    shapes = model(tmp_path, asset + world(f'<body name="a">{geoms}</body>')).body("a").shapes
    kinds = [Box((2, 4, 6)), Sphere(1), Ellipsoid((1, 2, 3)), Cylinder(1, 4), Capsule(1, 4)]
    assert [shape.geometry for shape in shapes] == kinds
    assert shapes[0].colour == (0.1, 0.2, 0.3, 0.4)
    assert shapes[3].colour == (1.0, 0.8, 0.0, 1.0)
    assert [shape.visual for shape in shapes] == [True, False, True, True, True]
    assert [shape.collision for shape in shapes] == [True, True, False, True, True]
    assert shapes[4].frame.position == (1.0, 0.0, 0.0)
    half = math.sqrt(0.5)
    np.testing.assert_allclose(shapes[4].frame.quaternion_wxyz, (half, half, 0, 0), atol=1e-15)


def test_several_joints_on_a_body_become_a_chain_of_massless_bodies(tmp_path: Path):
    joints = '<joint name="a" type="slide"/><joint name="b" axis="0 1 0"/><joint name="c" type="ball"/>'
    character = model(tmp_path, world(body("base", body("arm", joint=joints))))
    assert [one.name for one in character.bodies] == ["base", "arm", "arm.a", "arm.b"]
    assert [one.mass for one in character.bodies][2:] == [None, None]
    links = [(joint.type.value, joint.parent, joint.child) for joint in character.joints]
    assert links == [
        ("ground", "world", "base"),
        ("prismatic", "base", "arm.a"),
        ("revolute", "arm.a", "arm.b"),
        ("spherical", "arm.b", "arm"),
    ]


def test_a_free_joint_lets_the_character_float_and_scenery_is_left_out(tmp_path: Path):
    scene = world(
        '<geom type="plane" size="1 1 1"/><body name="table"><geom size="1"/></body>'
        + body("bird", joint="<freejoint/>")
    )
    character = model(tmp_path, scene)
    assert character.floats
    assert [one.name for one in character.bodies] == ["bird"]
    assert character.joints == ()


def test_joints_on_the_world_hang_on_a_body_that_stands_for_it(tmp_path: Path):
    character = model(tmp_path, ARM)
    assert [one.name for one in character.bodies] == ["base", "arm", "hand"]
    assert character.joint("base.ground").child == "base"
    assert character.joint("shoulder").parent == "base"


def test_limits_damping_friction_and_armature(tmp_path: Path):
    joint = '<joint name="j" range="-30 60" damping="0.1" frictionloss="0.2" armature="0.3"/>'
    found = model(tmp_path, world(body("a", body("b", joint=joint)))).joint("j")
    (limits,) = found.stated_limits
    assert (limits.lower, limits.upper) == pytest.approx((math.radians(-30), math.radians(60)), abs=1e-15)
    assert (found.damping, found.friction, found.armature) == (0.1, 0.2, 0.3)


@pytest.mark.parametrize(
    ("actuators", "torque"),
    [
        ('<motor joint="wrist" ctrlrange="-2 1"/>', 2.0),
        ('<motor joint="wrist" ctrlrange="-2 1" gear="-10"/>', 20.0),
        ('<motor joint="wrist" ctrlrange="-9 9" forcerange="-2 3" gear="10"/>', 30.0),
        ('<position joint="wrist" kp="5" forcerange="-4 4"/>', 4.0),
        ('<position joint="wrist" kp="5" ctrlrange="-4 4"/>', None),
        ('<motor joint="wrist" ctrlrange="-1 1"/><motor joint="wrist" ctrlrange="-2 2"/>', 3.0),
        ('<motor joint="wrist"/>', None),
    ],
)
def test_actuators_give_torque_limits_and_roles(tmp_path: Path, actuators: str, torque: float | None):
    character = model(tmp_path, ARM + f"<actuator>{actuators}</actuator>")
    wrist = character.joint("wrist")
    assert wrist.role is JointRole.ACTUATED
    assert character.joint("shoulder").role is JointRole.PASSIVE
    assert wrist.stated_limits == (() if torque is None else (Limits(torque=torque),))


def test_the_force_range_of_a_joint_counts_too(tmp_path: Path):
    joint = '<joint name="j" actuatorfrcrange="-1.5 1.5"/>'
    inside = world(body("a", body("b", joint=joint))) + '<actuator><motor joint="j" ctrlrange="-2 2"/></actuator>'
    assert model(tmp_path, inside).joint("j").stated_limits == (Limits(torque=1.5),)


def test_joints_on_a_driven_tendon_are_actuated(tmp_path: Path):
    inside = ARM + '<tendon><fixed name="t"><joint joint="wrist" coef="1"/></fixed></tendon>'
    character = model(tmp_path, inside + '<actuator><motor tendon="t"/></actuator>')
    assert character.joint("wrist").role is JointRole.ACTUATED
    assert character.joint("shoulder").role is JointRole.PASSIVE


def test_without_actuators_every_joint_is_actuated(tmp_path: Path):
    assert model(tmp_path, ARM).joint("wrist").role is JointRole.ACTUATED


def test_a_linear_equality_of_joints_is_a_coupling_about_the_reference(tmp_path: Path):
    inside = ARM.replace('name="wrist"', 'name="wrist" ref="10"').replace('name="shoulder"', 'name="shoulder" ref="20"')
    equality = '<equality><joint joint1="wrist" joint2="shoulder" polycoef="0.1 2 0 0 0"/></equality>'
    wrist = model(tmp_path, inside + equality).joint("wrist")
    assert wrist.coupling is not None
    assert (wrist.coupling.leader, wrist.coupling.ratio) == ("shoulder", 2.0)
    expected = math.radians(10) + 0.1 - 2 * math.radians(20)
    assert wrist.coupling.offset == pytest.approx(expected, abs=1e-15)


def test_an_equality_of_one_joint_sets_it(tmp_path: Path):
    character = model(tmp_path, ARM + '<equality><joint joint1="wrist" polycoef="0.3 0 0 0 0"/></equality>')
    assert character.joint("wrist").role is JointRole.CONFIGURABLE
    assert character.joint("wrist").configuration == (0.3,)


def test_inactive_equalities_do_not_count(tmp_path: Path):
    equality = '<equality><joint joint1="wrist" joint2="shoulder" active="false" polycoef="0 1 1 1 1"/></equality>'
    assert model(tmp_path, ARM + equality).joint("wrist").coupling is None


FOUR_BAR = """
<worldbody>
  <body name="left" pos="0 0 0.1"><joint name="l" axis="0 1 0"/><geom size="0.1"/>
    <site name="s" pos="0 0 1" euler="0 30 0"/>
    <body name="bar" pos="0 0 1"><joint name="b" axis="0 1 0"/><geom size="0.1"/></body></body>
  <body name="right" pos="1 0 0.2" euler="10 20 30"><joint name="r" axis="0 1 0"/><geom size="0.1"/><site name="t"/>
  </body>
</worldbody>"""


@pytest.mark.parametrize(
    ("equality", "kind"),
    [
        ('<connect body1="bar" body2="right" anchor="0.3 0.2 0.1"/>', JointType.SPHERICAL),
        ('<weld body1="bar" body2="right"/>', JointType.FIXED),
        ('<weld body1="bar" body2="right" anchor="0.1 0.2 0.3" relpose="1 2 3 0.5 0.5 0.5 0.5"/>', JointType.FIXED),
        ('<weld site1="s" site2="t"/>', JointType.FIXED),
        ('<connect site1="s" site2="t"/>', JointType.SPHERICAL),
        ('<connect body1="right" anchor="0.3 0.2 0.1"/>', JointType.SPHERICAL),
    ],
)
def test_connect_and_weld_close_loops_where_mujoco_says(tmp_path: Path, equality: str, kind: JointType):
    inside = f"{FOUR_BAR}<equality>{equality}</equality>"
    character = model(tmp_path, inside)
    closing = character.joints[-1]
    assert closing.type is kind
    assert closing.role is JointRole.PASSIVE
    assert topology_of(character).loop_joints == (closing,)
    # MuJoCo's own residual of the constraint at a random pose is the distance of the two frames.
    arrays = mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    data = mujoco.MjData(arrays)
    data.qpos[:] = np.random.default_rng(3).uniform(-1, 1, arrays.nq)
    mujoco.mj_forward(arrays, data)

    def placed(name: str, point: tuple[float, ...]) -> np.ndarray:
        index = 0 if name == "base" else arrays.body(name).id
        return data.xpos[index] + data.xmat[index].reshape(3, 3) @ np.array(point)

    gap = placed(closing.parent, closing.frame_parent.position) - placed(closing.child, closing.frame_child.position)
    assert np.linalg.norm(gap) == pytest.approx(np.linalg.norm(data.efc_pos[:3]), abs=1e-10)
    if kind is JointType.FIXED:
        turns = [
            data.xmat[arrays.body(name).id].reshape(3, 3) @ frame.transform.rotation
            for name, frame in ((closing.parent, closing.frame_parent), (closing.child, closing.frame_child))
        ]
        sine = np.linalg.norm(data.efc_pos[3:6])  # vector part of the quaternion between them
        cosine = 2.0 * (1.0 - sine**2) - 1.0
        assert (np.trace(turns[0].T @ turns[1]) - 1.0) / 2.0 == pytest.approx(cosine, abs=1e-10)


def test_with_loops_zero_is_the_reference_pose_in_which_mujoco_closes_them(tmp_path: Path):
    inside = FOUR_BAR.replace('name="l"', 'name="l" ref="30" range="-10 50"').replace('name="b"', 'name="b" ref="-20"')
    inside += '<equality><connect body1="bar" body2="right" anchor="0.3 0.2 0.1"/></equality>'
    character = model(tmp_path, inside)
    (stand,) = rest_stands(character).values()
    assert stand.distance < 1e-12
    (limits,) = character.joint("l").stated_limits
    assert (limits.lower, limits.upper) == pytest.approx((math.radians(-40), math.radians(20)), abs=1e-12)
    assert character.description == "Zero is the file's reference pose: l 0.5236, b -0.3491"
    # MuJoCo agrees that the constraint holds there, and where every body is.
    arrays = mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    data = mujoco.MjData(arrays)
    mujoco.mj_forward(arrays, data)
    assert np.abs(data.efc_pos[:3]).max() < 1e-12
    for name in ("left", "bar", "right"):
        np.testing.assert_allclose(rest_poses(character)[name].position, data.body(name).xpos, atol=1e-12)
        np.testing.assert_allclose(rest_poses(character)[name].rotation.ravel(), data.body(name).xmat, atol=1e-12)


def test_sites_keyframes_excludes_and_gravity(tmp_path: Path):
    inside = '<option gravity="0 0 -1.62"/>' + ARM.replace(
        '<geom size="0.1"/>', '<geom size="0.1"/><site name="tip" pos="1 2 3" quat="0 0 1 0"/><site pos="0 0 1"/>', 1
    )
    inside += '<contact><exclude body1="arm" body2="hand"/></contact>'
    inside += '<keyframe><key name="wave" qpos="0.1 0" ctrl=""/><key qpos="0 0.2"/></keyframe>'
    character = model(tmp_path, inside)
    assert character.name == "bird"
    assert character.gravity == (0.0, 0.0, -1.62)
    assert character.markers == (Marker("tip", "arm", (1, 2, 3), (0, 0, 1, 0)),)
    assert character.ignored_collisions == (("arm", "hand"),)
    assert character.postures == (
        NamedPosture("wave", (("shoulder", 0.1),)),
        NamedPosture("key_2", (("wrist", 0.2),)),
    )


CUBE = np.array([[x, y, z] for x in (0.0, 0.1) for y in (0.0, 0.2) for z in (0.0, 0.4)])
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4)]
FACES += [(1, 5, 7), (1, 7, 3)]


def write_cube(path: Path) -> None:
    lines = [f"v {x} {y} {z}" for x, y, z in CUBE] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in FACES]
    path.write_text("\n".join(lines))


@pytest.mark.parametrize("inertial", ["", INERTIAL], ids=["weighed", "not read"])
@pytest.mark.parametrize(
    "asset",
    [
        'scale="2 1 3" refpos="0.1 0.2 0.3"',
        'scale="2 2 2" refpos="0.1 0.2 0.3" refquat="1 0.2 0.3 0.4"',
        'scale="2 1 3" refpos="0.1 0.2 0.3" refquat="1 0 0 1"',
    ],
)
def test_vertices_of_a_mesh_are_where_mujoco_has_them(tmp_path: Path, asset: str, inertial: str):
    write_cube(tmp_path / "cube.obj")
    mesh = f'<mesh name="m" file="cube.obj" {asset}/>'
    geom = '<geom type="mesh" mesh="m" pos="1 2 3" euler="10 20 30"/>'
    inside = f"<asset>{mesh}</asset>" + world(f'<body name="a"><joint/>{inertial}{geom}</body>')
    (shape,) = model(tmp_path, inside).body("a").shapes
    assert isinstance(shape.geometry, Mesh)
    assert shape.geometry.path == str(tmp_path / "cube.obj")
    assert shape.collision
    ours = shape.frame.transform.apply(CUBE * np.array(shape.geometry.scale))
    arrays = mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, arrays.geom_quat[0])
    theirs = arrays.mesh_vert @ turn.reshape(3, 3).T + arrays.geom_pos[0]
    order = [np.argmin(np.linalg.norm(theirs - point, axis=1)) for point in ours]
    assert sorted(order) == list(range(8))
    np.testing.assert_allclose(theirs[order], ours, atol=1e-6)  # MuJoCo keeps vertices in single precision


def test_a_mesh_that_is_skewed_is_refused(tmp_path: Path):
    write_cube(tmp_path / "cube.obj")
    asset = '<asset><mesh name="m" file="cube.obj" scale="2 1 1" refquat="1 0.2 0.3 0.4"/></asset>'
    with pytest.raises(FileFormatError, match="mesh 'm' is turned by its refquat and scaled unevenly"):
        model(tmp_path, asset + world('<body name="a"><joint/><geom type="mesh" mesh="m"/></body>'))


def test_absent_meshes_are_kept_by_name_where_masses_are_stated(tmp_path: Path):
    asset = '<compiler meshdir="assets"/><asset><mesh name="m" file="gone.stl"/></asset>'
    geom = '<geom type="mesh" mesh="m"/>'
    character = model(tmp_path, asset + world(f'<body name="a"><joint/>{INERTIAL}{geom}</body>'))
    assert character.body("a").shapes[0].geometry == Mesh(str(tmp_path / "assets" / "gone.stl"))
    with pytest.raises(FileFormatError, match=r"mesh files are not there \(gone.stl; .* body 'a' has no <inertial>"):
        model(tmp_path, asset + world(f'<body name="a"><joint/>{geom}</body>'))


def test_included_files_are_put_in_place(tmp_path: Path):
    (tmp_path / "arm.xml").write_text(f"<mujocoinclude>{ARM}</mujocoinclude>")
    (tmp_path / "hand.xml").write_text('<x><joint name="extra" axis="1 0 0"/></x>')
    assert "wrist" in model(tmp_path, '<include file="arm.xml"/>').coordinate_names
    inner = ARM.replace('<joint name="wrist"/>', '<include file="hand.xml"/>')
    assert "extra" in model(tmp_path, inner).coordinate_names
    with pytest.raises(FileFormatError, match=r"the included file 'gone\.xml' is not there") as caught:
        model(tmp_path, '<include file="gone.xml"/>')
    assert caught.value.line == 2
    with pytest.raises(FileFormatError, match="do they include one another"):
        model(tmp_path, '<include file="model.xml"/>')


WRONG = {
    "no body": ("", None, "The file has no bodies"),
    "section": ("<worldbdy/>", 2, "<worldbdy> is not a section of MJCF. Did you mean 'worldbody'"),
    "keyword": (
        "\n\n" + world('<body><joint type="hing"/></body>'),
        4,
        r"MuJoCo cannot compile it: .*hing.*\(element 'joint'\)",
    ),
    "no mass": (world("\n<body><joint/></body>"), 3, "mass and inertia of moving bodies"),
    "nan": (world('<body pos="0 0 nan"><joint/><geom size="1"/></body>'), None, "is not finite or larger than"),
    "infinite": (world('<body pos="0 0 inf"><joint/><geom size="1"/></body>'), None, "is not finite or larger than"),
    "gravity": ('<option gravity="0 0 inf"/>' + ARM, None, "The gravity of 'bird' must be finite"),
    "free bodies": (world(body("a", joint="<freejoint/>") + body("b", joint="<freejoint/>")), None, "2 free bodies"),
    "free and moving": (
        world(body("a", joint="<freejoint/>") + body("b", joint="<joint/>")),
        None,
        "the moving body 'b'",
    ),
    "tied to the world": (
        world(body("a", joint="<freejoint/>")) + '<equality><weld body1="a"/></equality>',
        None,
        "tied to the world",
    ),
    "ring of equalities": (
        ARM + '<equality><joint joint1="wrist" joint2="shoulder"/><joint joint1="shoulder" joint2="wrist"/></equality>',
        None,
        "tied to itself",
    ),
    "copies": (world('<replicate count="1000000000"><body/></replicate>'), 2, "makes more than 10000 copies"),
    "soft": (world('<flexcomp name="f" type="grid" count="9 9 9"/>'), 2, "soft bodies"),
    "attached": ('<asset><model name="m" file="model.xml"/></asset>', 2, "models inside models"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_explained(
    tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    inside, line, message = WRONG[case]
    with pytest.raises(FileFormatError, match=message) as caught:
        model(tmp_path, inside)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)
    out, err = capfd.readouterr()
    assert out + err.replace("animato: compiling kernels; this happens once and is cached.\n", "") == ""
    assert [one.name for one in tmp_path.iterdir()] == ["model.xml"]  # MuJoCo leaves no log behind


def test_scenery_that_would_take_memory_or_files_is_never_seen_by_mujoco(tmp_path: Path):
    asset = """<size memory="1000P" nuserdata="2000000000"/><custom><numeric name="n" size="2000000000"/></custom>
    <asset><hfield name="h" nrow="100000" ncol="100000" size="1 1 1 1"/><texture name="t" file="no.png"/></asset>
    <sensor><user dim="2000000000"/></sensor>"""
    inside = asset + ARM.replace("<worldbody>", '<worldbody><geom type="hfield" hfield="h"/><light/><camera name="c"/>')
    assert model(tmp_path, inside).coordinate_names == ("shoulder", "wrist")


def test_mujoco_is_only_needed_for_mjcf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'animato\[robots\]'"):
        model(tmp_path, ARM)
