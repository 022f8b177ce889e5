"""Poses for drawing: rest, loops, flexible parts, missing meshes."""

from __future__ import annotations

import numpy as np
import pytest

from animato.character.body import Body
from animato.character.character import Character
from animato.character.flexible_part import FlexiblePart, Interface, Material, Rod
from animato.character.frame import Frame
from animato.character.joint import WORLD, Joint, JointType
from animato.errors import CharacterError, UnknownNameError
from animato.motion.clip import Clip
from animato.motion.posture import Posture
from animato.view.scene.posing import pose_bodies, still_clip


def test_rest_pose_and_posture(post: Character) -> None:
    rest = pose_bodies(post, still_clip(None))
    np.testing.assert_allclose(rest.of("pole").position, [[0.0, 0.0, 0.05]], atol=1e-12)
    turned = pose_bodies(post, still_clip(Posture(("turn",), np.array([np.pi / 2.0]))))
    np.testing.assert_allclose(turned.of("pole").apply((0.0, 0.3, 0.0)), [[-0.3, 0.0, 0.05]], atol=1e-12)


def test_loops_are_cut_and_their_coordinates_may_be_stated(ring: Character) -> None:
    clip = Clip(np.zeros(1), ring.coordinate_names, np.array([[0.3, -0.3, 0.3, -0.3]]))
    poses = pose_bodies(ring, clip)
    # a parallelogram closes: both ends of the cut joint meet
    closing = ring.joint("closing")
    one = poses.of("b").apply(closing.frame_parent.position)
    other = poses.of("c").apply(closing.frame_child.position)
    np.testing.assert_allclose(one, other, atol=1e-12)


def test_unknown_coordinates_are_named(post: Character) -> None:
    with pytest.raises(UnknownNameError, match=r"turm.*Did you mean 'turn'"):
        pose_bodies(post, Clip(np.zeros(1), ("turm",), np.zeros((1, 1))))


def test_body_that_only_a_flexible_part_holds() -> None:
    rod = FlexiblePart(
        "rod", Rod(0.01, 0.5), Material(1000.0, 1e9), (Interface("base"), Interface("tip", Frame(), Frame((0, 0, 0.5))))
    )
    character = Character(
        "reed", (Body("base"), Body("tip")), (Joint("ground", JointType.GROUND, WORLD, "base"),), flexible_parts=(rod,)
    )
    np.testing.assert_allclose(pose_bodies(character, still_clip(None)).of("tip").position, [[0, 0, 0.5]], atol=1e-12)


def test_body_in_the_air_is_an_error() -> None:
    character = Character("bits", (Body("a"), Body("b")))
    with pytest.raises(CharacterError, match="not connected"):
        pose_bodies(character, still_clip(None))
