"""A character that is written and read is the same character, to the last bit."""

from __future__ import annotations

import math
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from animato.character.body import Body
from animato.character.character import Character
from animato.character.flexible_part import Bar, FlexiblePart, Interface, Material, MaterialModel, Rod
from animato.character.frame import Frame
from animato.character.joint import (
    COORDINATE_SUFFIXES,
    FREEDOM,
    LIMIT_COUNT,
    WORLD,
    Coupling,
    Joint,
    JointRole,
    JointType,
)
from animato.character.landmarks import EndPoint, Marker, NamedPosture, Sole
from animato.character.limits import Limits, TorqueSpeedCurve
from animato.character.manner import Manner
from animato.character.servo import SERVOS, Actuator
from animato.character.shape import Box, Capsule, Cylinder, Ellipsoid, Mesh, Shape, Sphere
from animato.formats.character_files import load_character, save_character, shipped_characters
from animato.formats.character_yaml.reader import character_from_yaml
from animato.formats.character_yaml.writer import character_to_yaml

AWKWARD = ["on", "null", "~", "007", "1e5", "<<", "- a", "a: b", "#x", "{x}", "[", "'", '"', "\\", "é", "\n", "\u2028"]

names = st.one_of(
    st.sampled_from(AWKWARD),
    st.from_regex(r"[a-z]{1,6}", fullmatch=True),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8),
).filter(lambda name: name != WORLD)
numbers = st.floats(-1e6, 1e6, allow_nan=False)
positive = st.floats(1e-6, 1e6)
not_negative = st.one_of(st.just(0.0), positive)
vectors = st.tuples(numbers, numbers, numbers)
positives = st.tuples(positive, positive, positive)
directions = st.one_of(
    st.sampled_from([(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)]),
    st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: math.hypot(*v) > 0.1),
)
turns = st.one_of(
    st.just((1.0, 0.0, 0.0, 0.0)), st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: math.hypot(*q) > 0.1)
)
frames = st.builds(Frame, vectors, turns)
meshes = st.builds(Mesh, st.sampled_from(["/robots/a/arm.stl", "package://a/b.dae", "/elsewhere/é b.obj"]), positives)
geometries = st.one_of(
    st.builds(Box, positives),
    st.builds(Sphere, positive),
    st.builds(Ellipsoid, positives),
    st.builds(Cylinder, positive, positive),
    st.builds(Capsule, positive, positive),
    meshes,
)
part_of_one = st.floats(0, 1)
colours = st.none() | st.tuples(part_of_one, part_of_one, part_of_one, st.just(1.0) | part_of_one)
shapes = st.builds(Shape, geometries, frames, colours, st.booleans(), st.booleans())
materials = st.builds(
    Material,
    positive,
    positive,
    st.floats(-0.9, 0.49),
    not_negative,
    not_negative,
    st.sampled_from(list(MaterialModel)),
)


@st.composite
def bodies(draw: st.DrawFn, name: str) -> Body:
    some = tuple(draw(st.lists(shapes, max_size=2)))
    if draw(st.booleans()):
        centre = draw(st.none() | vectors)
        diagonal = draw(st.none() | positives)
        inertia = None if diagonal is None else (*diagonal, 0.0, 0.0, 0.0)
        return Body(name, draw(not_negative), centre, inertia, shapes=some)
    return Body(name, density=draw(positive) if some and draw(st.booleans()) else None, shapes=some)


@st.composite
def limits(draw: st.DrawFn) -> Limits:
    ends = sorted([draw(numbers), draw(numbers)])
    lower, upper = (end if draw(st.booleans()) else None for end in ends)
    rates = [draw(st.none() | positive) for _ in range(4)]
    curve = None
    if draw(st.booleans()):
        steps = sorted(draw(st.sets(positive, min_size=1, max_size=3)))
        falling = sorted(draw(st.lists(not_negative, min_size=len(steps) + 1, max_size=len(steps) + 1)), reverse=True)
        curve = TorqueSpeedCurve((0.0, *steps), tuple(falling))
    return Limits(lower, upper, *rates, curve)


@st.composite
def joints(draw: st.DrawFn, name: str, parent: str, child: str, leaders: list[str]) -> Joint:
    kind = draw(st.sampled_from([kind for kind in JointType if kind is not JointType.GROUND]))
    moves = FREEDOM[kind] > 0
    role = draw(st.sampled_from(list(JointRole))) if moves else JointRole.PASSIVE
    axis = draw(directions)
    second = draw(st.none() | directions)
    if second is not None:
        product = abs(sum(a * b for a, b in zip(axis, second, strict=True)))
        second = None if product > 0.99 * math.hypot(*axis) * math.hypot(*second) else second
    coupling = None
    if FREEDOM[kind] == 1 and leaders and draw(st.booleans()):
        coupling = Coupling(draw(st.sampled_from(leaders)), draw(numbers), draw(numbers))
    configuration = ()
    if role is JointRole.CONFIGURABLE and draw(st.booleans()):
        configuration = tuple(draw(numbers) for _ in COORDINATE_SUFFIXES[kind])
    servo = st.builds(Actuator, st.none() | st.sampled_from(list(SERVOS)), positive)
    return Joint(
        name,
        kind,
        parent,
        child,
        role,
        draw(frames),
        draw(frames),
        axis,
        second,
        tuple(draw(limits()) for _ in range(LIMIT_COUNT[kind])) if draw(st.booleans()) else (),
        draw(st.none() | servo) if moves else None,
        coupling,
        configuration,
        draw(not_negative),
        draw(not_negative),
        draw(not_negative),
        draw(manners) if moves else Manner(),
    )


@st.composite
def all_joints(draw: st.DrawFn, body_names: list[str]) -> list[Joint]:
    """A tree over all bodies, perhaps held by the world, and perhaps some joints that close loops."""
    pairs = [(draw(st.sampled_from(body_names[:n])), body_names[n]) for n in range(1, len(body_names))]
    if len(body_names) > 1:
        pairs += draw(st.lists(st.permutations(body_names).map(lambda order: (order[0], order[1])), max_size=2))
    found: list[Joint] = []
    for number, (parent, child) in enumerate(pairs):
        leaders = [one.name for one in found if one.is_free_coordinate and len(one.coordinate_names) == 1]
        # Suffixes of coordinates start with a dot, so a joint that ends in a digit is never confused with one.
        found.append(draw(joints(f"{draw(names)}{number}", parent, child, leaders)))
    if draw(st.booleans()):
        found.insert(0, Joint("ground", JointType.GROUND, WORLD, body_names[0], frame_parent=draw(frames)))
    return found


unsaid_or_share = st.none() | st.floats(0.0, 0.9)
manners = st.builds(Manner, *[unsaid_or_share] * 5)


@st.composite
def characters(draw: st.DrawFn) -> Character:
    all_names = draw(st.lists(names, min_size=1, max_size=5, unique=True))
    body_names = all_names[: max(1, len(all_names) - 1)]
    some_body = st.sampled_from(body_names)
    moving = draw(all_joints(body_names))
    interfaces = st.lists(st.builds(Interface, some_body, frames, frames, not_negative), min_size=1, max_size=2)
    part_geometry = st.builds(Rod, positive, positive) | st.builds(Bar, positive, positive, positive) | meshes
    steel = draw(materials)
    parts = [
        FlexiblePart(name, draw(part_geometry), draw(st.just(steel) | materials), tuple(draw(interfaces)))
        for name in all_names[len(body_names) :]
    ]
    free = [name for joint in moving if joint.is_free_coordinate for name in joint.coordinate_names]
    values = st.lists(st.sampled_from(free), unique=True) if free else st.just([])
    end_points = [
        EndPoint(name, draw(some_body), draw(frames), draw(directions), draw(directions), draw(st.booleans()))
        for name in draw(st.lists(names, max_size=2, unique=True))
    ]
    corners = st.lists(vectors, min_size=3, max_size=5)
    return Character(
        draw(names),
        tuple(draw(bodies(name)) for name in body_names),
        tuple(moving),
        tuple(parts),
        tuple(end_points),
        tuple(
            Sole(name, draw(some_body), tuple(draw(corners))) for name in draw(st.lists(names, max_size=2, unique=True))
        ),
        tuple(
            Marker(name, draw(some_body), draw(vectors), draw(frames).quaternion_wxyz)
            for name in draw(st.lists(names, max_size=2, unique=True))
        ),
        tuple(
            NamedPosture(name, tuple((one, draw(numbers)) for one in draw(values)))
            for name in draw(st.lists(names, max_size=2, unique=True))
        ),
        tuple(draw(st.lists(st.tuples(some_body, some_body), max_size=2))),
        draw(st.just((0.0, 0.0, -9.81)) | vectors),
        draw(st.just("") | names),
    )


@settings(max_examples=150, deadline=None, derandomize=True)
@given(characters())
def test_writing_and_reading_gives_an_equal_character(character: Character):
    assert character_from_yaml(character_to_yaml(character)) == character


@settings(max_examples=20, deadline=None, derandomize=True)
@given(characters())
def test_writing_twice_gives_the_same_text(character: Character):
    text = character_to_yaml(character)
    assert character_to_yaml(character_from_yaml(text)) == text


def test_shipped_characters_survive_a_file(tmp_path: Path):
    for name in shipped_characters():
        character = load_character(name)
        assert load_character(save_character(tmp_path / f"{name}.yaml", character)) == character
