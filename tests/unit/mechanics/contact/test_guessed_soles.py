"""Soles from the shapes of feet: found where feet are feet, and not made up where they are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character import Body, Box, Character, Frame, Joint, JointType, Shape, Sphere
from animato.errors import CharacterError, UnknownNameError
from animato.findings import check, verdict
from animato.mechanics.contact import guessed_soles, soles_of_bodies
from animato.motion import Clip

FOOT = Shape(Box((0.2, 0.1, 0.02)), Frame((0.03, 0.0, -0.04)))
BALLS = tuple(Shape(Sphere(0.01), Frame((x, y, -0.04))) for x in (-0.05, 0.12) for y in (-0.03, 0.03))
BALL = Shape(Sphere(0.03), Frame((0.0, 0.0, -0.02)))


def walker(*feet: tuple[Shape, ...], legs: tuple[tuple[float, float], ...] = ((0.0, 0.1), (0.0, -0.1))) -> Character:
    """A box on legs of three joints at (x, y); the shapes of each foot are given."""
    bodies = [Body("trunk", mass=10.0, inertia=(1, 1, 1, 0, 0, 0), shapes=(Shape(Box((0.2, 0.2, 0.3))),))]
    joints = []
    for number, (shapes, (x, y)) in enumerate(zip(feet, legs, strict=True)):
        above, place = "trunk", Frame((x, y, -0.2))
        for part in ("thigh", "shin", "foot"):
            name = f"{part}_{number}"
            bodies.append(Body(name, mass=1.0, inertia=(0.01, 0.01, 0.01, 0, 0, 0), shapes=shapes * (part == "foot")))
            joints.append(Joint(f"{name}_joint", JointType.REVOLUTE, above, name, frame_parent=place))
            above, place = name, Frame((0.0, 0.0, -0.3))
    return Character("walker", tuple(bodies), tuple(joints))


@pytest.mark.parametrize("shapes", [(FOOT,), BALLS])
def test_flat_feet_are_found(shapes: tuple[Shape, ...]) -> None:
    guess = guessed_soles(walker(shapes, shapes))
    assert [sole.body for sole in guess.soles] == ["foot_0", "foot_1"]
    assert guess.reason == "the flat bottoms of 'foot_0' and 'foot_1'"
    corners = np.array(guess.soles[0].corners)
    np.testing.assert_allclose(corners[:, 2], -0.05)
    wide = (0.2, 0.1) if shapes == (FOOT,) else (0.17, 0.06)
    np.testing.assert_allclose(np.ptp(corners[:, :2], axis=0), wide, atol=1e-9)


def test_no_guess_without_certainty() -> None:
    """Point feet, a foot that is missing, feet beside the weight, nothing to see, and a box that stands by itself."""
    four = ((0.2, 0.1), (0.2, -0.1), (-0.2, 0.1), (-0.2, -0.1))
    assert "no flat bottom" in guessed_soles(walker(*[(BALL,)] * 4, legs=four)).reason
    assert "no pairs" in guessed_soles(walker((FOOT,), ())).reason
    assert "would not stand" in guessed_soles(walker((FOOT,), (FOOT,), legs=((0.9, 0.1), (0.9, -0.1)))).reason
    assert "not at the end of a leg" in guessed_soles(walker((), ())).reason
    bare = walker((), ())
    empty = replace(bare, bodies=tuple(replace(body, shapes=()) for body in bare.bodies))
    assert "no shapes" in guessed_soles(empty).reason
    for guess in (guessed_soles(walker(*[(BALL,)] * 4, legs=four)), guessed_soles(empty)):
        assert not guess.soles


def test_soles_can_be_given() -> None:
    robot = walker((FOOT,), ())
    (sole,) = soles_of_bodies(robot, ["foot_0"])
    assert sole.body == "foot_0" and len(sole.corners) == 4
    with pytest.raises(UnknownNameError, match="foot_7"):
        soles_of_bodies(robot, ["foot_7"])
    with pytest.raises(CharacterError, match=r"no shape to be read\. State the corners under `soles`"):
        soles_of_bodies(robot, ["shin_0"])
    with pytest.raises(CharacterError, match="a point or a line"):
        soles_of_bodies(walker((BALL,), (BALL,)), ["foot_0"])


def standing(height: float) -> Clip:
    times = np.linspace(0.0, 1.0, 51)
    base = np.tile((0.0, 0.0, height), (51, 1))
    return Clip(times, ("thigh_0_joint",), np.zeros((51, 1)), base, np.tile((1.0, 0.0, 0.0, 0.0), (51, 1)))


def test_the_check_stands_on_soles_that_it_guessed_and_says_so() -> None:
    robot = walker((FOOT,), (FOOT,))
    result = check(robot, standing(0.85))
    assert result.coverage is not None and result.coverage.carried_by == "floor"
    assert result.balance is not None and not result.tips
    assert "taken for soles: the flat bottoms of 'foot_0' and 'foot_1'" in result.notes[0]
    assert "keeps its balance" in verdict(result)
    one = check(robot, standing(0.85), soles=["foot_0"])
    assert one.tips and one.balance is not None and one.balance.direction == "to its right"
    none = check(robot, standing(0.85), soles=[])
    assert none.balance is None and none.sole_guess is None and none.coverage is not None
    assert none.coverage.carried_by == "root"


def test_a_brush_with_the_floor_is_no_standing() -> None:
    clip = standing(0.95)
    base = np.array(clip.base_positions)
    base[25:28, 2] = 0.85
    brushing = replace(clip, base_positions=base)
    result = check(walker((FOOT,), (FOOT,)), brushing, keep_reference_pose=True)
    assert result.balance is None and result.coverage is not None and result.coverage.carried_by == "root"
