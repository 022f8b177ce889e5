"""The reader of USD files."""

from __future__ import annotations

import contextlib
import math
import re
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Joint, JointRole, JointType
from animato.character.limits import Limits
from animato.character.shape import Box, Capsule, Cylinder, Ellipsoid, Sphere
from animato.character.structure.rest_pose import rest_poses, rest_stands
from animato.character.structure.rezeroed import rezeroed
from animato.character.structure.topology import topology_of
from animato.errors import FileFormatError, MissingDependencyError, OptionError
from animato.formats.character_files import load_character, save_character
from animato.formats.loops.closing import closed_at_rest
from animato.formats.usd.reader import load_usd
from animato.loading.clips import load_clip
from animato.spatial.rigid_transform import RigidTransform

pxr = pytest.importorskip("pxr")


def body(name: str, at: str = "0, 0, 0", inside: str = "", ops: str = "") -> str:
    order = '"xformOp:translate"' + "".join(
        f', "xformOp:{line.split(":")[1].split(" ")[0]}"' for line in ops.splitlines()
    )
    return f"""
    def Xform "{name}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {{
        double3 xformOp:translate = ({at})
        {ops}
        uniform token[] xformOpOrder = [{order}]
        {inside}
    }}"""


def joint(name: str, kind: str, first: str, second: str, inside: str = "", schemas: str = "") -> str:
    api = f"(prepend apiSchemas = [{schemas}])" if schemas else ""
    ends = "".join(f"rel physics:body{n} = </r/{end}>\n" for n, end in enumerate((first, second)) if end)
    return f'\n    def {kind} "{name}" {api}\n    {{\n{ends}{inside}\n    }}'


def write(folder: Path, *inside: str, head: str = 'upAxis = "Z"\nmetersPerUnit = 1') -> Path:
    path = folder / "robot.usda"
    text = f'#usda 1.0\n(\ndefaultPrim = "r"\n{head}\n)\ndef Xform "r"\n{{{"".join(inside)}\n}}\n'
    path.write_text(text, encoding="utf-8")
    return path


def robot(folder: Path, *inside: str, **options: object) -> Character:
    return load_usd(write(folder, *inside), **options)


HINGE = joint("hinge", "PhysicsRevoluteJoint", "a", "b", "point3f physics:localPos0 = (1, 0, 0)")
TWO = body("a") + body("b", "1, 0, 0")


def test_units_up_axis_scale_drives_and_limits(tmp_path: Path):
    scene = '\ndef PhysicsScene "scene" {\nfloat physics:gravityMagnitude = 162\n}\n'
    mass = (
        "float physics:mass = 100\npoint3f physics:centerOfMass = (5, 0, 0)\nfloat3 physics:diagonalInertia = (1, 2, 3)"
    )
    turned = "quatf physics:principalAxes = (0.70710677, 0, 0, 0.70710677)"
    ops = "float3 xformOp:scale = (2, 2, 2)"
    elbow = joint(
        "elbow", "PhysicsRevoluteJoint", "a", "b",
        'uniform token physics:axis = "Z"\npoint3f physics:localPos0 = (0, 10, 0)\n'
        "point3f physics:localPos1 = (1, 0, 0)\nfloat physics:lowerLimit = -90\nfloat physics:upperLimit = 45\n"
        "float drive:angular:physics:maxForce = 20000\nfloat physxJoint:maxJointVelocity = 180",
        '"PhysicsDriveAPI:angular"',
    )  # fmt: skip
    slide = joint(
        "slide", "PhysicsPrismaticJoint", "b", "c",
        "float physics:lowerLimit = 0\nfloat physics:upperLimit = 3\nfloat physxJoint:armature = 5",
    )  # fmt: skip
    bodies = body("a", "0, 10, 0") + body("b", "-2, 20, 0", f"{mass}\n{turned}", ops) + body("c", "-2, 20, 0")
    head = 'upAxis = "Y"\nmetersPerUnit = 0.01\nkilogramsPerUnit = 0.001'
    character = load_usd(write(tmp_path, scene, bodies, elbow, slide, head=head))
    assert character.floats
    np.testing.assert_allclose(character.gravity, (0, 0, -1.62), atol=1e-6)
    found = character.body("b")
    assert found.mass == pytest.approx(0.1)
    np.testing.assert_allclose(found.centre, (0.1, 0, 0), atol=1e-12)  # scaled with the body
    np.testing.assert_allclose(found.inertia, np.array((2, 1, 3, 0, 0, 0)) * 1e-7, atol=1e-13)
    found = character.joint("elbow")
    (limits,) = found.limits
    assert (limits.lower, limits.upper) == pytest.approx((-math.pi / 2, math.pi / 4))
    assert (limits.velocity, limits.torque) == pytest.approx((math.pi, 20000 * 1e-3 * 1e-4))
    assert found.role is JointRole.ACTUATED
    np.testing.assert_allclose(found.frame_parent.position, (0, 0.1, 0), atol=1e-12)
    np.testing.assert_allclose(found.frame_child.position, (0.02, 0, 0), atol=1e-12)  # twice 1 cm
    assert character.joint("slide").role is JointRole.PASSIVE
    (limits,) = character.joint("slide").limits
    assert limits == Limits(0.0, 3 * 0.01)
    assert character.joint("slide").armature == pytest.approx(0.005)
    # Up is z now. A character that floats has its root at the origin, so hold it to see where it was.
    held = rest_poses(load_usd(tmp_path / "robot.usda", base="ground"))
    np.testing.assert_allclose(held["b"].position, (-0.02, 0, 0.2), atol=1e-12)
    np.testing.assert_allclose(held["b"].rotation[:, 1], (0, 0, 1), atol=1e-12)


def locked(*axes: str) -> tuple[str, str]:
    schemas = ", ".join(f'"PhysicsLimitAPI:{axis}"' for axis in axes)
    return "".join(
        f"float limit:{axis}:physics:low = 1\nfloat limit:{axis}:physics:high = -1\n" for axis in axes
    ), schemas


@pytest.mark.parametrize(
    ("free", "kind", "axis"),
    [
        (("rotY",), JointType.REVOLUTE, (0, 1, 0)),
        (("transZ",), JointType.PRISMATIC, (0, 0, 1)),
        (("transY", "rotY"), JointType.CYLINDRICAL, (0, 1, 0)),
        (("rotX", "rotZ"), JointType.UNIVERSAL, (1, 0, 0)),
        (("rotX", "rotY", "rotZ"), JointType.SPHERICAL, (1, 0, 0)),
        (("transX", "transY", "transZ"), JointType.CARTESIAN, (1, 0, 0)),
        ((), JointType.FIXED, (1, 0, 0)),
    ],
)
def test_a_joint_of_six_axes_is_what_it_leaves_free(tmp_path: Path, free: tuple, kind: JointType, axis: tuple):
    six = ("transX", "transY", "transZ", "rotX", "rotY", "rotZ")
    inside, schemas = locked(*(one for one in six if one not in free))
    if free and kind is not JointType.SPHERICAL:
        inside += f"float limit:{free[-1]}:physics:low = -2\nfloat limit:{free[-1]}:physics:high = 2\n"
        schemas += f', "PhysicsLimitAPI:{free[-1]}"'
    found = robot(
        tmp_path, TWO, joint("j", "PhysicsJoint", "a", "b", f"{inside}point3f physics:localPos0 = (1, 0, 0)", schemas)
    ).joint("j")
    assert (found.type, found.axis) == (kind, axis)
    if kind is JointType.UNIVERSAL:
        assert found.second_axis == (0, 0, 1)
    if free and kind is not JointType.SPHERICAL:
        unit = math.pi / 180 if free[-1].startswith("rot") else 1.0
        assert found.limits[-1].upper == pytest.approx(2 * unit)


def test_an_axis_can_be_locked_by_infinite_limits(tmp_path: Path):
    inside, schemas = locked("transX", "transY", "transZ", "rotX", "rotY")
    inside = inside.replace("low = 1", "low = inf").replace("high = -1", "high = -inf")
    six = joint("j", "PhysicsJoint", "a", "b", f"{inside}point3f physics:localPos0 = (1, 0, 0)", schemas)
    assert robot(tmp_path, TWO, six).joint("j").type is JointType.REVOLUTE


def test_balls_fixed_joints_and_files_without_drives(tmp_path: Path):
    bodies = TWO + body("c", "1, 0, 0")
    ball = joint("ball", "PhysicsSphericalJoint", "a", "b", "point3f physics:localPos0 = (1, 0, 0)")
    glue = joint("glue", "PhysicsFixedJoint", "b", "c")
    off = joint("off", "PhysicsFixedJoint", "a", "c", "bool physics:jointEnabled = false")
    character = robot(tmp_path, bodies, ball, glue, off)
    kinds = [(one.type, one.role) for one in character.joints]
    assert kinds == [(JointType.SPHERICAL, JointRole.ACTUATED), (JointType.FIXED, JointRole.PASSIVE)]


def test_shapes(tmp_path: Path):
    def shape(kind: str, name: str, inside: str) -> str:
        return f'def {kind} "{name}" (prepend apiSchemas = ["PhysicsCollisionAPI"])\n{{\n{inside}\n}}\n'

    scaled = 'float3 xformOp:scale = (1, 2, 3)\nuniform token[] xformOpOrder = ["xformOp:scale"]'
    inside = shape("Cube", "box", f"double size = 2\ncolor3f[] primvars:displayColor = [(1, 0.5, 0)]\n{scaled}")
    inside += shape("Sphere", "ball", "double radius = 0.5") + shape("Sphere", "egg", f"double radius = 1\n{scaled}")
    inside += shape("Cylinder", "rod", 'double radius = 0.1\ndouble height = 2\nuniform token axis = "X"')
    inside += 'def Capsule "pill" {\ndouble radius = 0.1\ndouble height = 1\ntoken visibility = "invisible"\n}'
    shapes = robot(tmp_path, body("a", inside=inside), body("b", "1, 0, 0"), HINGE).body("a")
    kinds = [Box((2, 4, 6)), Sphere(0.5), Ellipsoid((1, 2, 3)), Cylinder(0.1, 2), Capsule(0.1, 1)]
    assert [one.geometry for one in shapes.shapes] == kinds
    assert shapes.shapes[0].colour == (1.0, 0.5, 0.0, 1.0)
    np.testing.assert_allclose(shapes.shapes[3].frame.transform.rotation[:, 2], (1, 0, 0), atol=1e-12)
    assert [(one.visual, one.collision) for one in shapes.shapes][3:] == [(True, True), (False, False)]
    assert shapes.density == 1000.0  # what UsdPhysics takes where nothing is stated


def test_the_world_holds_what_it_is_joined_to(tmp_path: Path):
    floor = joint("floor", "PhysicsFixedJoint", "", "a")
    character = robot(tmp_path, TWO, floor, HINGE)
    assert character.joint("floor").type is JointType.GROUND
    assert robot(tmp_path, TWO, floor, HINGE, base="float").floats
    assert not robot(tmp_path, TWO, HINGE, base="ground").floats
    swing = joint("swing", "PhysicsRevoluteJoint", "", "a")
    character = robot(tmp_path, TWO, swing, HINGE)
    assert character.joint("swing").parent == "base"
    assert character.joint("base.ground").child == "base"
    with pytest.raises(FileFormatError, match="holds the robot in the world, so it cannot float"):
        robot(tmp_path, TWO, swing, HINGE, base="float")
    with pytest.raises(OptionError, match="one of auto, ground, float, not 'fly'"):
        robot(tmp_path, TWO, HINGE, base="fly")


def test_the_pose_of_the_file_is_zero_and_limits_are_counted_from_it(tmp_path: Path):
    limits = "float physics:lowerLimit = -60\nfloat physics:upperLimit = 60"
    hinge = joint("hinge", "PhysicsRevoluteJoint", "a", "b", limits)
    character = robot(tmp_path, body("a"), body("b", ops="float3 xformOp:rotateXYZ = (20, 0, 0)"), hinge)
    (found,) = character.joint("hinge").limits
    assert (found.lower, found.upper) == pytest.approx((math.radians(-80), math.radians(40)), abs=1e-7)
    assert character.description.endswith("its own coordinates are hinge 0.3491")
    half = math.radians(10)
    turn = rest_poses(character)["b"].quaternion_wxyz
    np.testing.assert_allclose(turn, (math.cos(half), math.sin(half), 0, 0), atol=1e-7)


def test_names_that_several_prims_have_are_told_apart(tmp_path: Path):
    left = f'def Xform "left" {{\n{body("foot")}\n}}\n'
    right = f'def Xform "right" {{\n{body("foot", "0, 1, 0")}\n}}\n'
    tie = joint("tie", "PhysicsRevoluteJoint", "left/foot", "right/foot", "point3f physics:localPos0 = (0, 1, 0)")
    assert [one.name for one in robot(tmp_path, left, right, tie).bodies] == ["r/left/foot", "r/right/foot"]


SIX_FREE = joint("j", "PhysicsJoint", "a", "b")
WRONG = {
    "no joints": (TWO, "it has rigid bodies but no physics joints; a robot needs PhysicsRevoluteJoint"),
    "no physics": ('def Sphere "ball" {}', "it has neither rigid bodies nor physics joints"),
    "no bodies": (HINGE, "it has joints but no prim with PhysicsRigidBodyAPI"),
    "absent body": (
        TWO + joint("hinge", "PhysicsRevoluteJoint", "a", "c"),
        "/r/hinge: physics:body1 names /r/c, which is not in the file",
    ),
    "other type": (
        TWO + joint("string", "PhysicsDistanceJoint", "a", "b"),
        "/r/string: joints of type 'PhysicsDistanceJoint' are not read. Types that are: PhysicsRevoluteJoint",
    ),
    "planar": (
        TWO + joint("j", "PhysicsJoint", "a", "b", *locked("transZ", "rotX", "rotY")),
        "/r/j: it leaves transX and transY and rotZ free, which is none of animato's joints",
    ),
    "itself": (TWO + joint("j", "PhysicsFixedJoint", "a", "a"), "/r/j: it connects body 'a' with itself"),
    "nothing": (TWO + joint("j", "PhysicsFixedJoint", "", ""), "/r/j: it connects nothing but the world"),
    "apart": (
        TWO + joint("hinge", "PhysicsRevoluteJoint", "a", "b"),
        "/r/hinge: its two frames are 1e\\+03 mm and 0 deg apart where the file has the bodies",
    ),
    "lost body": (TWO + body("c") + HINGE, "bodies of 'r' are not connected to 'a': c"),
    "mimic": (
        TWO + HINGE.replace('"hinge" ', '"hinge" (prepend apiSchemas = ["PhysxMimicJointAPI:rotX"])'),
        "/r/hinge: it mimics another joint",
    ),
    "mirrored": (
        body("a") + body("b", "1, 0, 0", ops="float3 xformOp:scale = (-1, 1, 1)") + HINGE,
        "/r/b: it is mirrored or skewed",
    ),
    "flat": (body("a") + body("b", "1, 0, 0", ops="float3 xformOp:scale = (0, 1, 1)") + HINGE, "/r/b: .*flattens it"),
    "mass of a mesh": (
        body("a", inside='def Mesh "m" (prepend apiSchemas = ["PhysicsCollisionAPI"]) {}')
        + body("b", "1, 0, 0")
        + HINGE,
        "/r/a: its mass follows from a mesh, which is not read; state physics:mass",
    ),
    "negative inertia": (
        body("a", inside="float physics:mass = 1\nfloat3 physics:diagonalInertia = (1, -1, 1)")
        + body("b", "1, 0, 0")
        + HINGE,
        "/r/a: The inertia of body 'a' has a negative moment",
    ),
    "reversed limits": (
        TWO + HINGE.replace("point3f", "float physics:lowerLimit = 9\nfloat physics:upperLimit = 1\npoint3f"),
        "/r/hinge: The limits are reversed",
    ),
    "not a number": (
        TWO + HINGE.replace("point3f", "float physics:lowerLimit = nan\npoint3f"),
        "/r/hinge: 'physics:lowerLimit' is nan; give a number of a possible size",
    ),
    "no frame": (
        TWO + HINGE.replace("(1, 0, 0)", "(nan, 0, 0)"),
        "/r/hinge: 'physics:localPos0' is nan; give",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_explained(tmp_path: Path, case: str):
    inside, message = WRONG[case]
    with pytest.raises(FileFormatError, match=message):
        robot(tmp_path, inside)


def test_files_that_are_no_usd(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    broken = tmp_path / "broken.usda"
    broken.write_text('#usda 1.0\ndef Xform "a" {\n def \n', encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"broken\.usda, line 3: OpenUSD cannot read it: Expected"):
        load_character(broken)
    broken.write_text("hello\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"broken\.usda: OpenUSD cannot read it: ."):
        load_character(broken)
    (tmp_path / "broken.usdz").write_bytes(b"PK\x03\x04 and nothing")
    with pytest.raises(FileFormatError, match="OpenUSD cannot read it"):
        load_character(tmp_path / "broken.usdz")
    with pytest.raises(FileFormatError, match=r"absent\.usd: there is no such file"):
        load_character(tmp_path / "absent.usd")
    broken.write_text("", encoding="utf-8")
    with pytest.raises(FileFormatError, match="the file is empty"):
        load_character(broken)
    assert capfd.readouterr().err == ""  # nothing but the error itself


def test_openusd_is_only_needed_for_usd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pxr", None)
    with pytest.raises(MissingDependencyError, match=r"Reading USD needs .*'usd-core'.*'animato\[usd\]'"):
        load_character(tmp_path / "robot.usda")
    assert load_character("four_bar").name == "four_bar"


def test_whatever_is_changed_in_a_file_the_error_is_ours(tmp_path: Path):
    text = write(tmp_path, TWO.replace("xformOp:translate = (1", "xformOp:translate = (1.0"), HINGE).read_text("utf-8")
    words = (
        "nan",
        "inf",
        "1e300",
        "0",
        "-1",
        '""',
        "</r>",
        "[]",
        "(1, 2)",
        '"abc"',
        "None",
        "float",
        "quatf",
        "1e-320",
    )
    places = list(re.finditer(r"[-\d.]+|\"[\w:]+\"|</[\w/]+>|\w+", text))
    rng, changed, read = np.random.default_rng(4), tmp_path / "changed.usda", 0
    for _ in range(150):
        place = places[rng.integers(len(places))]
        changed.write_text(text[: place.start()] + words[rng.integers(len(words))] + text[place.end() :], "utf-8")
        with contextlib.suppress(FileFormatError):
            read += len(load_usd(changed).bodies) > 0
    assert 0 < read < 150


def test_a_file_cut_anywhere_is_an_error_of_ours(tmp_path: Path):
    text = write(tmp_path, TWO, HINGE).read_text(encoding="utf-8")
    cut = tmp_path / "cut.usda"
    for share in np.linspace(0.02, 0.98, 25):
        cut.write_text(text[: int(share * len(text))], encoding="utf-8")
        with pytest.raises(FileFormatError):
            load_usd(cut)


def test_dr_legs(shared_data: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    path = shared_data / "mechanisms" / "dr_legs" / "dr_legs.usda"
    legs = load_character(path)
    assert capfd.readouterr().err == ""  # its meshes are elsewhere, which is no reason to talk
    assert (legs.name, len(legs.bodies), legs.floats) == ("DR_Legs", 31, True)
    counts = Counter((one.type, one.role) for one in legs.joints)
    assert counts == {
        (JointType.REVOLUTE, JointRole.PASSIVE): 24,
        (JointType.REVOLUTE, JointRole.ACTUATED): 12,
    }
    topology = topology_of(legs)
    assert topology.links[0].body == "pelvis"
    assert len(topology.loop_joints) == 6
    assert sum(one.mass or 0.0 for one in legs.bodies) == pytest.approx(2.470818, abs=1e-6)
    assert legs.description == ""
    for stand in rest_stands(legs).values():
        assert max(stand.distance, stand.angle, *map(abs, stand.coordinates)) < 1e-14
    assert load_character(save_character(tmp_path / "legs.yaml", legs)) == legs


def test_dr_legs_closes_in_every_pose_of_its_walk_and_not_only_at_rest(shared_data: Path):
    folder = shared_data / "mechanisms" / "dr_legs"
    legs = load_character(folder / "dr_legs.usda")
    walk = load_clip(folder / "dr_legs_animation_100fps.npy", legs, rate_hz=100)
    loops = topology_of(legs).loop_joints
    ties = []  # a hinge is two balls on its axis
    for one in loops:
        for number, shift in enumerate((RigidTransform(), RigidTransform(0.05 * np.array(one.axis)))):
            frames = [Frame.from_transform(it.transform @ shift) for it in (one.frame_parent, one.frame_child)]
            ball = Joint(f"{one.name}{number}", JointType.SPHERICAL, one.parent, one.child, JointRole.PASSIVE, *frames)
            ties.append(ball)
    tree = replace(legs, joints=tuple(one for one in legs.joints if one not in loops))
    for frame in (300, 1300):
        motors = {name: (float(walk.positions[frame, n]),) for n, name in enumerate(walk.names)}
        closed = closed_at_rest(rezeroed(tree, motors), ties)
        assert closed.description == ""  # the motors stand where the walk has them
        assert max(stand.distance for stand in rest_stands(closed).values()) < 1e-13


def test_axes_that_are_parallel_to_single_precision_are_made_so(shared_data: Path):
    legs = load_character(shared_data / "mechanisms" / "dr_legs" / "dr_legs.usda", base="ground")
    poses = rest_poses(legs)
    axes = {
        one.name: (poses[one.parent] @ one.frame_parent.transform).rotation @ np.array(one.axis)
        for one in legs.joints
        if one.type is JointType.REVOLUTE
    }
    for name in ("j3_l_i", "j6_l_i", "j7_l_o", "j9_l_o"):
        assert np.linalg.norm(np.cross(axes["j2_l_i"], axes[name])) < 1e-15
    assert np.linalg.norm(np.cross(axes["j2_l_i"], axes["j2_r_i"])) > 0.1
    assert np.linalg.norm(np.cross(axes["j2_l_i"], axes["j4_l_i"])) > 0.1


def test_dr_legs_stands_where_the_file_has_it(shared_data: Path):
    """Against OpenUSD's own reading of bodies and joints: how far apart the file itself leaves them."""
    path = shared_data / "mechanisms" / "dr_legs" / "dr_legs.usda"
    quiet = pxr.UsdUtils.CoalescingDiagnosticDelegate()
    stage = pxr.Usd.Stage.Open(str(path))
    legs = load_usd(path, base="ground")
    poses, gaps = rest_poses(legs), []
    for one in legs.joints:
        if one.type is JointType.GROUND:
            continue
        prim = pxr.UsdPhysics.Joint(stage.GetPrimAtPath(f"/DR_Legs/Joints/{one.name}"))
        places = []
        for relation, local in (
            (prim.GetBody0Rel(), prim.GetLocalPos0Attr()),
            (prim.GetBody1Rel(), prim.GetLocalPos1Attr()),
        ):
            (target,) = relation.GetTargets()
            matrix = pxr.UsdGeom.Xformable(stage.GetPrimAtPath(target)).ComputeLocalToWorldTransform(0)
            places.append(np.array(matrix.Transform(pxr.Gf.Vec3d(local.Get()))))
        gaps.append(np.abs(places[0] - places[1]).max())
        ours = poses[one.parent].apply(one.frame_parent.position)
        np.testing.assert_allclose(ours, places[0], atol=1e-12)
        np.testing.assert_allclose(poses[one.child].apply(one.frame_child.position), ours, atol=1e-12)
    assert max(gaps) < 1e-8  # float32 in the file; closed in ours
    del quiet
