from __future__ import annotations

import pickle

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.flexible_part import FlexiblePart, Interface, Material, Rod
from animato.character.frame import Frame
from animato.character.joint import Coupling, Joint, JointRole
from animato.character.landmarks import EndPoint, NamedPosture, Sole
from animato.character.limits import Limits, TorqueSpeedCurve
from animato.character.servo import Actuator
from animato.character.shape import Box, Shape
from animato.character.structure.rigid import rigidified
from animato.character.structure.topology import topology_of
from animato.errors import AnimatoError, CharacterError, UnknownNameError
from animato.formats.character_files import load_character

BASE, ARM, HAND = Body("base"), Body("arm", mass=1.0), Body("hand", mass=0.2)
GROUND = Joint("stand", "ground", "world", "base")
ELBOW = Joint("elbow", "revolute", "arm", "hand")
SHOULDER = Joint("shoulder", "universal", "base", "arm")


def heron(**changes: object) -> Character:
    parts: dict[str, object] = {"bodies": (BASE, ARM, HAND), "joints": (GROUND, SHOULDER, ELBOW)}
    return Character("heron", **{**parts, **changes})  # type: ignore[arg-type]


def test_coordinates_stand_in_the_order_of_joints() -> None:
    character = heron()
    assert character.coordinate_names == ("shoulder.first", "shoulder.second", "elbow")
    assert character.actuated_coordinate_names == character.coordinate_names
    assert not character.floats
    assert heron(joints=(SHOULDER, ELBOW)).floats


def test_a_wrong_name_lists_the_right_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"Joint 'elbw' is not in 'heron'. Did you mean 'elbow'\? Joints: stand"):
        heron().joint("elbw")
    with pytest.raises(UnknownNameError, match="It has no postures"):
        heron().posture("proud")


def test_it_is_a_value() -> None:
    assert heron() == heron()
    assert hash(heron()) == hash(heron())
    assert heron() != heron(gravity=(0.0, 0.0, -1.62))


def test_default_roles() -> None:
    assert ELBOW.role is JointRole.ACTUATED
    assert GROUND.role is JointRole.PASSIVE


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: heron(bodies=()), "no bodies"),
        (lambda: heron(bodies=(BASE, ARM, ARM, HAND)), "'arm' stands twice"),
        (lambda: heron(bodies=(BASE, ARM)), "Body 'hand' is not in 'heron'"),
        (lambda: heron(joints=(GROUND, ELBOW, ELBOW)), "'elbow' stands twice"),
        (lambda: heron(end_points=(EndPoint("eye", "hed"),)), "Body 'hed'"),
        (lambda: heron(postures=(NamedPosture("proud", (("elbo", 1.0),)),)), "Did you mean 'elbow'"),
        (lambda: heron(gravity=(0.0, np.nan, 0.0)), "finite"),
        (lambda: Joint("j", "revolute", "a", "b", axis=(0, 0, 0)), "must not be zero"),
        (lambda: Joint("j", "universal", "a", "b", axis=(0, 1, 0), second_axis=(0, -1, 0)), "not be parallel"),
        (lambda: Joint("j", "revolute", "world", "b"), "only a ground joint"),
        (lambda: Joint("j", "fixed", "a", "b", "actuated"), "only be passive"),
        (lambda: Joint("j", "universal", "a", "b", stated_limits=(Limits(),)), "takes 2 limits, given 1"),
        (lambda: Joint("j", "spherical", "a", "b", coupling=Coupling("k")), "only one-axis joints"),
        (lambda: Joint("j", "revolute", "a", "b", damping=-1.0), "must not be negative"),
        (lambda: Limits(lower=1.0, upper=-1.0), "reversed"),
        (lambda: Limits(velocity=0.0), "greater than 0"),
        (lambda: Limits(torque=float("inf")), "finite"),
        (lambda: TorqueSpeedCurve((0.0, 1.0), (1.0, 2.0)), "must fall"),
        (lambda: TorqueSpeedCurve((1.0, 2.0), (2.0, 1.0)), "rise from 0"),
        (lambda: Actuator("XM430-W21"), "Did you mean 'XM430-W210'"),
        (lambda: Body("b", mass=-1.0), "must not be negative"),
        (lambda: Body("b", mass=1.0, density=2.0, shapes=(Shape(Box((1, 1, 1))),)), "not both"),
        (lambda: Body("b", density=2.0), "no shape"),
        (lambda: Box((1.0, 0.0, 1.0)), "greater than 0"),
        (lambda: Frame((0, 0), (1, 0, 0, 0)), "3 numbers"),
        (lambda: Frame((0, 0, 0), (0, 0, 0, 0)), "must not be zero"),
        (lambda: Sole("s", "b", ((0, 0, 0), (1, 0, 0))), "at least 3 corners"),
        (lambda: Material(7850.0, 2e11, 0.5), "between -1 and 0.5"),
        (lambda: FlexiblePart("p", Rod(0.01, 1.0), Material(7850.0, 2e11), ()), "no interface"),
    ],
)
def test_contradictions_are_named(build: object, words: str) -> None:
    with pytest.raises(AnimatoError, match=words):
        build()  # type: ignore[operator]


def test_a_servo_fills_what_the_limits_leave_open() -> None:
    joint = Joint(
        "j", "revolute", "a", "b", actuator=Actuator("XM430-W210", 2.0), stated_limits=(Limits(velocity=1.0),)
    )
    (limits,) = joint.limits
    assert limits.velocity == 1.0
    assert limits.torque == 6.0
    assert limits.curve is not None
    np.testing.assert_allclose(limits.curve.speeds[1], 77 * 2 * np.pi / 60 / 2)
    assert joint.stated_limits == (Limits(velocity=1.0),)
    (hobby,) = Joint("j", "revolute", "a", "b", actuator=Actuator("SG90")).limits
    assert hobby.range == (-np.pi / 2, np.pi / 2)


def test_axes_are_orthonormal_and_right_handed() -> None:
    for axis in ((1, 0, 0), (0, 1, 0), (0, 0, -1), (1, 2, 3)):
        axes = Joint("j", "revolute", "a", "b", axis=axis).axes
        np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-12)
        np.testing.assert_allclose(np.linalg.det(axes), 1.0, atol=1e-12)
        np.testing.assert_allclose(axes[:, 0], np.array(axis) / np.linalg.norm(axis), atol=1e-12)


def test_topology_finds_tree_and_loops() -> None:
    tree = topology_of(heron())
    assert [link.body for link in tree.links] == ["base", "arm", "hand"]
    assert tree.is_tree
    looped = heron(joints=(GROUND, SHOULDER, ELBOW, Joint("rod", "spherical", "hand", "base")))
    assert [joint.name for joint in topology_of(looped).loop_joints] == ["elbow"]
    with pytest.raises(CharacterError, match="not connected to 'base': hand"):
        topology_of(heron(joints=(GROUND, SHOULDER)))


def test_flexible_parts_become_rigid_bodies() -> None:
    steel = Material(7850.0, 2e11)
    rod = FlexiblePart(
        "rod", Rod(0.002, 0.5), steel, (Interface("base"), Interface("tip", frame_part=Frame((0.0, 0.0, 0.5))))
    )
    character = Character("reed", (BASE, Body("tip", mass=0.1)), (GROUND,), flexible_parts=(rod,))
    solid = rigidified(character)
    assert [body.name for body in solid.bodies] == ["base", "tip", "rod"]
    assert topology_of(solid).is_tree
    assert rigidified(heron()) is not None


def test_equal_characters_hash_alike_in_every_process() -> None:
    first, second = load_character("pico"), load_character("lamp")
    again = pickle.loads(pickle.dumps(first))
    assert hash(first) == hash(first) != hash(second)
    assert again == first and hash(again) == hash(first)
    assert "_hash" not in first.__getstate__()  # strings hash otherwise elsewhere
