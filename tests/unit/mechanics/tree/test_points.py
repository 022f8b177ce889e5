"""Kinematics of named points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Coupling, Joint, JointRole, JointType
from animato.character.landmarks import EndPoint, Marker
from animato.character.limits import Limits
from animato.errors import CharacterError, UnknownNameError
from animato.formats.character_files import load_character
from animato.mechanics.tree.kinematics import forward_kinematics, frame_jacobians
from animato.mechanics.tree.points import PointKinematics, build_point_kinematics, named_point
from animato.motion.clip import Clip
from animato.motion.posture import Posture

TORSO_POINTS = ("left_hand", "right_hand", "head", "pelvis")


def scissor() -> Character:
    """A turntable, a rail, and a finger geared to the rail's motor behind a ball joint without a motor."""
    bodies = tuple(Body(name) for name in ("foot", "table", "slide", "ball", "finger"))
    joints = (
        Joint("ground", JointType.GROUND, "world", "foot"),
        Joint("turn", JointType.REVOLUTE, "foot", "table", axis=(0, 0, 1), stated_limits=(Limits(lower=-2, upper=2),)),
        Joint("rail", JointType.PRISMATIC, "table", "slide", axis=(1, 0, 0), stated_limits=(Limits(lower=0, upper=1),)),
        Joint("ball", JointType.SPHERICAL, "slide", "ball", role=JointRole.PASSIVE, frame_parent=Frame((0.2, 0, 0))),
        Joint(
            "finger",
            JointType.REVOLUTE,
            "ball",
            "finger",
            axis=(0, 1, 0),
            coupling=Coupling("rail", ratio=-2.0, offset=0.5),
            stated_limits=(Limits(lower=-0.5, upper=0.9),),
        ),
    )
    end_points = (EndPoint("tip", "finger", Frame((0.3, 0.1, 0.0)), forward=(0, 1, 0)),)
    return Character("scissor", bodies, joints, end_points=end_points, markers=(Marker("mark", "slide", (0, 0, 0.1)),))


def random_postures(kinematics: PointKinematics, count: int, rng: np.random.Generator) -> np.ndarray:
    lower, upper = np.maximum(kinematics.lower, -3.0), np.minimum(kinematics.upper, 3.0)
    return rng.uniform(lower, upper, (count, len(lower)))


def as_clip(kinematics: PointKinematics, q: np.ndarray) -> Clip:
    held = np.tile(kinematics.held.positions, (len(q), 1))
    return Clip(np.arange(len(q)) * 1.0, kinematics.names + kinematics.held.names, np.hstack([q, held]))


@pytest.mark.parametrize(
    ("name", "points"), [("planar_arm", ("pen",)), ("arm6", ("pen", "elbow")), ("torso29", TORSO_POINTS)]
)
def test_places_and_jacobians_are_those_of_the_whole_character(
    name: str, points: tuple[str, ...], rng: np.random.Generator
) -> None:
    character = load_character(name)
    kinematics = build_point_kinematics(character, points)
    q = random_postures(kinematics, 13, rng)
    clip = as_clip(kinematics, q)
    poses = forward_kinematics(character, clip)
    places, jacobians = kinematics.jacobians(q)
    dofs = kinematics.tree.dof_names
    columns = [dofs.index(one) for one in kinematics.names]
    for k, point in enumerate(kinematics.points):
        np.testing.assert_allclose(places[:, k], poses.of(point.body).apply(np.array(point.position)), atol=1e-12)
        J = frame_jacobians(character, clip, point.body, Frame(point.position))
        np.testing.assert_allclose(jacobians[:, k], J[:, :3, columns], atol=1e-12)
        others = [d for d in range(len(dofs)) if d not in columns]
        np.testing.assert_allclose(J[:, :3, others], 0.0, atol=1e-12)
    np.testing.assert_array_equal(kinematics.places(q), places)


def test_gears_slides_and_held_balls(rng: np.random.Generator) -> None:
    character = scissor()
    turn = np.array([0.9, 0.1, -0.2, 0.3])
    start = Posture(
        ("turn", "ball.qw", "ball.qx", "ball.qy", "ball.qz"), np.concatenate([[0.3], turn / np.linalg.norm(turn)])
    )
    kinematics = build_point_kinematics(character, ("tip", "mark"), start=start, pointing=("tip",))
    assert kinematics.names == ("turn", "rail")
    assert kinematics.held.names == ("ball.qw", "ball.qx", "ball.qy", "ball.qz")
    # the finger turns by 0.5 - 2 rail, which must stay within [-0.5, 0.9]
    np.testing.assert_allclose(kinematics.upper, [2.0, 0.5], atol=1e-12)
    np.testing.assert_allclose(kinematics.lower, [-2.0, 0.0], atol=1e-12)
    q = random_postures(kinematics, 9, rng)
    poses = forward_kinematics(character, as_clip(kinematics, q))
    places = kinematics.places(q)
    np.testing.assert_allclose(places[:, 0], poses.of("finger").apply(np.array([0.3, 0.1, 0.0])), atol=1e-12)
    np.testing.assert_allclose(places[:, 1], poses.of("slide").apply(np.array([0.0, 0.0, 0.1])), atol=1e-12)
    way = poses.of("finger").apply(np.array([0.0, 1.0, 0.0])) - poses.of("finger").position
    np.testing.assert_allclose(places[:, 2], way, atol=1e-12)


def test_points_by_name() -> None:
    character = scissor()
    assert named_point(character, "tip").forward == pytest.approx((0.0, 1.0, 0.0))
    assert named_point(character, "mark").position == (0, 0, 0.1)
    assert named_point(character, "table").body == "table"
    with pytest.raises(UnknownNameError, match=r"'tpi' is not in 'scissor'\. Did you mean 'tip'\?"):
        named_point(character, "tpi")


def test_a_point_that_cannot_move() -> None:
    with pytest.raises(CharacterError, match="No motor of 'scissor' moves 'foot'"):
        build_point_kinematics(scissor(), ("foot",))
    still = replace(
        scissor(), joints=scissor().joints[:1] + tuple(replace(j, role=JointRole.PASSIVE) for j in scissor().joints[1:])
    )
    with pytest.raises(CharacterError, match="No motor"):
        build_point_kinematics(still, ("tip",))


def test_a_start_of_unknown_coordinates() -> None:
    with pytest.raises(UnknownNameError, match="'elbow'"):
        build_point_kinematics(scissor(), ("tip",), start=Posture(("elbow",), np.zeros(1)))
