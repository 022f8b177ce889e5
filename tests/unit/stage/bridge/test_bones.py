"""Bones of a character: chained by hand they carry bodies to where animato's own kinematics has them."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character import Body, Character, Coupling, Frame, Joint, JointRole, JointType, Limits
from animato.formats import load_character
from animato.formats.outgoing import plain_tree
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip
from animato.spatial.rigid_transform import RigidTransform
from animato.stage.bridge import Bone, Skeleton, bones_of


def _moved(bone: Bone, values: dict[str, float]) -> RigidTransform:
    """What an editor does with the channels of a bone."""
    place, turn = np.zeros(3), np.array((1.0, 0.0, 0.0, 0.0))
    for channel in bone.channels:
        value = channel.sign * values[channel.coordinate]
        if channel.path == "location":
            place[channel.index] = value
        elif channel.path == "quaternion":
            turn[channel.index] = value
        else:
            turn = np.array((np.cos(value / 2), 0.0, np.sin(value / 2), 0.0))
    return RigidTransform(place, turn)


def _posed(skeleton: Skeleton, values: dict[str, float]) -> dict[str, RigidTransform]:
    posed: dict[str, RigidTransform] = {}
    rests = {bone.name: bone.rest for bone in skeleton.bones}
    for bone in skeleton.bones:
        local = bone.rest if bone.parent is None else posed[bone.parent] @ rests[bone.parent].inverse() @ bone.rest
        posed[bone.name] = local @ _moved(bone, values)
    return {body: place if bone is None else posed[bone] @ place for body, (bone, place) in skeleton.bodies.items()}


def _every_type() -> Character:
    """A floating tree with every type of joint, one of them walked backwards."""
    places = [Frame((0.1 * n, -0.05 * n, 0.2), (0.5, 0.5, -0.5, 0.5)) for n in range(8)]
    joints = (
        Joint("slide", JointType.PRISMATIC, "trunk", "a", frame_parent=places[1], axis=(1.0, 2.0, 0.0)),
        Joint("hinge", JointType.REVOLUTE, "b", "trunk", frame_parent=places[2], frame_child=places[3]),  # backwards
        Joint("neck", JointType.SPHERICAL, "trunk", "c", frame_parent=places[4]),
        Joint("hip", JointType.UNIVERSAL, "c", "d", frame_parent=places[5], axis=(0.0, 0.0, 1.0)),
        Joint("rod", JointType.CYLINDRICAL, "d", "e", frame_child=places[6], axis=(0.0, -1.0, 0.0)),
        Joint("table", JointType.CARTESIAN, "a", "f", frame_parent=places[7]),
        Joint("glue", JointType.FIXED, "f", "g", frame_parent=places[1]),
    )
    return Character("everything", tuple(Body(name) for name in ("trunk", *"abcdefg")), joints)


def _random_values(character: Character, seed: int) -> dict[str, float]:
    rng = np.random.default_rng(seed)
    values: dict[str, float] = {}
    for joint in character.free_joints:
        numbers = rng.normal(size=len(joint.coordinate_names))
        if joint.type is JointType.SPHERICAL:
            numbers /= np.linalg.norm(numbers)
        values |= dict(zip(joint.coordinate_names, numbers.tolist(), strict=True))
    return values


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["every type", "lamp", "pico"])
def test_channels_are_coordinates(name: str, seed: int) -> None:
    character = _every_type() if name == "every type" else load_character(name)
    values = _random_values(character, seed)
    turn = np.array((0.5, -0.5, 0.1, 0.7))
    turn /= np.linalg.norm(turn)
    base = (np.array([[0.3, -0.2, 0.9]]), turn[None]) if character.floats else (None, None)
    clip = Clip(np.zeros(1), tuple(values), np.array([list(values.values())]), *base)
    if character.floats:
        parts = ("x", "y", "z", "qw", "qx", "qy", "qz")
        values |= {f"base.{part}": float(one) for part, one in zip(parts, (0.3, -0.2, 0.9, *turn), strict=True)}
    expected = forward_kinematics(character, clip)
    for body, place in _posed(bones_of(plain_tree(character)), values).items():
        there = expected.of(body)
        assert np.abs(place.position - there.position[0]).max() < 1e-10
        assert np.abs(place.rotation - there.rotation[0]).max() < 1e-10


def test_roles() -> None:
    gear = Joint(
        "follow", JointType.REVOLUTE, "b", "c", role=JointRole.PASSIVE, coupling=Coupling("lead", ratio=2.0, offset=0.1)
    )
    lead = Joint("lead", JointType.REVOLUTE, "a", "b", stated_limits=(Limits(lower=-1.0),))
    hold = Joint("hold", JointType.GROUND, "world", "a")
    skeleton = bones_of(plain_tree(Character("geared", (Body("a"), Body("b"), Body("c")), (hold, lead, gear))))
    assert [(bone.name, bone.role) for bone in skeleton.bones] == [("lead", "driven"), ("follow", "follower")]
    (channel,) = skeleton.bones[0].channels
    assert (channel.lower, channel.upper) == (-1.0, None)
    assert skeleton.bodies["a"][0] is None


def test_loops_leave_what_follows_to_animato() -> None:
    skeleton = bones_of(plain_tree(load_character("four_bar")))
    assert {bone.name: bone.role for bone in skeleton.bones} == {
        "crank_axle": "driven",
        "rocker_axle": "computed",
        "crank_pin": "computed",
    }


def test_root_bone_never_takes_the_name_of_a_coordinate() -> None:
    joint = Joint("trunk", JointType.REVOLUTE, "trunk", "arm")
    skeleton = bones_of(plain_tree(Character("twice", (Body("trunk"), Body("arm")), (joint,))))
    names = [bone.name for bone in skeleton.bones]
    assert len(set(names)) == 2
    assert names[1] == "trunk"
