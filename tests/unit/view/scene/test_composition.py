"""From where a motion is seen, and where the floor is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character.character import Character
from animato.motion.clip import Clip
from animato.view.scene.composition import floor_height, outline_points, planar_axis, viewing_direction
from animato.view.scene.posing import pose_bodies, still_clip
from animato.view.scene.scene import build_scene
from animato.view.scene.stage import set_stage


def direction_of(character: Character, clip: Clip) -> np.ndarray:
    scene, rest, poses = build_scene(character), pose_bodies(character, still_clip(None)), pose_bodies(character, clip)
    points = outline_points(scene, poses)
    return viewing_direction(character, rest, poses, points, has_base=clip.has_base, size=scene.size)


def test_planar_mechanism_is_seen_face_on(ring: Character) -> None:
    axis = planar_axis(ring, pose_bodies(ring, still_clip(None)))
    assert axis is not None and abs(axis[1]) > 1.0 - 1e-12
    direction = direction_of(ring, still_clip(None))
    assert direction[1] < -0.98 and abs(direction[0]) < 1e-9  # from -y, so that x runs to the right


def test_mechanism_in_the_floor_plane_is_seen_from_above(ring: Character) -> None:
    turned = [replace(joint, axis=(0.0, 0.0, 1.0)) for joint in ring.joints[1:]]
    flat = [
        replace(joint, frame_parent=replace(joint.frame_parent, position=(x, z, 0.0)))
        for joint, (x, _, z) in ((joint, joint.frame_parent.position) for joint in turned)
    ]
    direction = direction_of(replace(ring, joints=(ring.joints[0], *flat)), still_clip(None))
    assert direction[2] > 0.95


def test_other_characters_are_seen_at_three_quarters(post: Character, walker: Character) -> None:
    for character in (post, walker):
        direction = direction_of(character, still_clip(None))
        assert direction[0] > 0.5 and direction[1] < -0.3 and 0.1 < direction[2] < 0.4
    assert planar_axis(walker, pose_bodies(walker, still_clip(None))) is None  # a ball joint is in it


def test_traveller_goes_across_the_picture_to_the_right(walker: Character, walk: Clip) -> None:
    stage = set_stage(walker, walk)
    (start, end), _ = stage.camera.project(walk.base_positions[[0, -1]], 640, 480)
    assert end[0] - start[0] > 250
    assert stage.camera.project(walk.base_positions, 640, 480)[1].min() > 0.0


def test_floor_is_at_zero_unless_the_character_would_stand_in_it(walker: Character, walk: Clip) -> None:
    rest = still_clip(None)
    points = outline_points(build_scene(walker), pose_bodies(walker, rest))
    lowest = points[:, 2].min()
    assert lowest < -0.75
    assert floor_height(walker, points, has_base=False, size=1.5) == lowest
    assert floor_height(walker, points - (0, 0, lowest - 0.3), has_base=True, size=1.5) == 0.0  # it jumps
    assert floor_height(walker, points - (0, 0, lowest + 0.02), has_base=True, size=1.5) == 0.0  # a toe in the floor
    assert floor_height(walker, points, has_base=True, size=1.5) == lowest
    assert set_stage(walker, walk).ground.height == 0.0
