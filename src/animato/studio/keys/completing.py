"""A take of keys that states every coordinate, so that any of them can be set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Character
from animato.errors import CharacterError
from animato.mechanics.loops import clip_with_loops
from animato.motion import Clip
from animato.studio.keys.key import Key
from animato.studio.keys.keyed import Keyed
from animato.studio.keys.motion import has_loops
from animato.studio.watching import rest_clip
from animato.view.scene import pose_bodies, still_clip


def completed(character: Character, keyed: Keyed, *, with_root: bool) -> Keyed:
    """With all coordinates of the character and, where asked for, its root; what was not stated rests.

    Args:
        character: Who.
        keyed: Given back as it is where nothing is missing.
        with_root: Whether the root is stated too.
    """
    names = character.coordinate_names
    rooted = keyed.base.has_base or with_root
    if keyed.base.names == names and rooted == keyed.base.has_base:
        return keyed
    rest = rest_root(character)
    base = _with_names(character, keyed.base)
    if rooted and not base.has_base:
        places, turns = (np.tile(part, (base.frame_count, 1)) for part in (rest[:3], rest[3:]))
        base = Clip(base.times, base.names, base.positions, places, turns, base.source)
    keys = []
    for key in keyed.keys:
        values = dict(zip(keyed.base.names, key.pose, strict=True))
        here = base.positions[keyed.frame_at(key.time)]
        pose = np.array([values.get(name, here[column]) for column, name in enumerate(names)])
        keys.append(Key(key.time, pose, (rest if key.root is None else key.root) if rooted else None, key.ease))
    return replace(keyed, base=base, keys=tuple(keys))


def rest_root(character: Character) -> np.ndarray:
    """Where the root body is shown at rest: x, y, z [m] and qw, qx, qy, qz, shape [7].

    What floats stands on the floor then, as it does on the stage while a take says nothing of its root.
    """
    rest = rest_clip(character)
    if rest.base_positions is not None and rest.base_quaternions_wxyz is not None:
        return np.concatenate([rest.base_positions[0], rest.base_quaternions_wxyz[0]])
    poses = pose_bodies(character, still_clip(None))
    body = root_body(character)
    at = poses.of(body)
    return np.concatenate([at.position[0], at.quaternion_wxyz[0]])


def root_body(character: Character) -> str:
    """The body that no joint of the character leads to."""
    led = {joint.child for joint in character.joints}
    return next((body.name for body in character.bodies if body.name not in led), character.bodies[0].name)


def _with_names(character: Character, clip: Clip) -> Clip:
    """The clip with all coordinates; loops are closed where they can be."""
    if clip.names == character.coordinate_names:
        return clip
    if has_loops(character):
        try:
            return clip_with_loops(character, clip)
        except CharacterError:
            pass  # not assembled or not driven: what is not stated rests
    rest = [value for joint in character.free_joints for value in joint.neutral]
    positions = np.tile(rest, (clip.frame_count, 1))
    for column, name in enumerate(character.coordinate_names):
        if name in clip.names:
            positions[:, column] = clip.positions[:, clip.column(name)]
    places, turns = clip.base_positions, clip.base_quaternions_wxyz
    return Clip(clip.times, character.coordinate_names, positions, places, turns, clip.source)
