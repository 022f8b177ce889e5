"""The reader of character files."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.flexible_part import Bar, FlexiblePart, Interface, Material, Rod
from animato.character.frame import Frame
from animato.character.joint import Coupling, Joint
from animato.character.landmarks import EndPoint, Marker, NamedPosture, Sole
from animato.character.limits import Limits, TorqueSpeedCurve
from animato.character.manner import Manner
from animato.character.servo import Actuator
from animato.character.shape import Box, Capsule, Cylinder, Ellipsoid, Mesh, Shape, Sphere
from animato.errors import FileFormatError
from animato.formats.character_yaml.reader import character_from_yaml, load_character_yaml

WHOLE = """\
animato: 1
name: heron
description: "A bird: with everything"
gravity: [0, 0, -1.62]
materials:
  spring_steel: {density: 7850, youngs_modulus: 200 GPa, mass_damping: 0.1, stiffness_damping: 1e-5}
bodies:
  base:
    mass: 1200 g
    centre: [0, 0, 10 cm]
    inertia: [0.1, 0.2, 0.25, 0, 0, 0.01]
    shapes:
      - box: {size: [10 cm, 0.1, 0.2]}
        at: [0, 0, 0.1]
        turn: [0, 1, 0, 0]
        colour: [0.9, 0.4, 0.2]
        collision: false
      - {sphere: {radius: 0.1}, colour: [0, 0, 1, 0.5], visual: false}
      - mesh: {path: meshes/base.stl, scale: [0.001, 0.001, 0.001]}
  head:
    density: 1.04 g/cm^3
    shapes: [{ellipsoid: {radii: [1, 2, 3]}}, {cylinder: {radius: 1, length: 2}}, {capsule: {radius: 1, length: 2}}]
  beak:
  eye: {}
joints:
  stand: {type: ground, child: base, at: [0, 0, 1 mm]}
  neck:
    type: revolute
    parent: base
    child: head
    at: [0, 0, 0.2]
    turn: [1, 0, 0, 0]
    child_at: [0, 0, -1 cm]
    child_turn: [0, 0, 0, 1]
    axis: -z
    second_axis: [0, 1, 1]
    limits: {lower: -90 deg, upper: 90 deg, velocity: 77 rpm, acceleration: 60, jerk: 900, torque: 20 kgf.cm,
             curve: {speeds: [0, 60 rpm], torques: [3, 0]}}
    actuator: {servo: XM430-W210, gear_ratio: 2}
    damping: 0.01
    friction: 20 mN.m
    armature: 0.001
  jaw:
    type: prismatic
    role: passive
    parent: head
    child: beak
    limits: {lower: -5 mm, upper: 5 mm, torque: 4 N}
    follows: {leader: neck, ratio: 0.1, offset: 1 mm}
  socket:
    type: universal
    role: configurable
    parent: head
    child: eye
    configuration: [10 deg, 0.2]
    limits: [{lower: -1}, {}]
flexible_parts:
  tail:
    rod: {radius: 2.5 mm, length: 45 cm}
    material: spring_steel
    interfaces: [{body: base, at: [1, 0, 0], part_at: [0, 0, 0.45], extent: 3 mm}]
  crest:
    bar: {width: 1 mm, height: 2 mm, length: 3 cm}
    material: {density: 1000, youngs_modulus: 2 MPa, poisson_ratio: 0.4, model: linear}
    interfaces:
      - {body: head}
      - body: beak
end_points:
  gaze: {body: head, at: [0.1, 0, 0], forward: y, up: [0, 0, 2], symmetric: true}
soles:
  foot: {body: base, corners: [[0, 0, 0], [1, 0, 0], [0, 10 cm, 0]]}
markers:
  nose: {body: head, at: [1, 2, 3]}
postures:
  curious: {neck: 45 deg}
  rest:
ignored_collisions: [[base, head]]
"""


def whole(folder: str = "") -> Character:
    steel = Material(7850, 200e9, 0.3, 0.1, 1e-5)
    base = Body(
        "base",
        1.2,
        (0, 0, 0.1),
        (0.1, 0.2, 0.25, 0, 0, 0.01),
        shapes=(
            Shape(Box((0.1, 0.1, 0.2)), Frame((0, 0, 0.1), (0, 1, 0, 0)), (0.9, 0.4, 0.2, 1.0), collision=False),
            Shape(Sphere(0.1), colour=(0, 0, 1, 0.5), visual=False),
            Shape(Mesh(f"{folder}meshes/base.stl", (0.001, 0.001, 0.001))),
        ),
    )
    head_shapes = (Shape(Ellipsoid((1, 2, 3))), Shape(Cylinder(1, 2)), Shape(Capsule(1, 2)))
    quarter = math.pi / 2
    neck_limits = Limits(
        -quarter,
        quarter,
        77 * (2 * math.pi / 60),
        60,
        900,
        1.96133,
        TorqueSpeedCurve((0, 2 * math.pi), (3, 0)),
    )
    neck = Joint(
        "neck",
        "revolute",
        "base",
        "head",
        None,
        Frame((0, 0, 0.2)),
        Frame((0, 0, -0.01), (0, 0, 0, 1)),
        (0, 0, -1),
        (0, 1, 1),
        (neck_limits,),
        Actuator("XM430-W210", 2),
        damping=0.01,
        friction=0.02,
        armature=0.001,
    )
    jaw = Joint(
        "jaw",
        "prismatic",
        "head",
        "beak",
        "passive",
        stated_limits=(Limits(-0.005, 0.005, torque=4),),
        coupling=Coupling("neck", 0.1, 0.001),
    )
    socket = Joint(
        "socket",
        "universal",
        "head",
        "eye",
        "configurable",
        stated_limits=(Limits(-1), Limits()),
        configuration=(math.radians(10), 0.2),
    )
    rubber = Material(1000, 2e6, 0.4, model="linear")
    return Character(
        "heron",
        (base, Body("head", density=1040, shapes=head_shapes), Body("beak"), Body("eye")),
        (Joint("stand", "ground", "world", "base", frame_parent=Frame((0, 0, 0.001))), neck, jaw, socket),
        (
            FlexiblePart(
                "tail",
                Rod(0.0025, 0.45),
                steel,
                (Interface("base", Frame((1, 0, 0)), Frame((0, 0, 0.45)), 0.003),),
            ),
            FlexiblePart("crest", Bar(0.001, 0.002, 0.03), rubber, (Interface("head"), Interface("beak"))),
        ),
        (EndPoint("gaze", "head", Frame((0.1, 0, 0)), (0, 1, 0), (0, 0, 1), True),),
        (Sole("foot", "base", ((0, 0, 0), (1, 0, 0), (0, 0.1, 0))),),
        (Marker("nose", "head", (1, 2, 3)),),
        (NamedPosture("curious", (("neck", math.pi / 4),)), NamedPosture("rest", ())),
        (("base", "head"),),
        (0, 0, -1.62),
        "A bird: with everything",
    )


def test_a_file_with_everything_in_it():
    assert character_from_yaml(WHOLE) == whole()


def test_meshes_start_at_the_folder_of_the_file(tmp_path: Path):
    path = tmp_path / "heron.yaml"
    path.write_text(WHOLE, encoding="utf-8")
    assert load_character_yaml(path) == whole(f"{tmp_path}/")


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path: Path):
    path = tmp_path / "heron.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())
    assert load_character_yaml(path) == whole(f"{tmp_path}/")


def test_names_are_text_whatever_yaml_1_1_makes_of_them():
    text = "animato: 1\nname: 007\nbodies: {on: , 1: {mass: 1}}\njoints: {no: {type: revolute, parent: on, child: 1}}\n"
    character = character_from_yaml(text)
    assert character.name == "007"
    assert [body.name for body in character.bodies] == ["on", "1"]
    assert character.joints[0].name == "no"


def test_anchors_aliases_and_merges_repeat_what_was_written():
    text = """\
animato: 1
name: twins
bodies: {a: &body {mass: 1}, b: *body, c: {<<: *body, mass: 2}}
joints:
  one: &joint {type: revolute, parent: a, child: b, axis: y}
  two: {<<: [*joint], child: c}
"""
    character = character_from_yaml(text)
    assert [body.mass for body in character.bodies] == [1, 1, 2]
    assert character.joint("two").axis == (0, 1, 0)
    assert character.joint("two").child == "c"


# What stands in the file, what is put in its place, text of the line that must be named, the message.
WRONG = {
    "manner above one": (
        "    axis: -z\n",
        "    axis: -z\n    manner: {smoothness: 1.5}\n",
        "manner: {smooth",
        "manner.smoothness: .*from 0 to 1, not 1.5",
    ),
    "overshoot that never rests": (
        "    axis: -z\n",
        "    axis: -z\n    manner: {overshoot: 1}\n",
        "manner: {over",
        "manner.overshoot: .*from 0 to 0.9, not 1",
    ),
    "manner with a unit": (
        "    axis: -z\n",
        "    axis: -z\n    manner: {haste: 1 s}\n",
        "manner: {haste",
        "manner.haste: ",
    ),
    "unknown word of a manner": (
        "    axis: -z\n",
        "    axis: -z\n    manner: {smothness: 0.1}\n",
        "manner: {smoth",
        "Did you mean 'smoothness'",
    ),
    "manner of what does not move": (
        "at: [0, 0, 1 mm]}",
        "at: [0, 0, 1 mm], manner: {haste: 1}}",
        "stand: {type",
        "stand.manner: is for joints that move.*ground",
    ),
    "joint type": ("type: revolute", "type: revolut", "revolut", "joints.neck.type: must be one of .* Did you mean"),
    "key": ("damping: 0.01", "dampng: 0.01", "dampng", "joints.neck.dampng: is not a key. Did you mean 'damping'"),
    "section": ("markers:", "marker:", "marker:", "marker: is not a key. Did you mean 'markers'"),
    "missing key": ("    child: head\n", "", "neck:", "joints.neck.child: is missing"),
    "missing name": ("name: heron\n", "", "animato", "name: is missing"),
    "missing version": ("animato: 1\n", "", "name", "A character file starts with 'animato: 1'"),
    "later version": ("animato: 1", "animato: 2", "animato", "the version of the format and must be 1, not '2'"),
    "number": ("mass: 1200 g", "mass: heavy", "heavy", r"base.mass: must be a mass \(kg, g; .* not 'heavy'"),
    "not a number": ("mass: 1200 g", "mass: .nan", "nan", "not '.nan'"),
    "boolean": ("mass: 1200 g", "mass: true", "true", "not 'true'"),
    "negative mass": ("mass: 1200 g", "mass: -1", "base:", "bodies.base: The mass of body 'base' must not be neg"),
    "dimension": ("at: [0, 0, 0.2]", "at: [0, 0, 3 deg]", "3 deg", r"neck.at\[2\]: is an angle \(3 deg\)"),
    "vector length": (
        "at: [0, 0, 0.2]",
        "at: [0, 9]",
        "[0, 9]",
        "neck.at: must be a position or size, 3 numbers, not 2",
    ),
    "vector type": ("at: [0, 0, 0.2]", "at: up", "at: up", "joints.neck.at: must be .* not 'up'"),
    "zero axis": ("axis: -z", "axis: [0, 0, 0]", "neck:", "joints.neck: The axis of joint 'neck' must not be zero"),
    "axis word": ("axis: -z", "axis: w", "axis: w", "joints.neck.axis: must be one of x, y, z, -x, -y, -z"),
    "reversed limits": ("lower: -90 deg", "lower: 99 deg", "99", "joints.neck.limits: The limits are reversed"),
    "limit unit": ("upper: 90 deg", "upper: 9 cm", "9 cm", "upper: '9 cm' is a length, but this coordinate turns"),
    "speed unit": ("velocity: 77 rpm", "velocity: 7 m/s", "7 m/s", "neck.limits.velocity: '7 m/s' is a speed"),
    "slide unit": ("torque: 4 N}", "torque: 4 N.m}", "4 N.m", "'4 N.m' is a torque, but this coordinate slides"),
    "limit count": ("[{lower: -1}, {}]", "{lower: -1}", "{lower: -1}", "a universal joint takes 2 limits, given 1"),
    "limit key": ("[{lower: -1}, {}]", "[{lower: -1}, {low: 1}]", "low: 1", r"socket.limits\[1\].low: is not a key"),
    "servo": ("XM430-W210", "XM430-W211", "W211", "Servo 'XM430-W211' is not in 'the catalogue'. Did you mean"),
    "parent": ("parent: base", "parent: bass", "bass", "joints.neck.parent: Body 'bass' is not in 'heron'. Did you"),
    "no parent": ("    parent: base\n", "", "neck:", "joints.neck.parent: is missing; only a ground joint has none"),
    "itself": ("child: head", "child: base", "    child: base", "connects body 'base' with itself"),
    "world parent": ("parent: base", "parent: world", "parent: world", "'world' holds only ground joints"),
    "ground parent": ("type: ground, ", "type: ground, parent: head, ", "ground, p", "of a ground joint is 'world'"),
    "leader": ("leader: neck", "leader: nek", "nek", "jaw.follows.leader: Joint 'nek' is not in 'heron'. Did you"),
    "bad leader": ("leader: neck", "leader: socket", "leader: socket", "'socket' is no joint that can be followed"),
    "configuration": ("role: configurable", "role: passive", "[10 deg", "only for joints with 'role: configurable'"),
    "coordinates": ("[10 deg, 0.2]", "[10 deg]", "[10 deg]", "configuration: of a universal joint is 2 numbers, not 1"),
    "two geometries": ("- box:", "- sphere: {radius: 1}\n        box:", "- sphere:", "given: box, sphere"),
    "no geometry": (
        "{sphere: {radius: 0.1}, ",
        "{",
        "0, 1, 0.5",
        r"base.shapes\[1\]: needs exactly one .* given: none",
    ),
    "negative size": ("radius: 0.1}", "radius: -0.1}", "-0.1}", r"shapes\[1\]: The radius of a sphere must be greater"),
    "colour": ("colour: [0.9, 0.4, 0.2]", "colour: red", "red", "colour: must be a colour"),
    "flag": ("collision: false", "collision: no", "collision: no", "collision: must be true or false, not 'no'"),
    "density twice": ("    density: 1.04", "    mass: 1\n    density: 1.04", "  head:", "state a mass or a density"),
    "impossible inertia": ("0.25, 0, 0, 0.01]", "0.25, 0, 0, 9]", "  base:", "has a negative moment"),
    "material": (
        "material: spring_steel",
        "material: spring",
        "material: spring",
        "Material 'spring' is not in 'heron'",
    ),
    "inline material": ("ratio: 0.4", "ratio: 0.5", "ratio: 0.5", "crest.material: A Poisson ratio lies"),
    "inline material key": ("{density: 1000, ", "{", "material: {y", "crest.material.density: is missing"),
    "interface": ("- body: beak", "- body: beek", "beek", r"crest.interfaces\[1\]: Body 'beek' is not in"),
    "interface type": (
        "- {body: head}",
        "- head",
        "- head",
        r"interfaces\[0\]: must be a mapping with keys of body, at",
    ),
    "part name": ("  tail:", "  eye:", "  eye:\n    rod", "flexible_parts.eye: this name is taken by a body"),
    "end point": ("gaze: {body: head", "gaze: {body: had", "had", "end_points.gaze.body: Body 'had' is not"),
    "corners": ("[[0, 0, 0], [1, 0, 0], ", "[", "foot:", "soles.foot: Sole 'foot' needs at least 3 corners"),
    "marker": ("nose: {body: head", "nose: {body: had", "had", "markers.nose.body: Body 'had' is not"),
    "posture": ("neck: 45 deg", "nek: 45 deg", "nek", "curious.nek: Coordinate 'nek' is not in 'heron'. Did you mean"),
    "posture unit": ("neck: 45 deg", "neck: 45 mm", "45 mm", "'45 mm' is a length, but this coordinate turns"),
    "pair": ("[[base, head]]", "[[base, had]]", "had", r"ignored_collisions\[0\]: Body 'had' is not"),
    "pair length": ("[[base, head]]", "[[base]]", "[[base]]", r"ignored_collisions\[0\]: must be two bodies"),
    "no bodies": (
        WHOLE[WHOLE.index("bodies:") :],
        "bodies:\n",
        "bodies:",
        "bodies: is empty; a character needs at least",
    ),
    "world body": ("  beak:\n", "  world:\n", "  world:", "bodies.world: 'world' is the world itself"),
    "empty name": ("  beak:\n", '  "":\n', '"":', "must be a name, not empty"),
    "duplicate key": ("  eye: {}", "  beak: {}", "  beak: {}", "the key 'beak' stands twice, first on line 23"),
    "section type": (
        "markers:\n  nose: {body: head, at: [1, 2, 3]}",
        "markers: [a]",
        "markers",
        "must be a mapping of names",
    ),
    "list type": ("[[base, head]]", "base", "ignored", "ignored_collisions: must be a list, not 'base'"),
    "lost body": ("joints:", "  spare:\njoints:", "joints", "not connected to 'base': spare"),
    "tab": ("    mass: 1200 g", "\tmass: 1200 g", "mass: 1200", "Indent with spaces, not with tabs"),
    "bracket": ("-1.62]", "-1.62", "materials", "flow sequence"),
    "tag": ("name: heron", "name: !!python/name:os.system x", "os.system", "the tag '.*os.system' is not allowed"),
    "alias": ("name: heron", "name: *heron", "*heron", r"the alias '\*heron' is not defined before"),
    "second document": ("name: heron", "name: heron\n---\nname: stork", "---", "a second document starts here"),
    "key type": ("gravity: [0, 0, -1.62]", "? [a, b]\n: 1", "? [", "a key must be a word"),
    "bad merge": ("  eye: {}", "  eye: {<<: [1]}", "<<", "'<<' takes the alias of a mapping"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named_with_its_line(case: str):
    old, new, place, message = WRONG[case]
    assert old in WHOLE
    text = WHOLE.replace(old, new, 1)
    line = text[: text.index(place)].count("\n") + 1
    with pytest.raises(FileFormatError, match=message) as caught:
        character_from_yaml(text, source="heron.yaml")
    assert str(caught.value).startswith(f"heron.yaml, line {line}: ")
    assert "\n" not in str(caught.value)


def test_several_errors_are_counted_and_the_first_one_is_told():
    text = (
        WHOLE.replace("type: revolute", "type: revolut")
        .replace("mass: 1200 g", "mass: x")
        .replace("extent: 3 mm", "extent: x")
    )
    with pytest.raises(
        FileFormatError, match=r"^heron.yaml, line 9: bodies.base.mass.*\(2 more errors in this file.\)$"
    ):
        character_from_yaml(text, source="heron.yaml")


def bomb(levels: int, width: int) -> str:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, levels)]
    return "\n".join(lines)


def merge_bomb(levels: int) -> str:
    lines = ["a0: &a0 {}"]
    lines += [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}" for n in range(1, levels)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("# only a comment\n", "the file is empty"),
        ("~", "the file is empty"),
        ("- animato: 1", "a character file is a mapping that starts with 'animato: 1', not a list of 1"),
        ("heron", "a character file is a mapping that starts with 'animato: 1', not 'heron'"),
        (bomb(12, 10), "its aliases repeat more than 300000 values"),
        (merge_bomb(12), "its aliases repeat more than 300000 values"),
        ("a: &a [*a]", r"the alias '\*a' contains itself"),
        ("[" * 100_000, "nested more than 40 levels deep"),
        ("\n".join(["a0: &a0 {}"] + [f"a{n}: &a{n} {{<<: *a{n - 1}}}" for n in range(1, 5000)]), "nested more than 40"),
        ("\n".join(["a0: &a0 []"] + [f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 5000)]), "nested more than 40"),
        ("animato: \x07", "it holds a character that is not allowed in YAML"),
        ('animato: "\\U99999999"', "heron.yaml"),
        ("%YAML 9.9\n---\na: 1", "heron.yaml"),
        ("animato: 1\n" + "x" * 5000 + ": 1", "heron.yaml"),
    ],
    ids=str,
)
def test_hostile_text_is_refused_quickly(text: str, message: str):
    with pytest.raises(FileFormatError, match=message) as caught:
        character_from_yaml(text, source="heron.yaml")
    assert len(str(caught.value)) < 500


def test_files_that_are_no_text_are_refused(tmp_path: Path):
    path = tmp_path / "heron.yaml"
    path.write_bytes(b"animato: 1\nname: \xff\xfe\n")
    with pytest.raises(FileFormatError, match="UTF-8") as caught:
        load_character_yaml(path)
    assert caught.value.line == 2
    with path.open("wb") as stream:
        stream.truncate(65_000_000)
    with pytest.raises(FileFormatError, match="65 MB"):
        load_character_yaml(path)
    with pytest.raises(FileFormatError, match="no such file"):
        load_character_yaml(tmp_path / "stork.yaml")


def test_manner_is_read_and_what_is_not_said_stays_open():
    text = WHOLE.replace("    axis: -z\n", "    axis: -z\n    manner: {smoothness: 0.2, overshoot: 0.1}\n", 1)
    character = character_from_yaml(text, source="heron.yaml")
    assert character.joint("neck").manner == Manner(smoothness=0.2, overshoot=0.1)
    assert character.joint("neck").manner.responsiveness is None
    assert character_from_yaml(WHOLE).joint("neck").manner == Manner()
