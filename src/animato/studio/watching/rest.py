"""How a character stands before anybody has moved it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.errors import CharacterError
from animato.mechanics.loops import clip_with_loops
from animato.motion import Clip
from animato.spatial import quaternions
from animato.view.scene import lowest_height, pose_bodies, still_clip

_MOST_KNOWN = 8
_KNOWN: dict[Character, Clip] = {}


def rest_clip(character: Character) -> Clip:
    """One frame at time 0: all coordinates neutral, or as loops close; what floats stands on the floor (z = 0).

    It is found once. To find how low meshes reach their files are read, which holds up the desk unless it was told.

    Args:
        character: Any character.
    """
    known = _KNOWN.get(character)
    if known is None:
        known = _found_rest(character)
        know_rest(character, known)
    return known


@lru_cache(maxsize=8)
def lift_of(character: Character) -> np.ndarray:
    """How much higher the stage shows a robot than `trace` and `design`, which leave its root at the origin [m], [3].

    Args:
        character: Any; one that does not float is where it is.
    """
    places = rest_clip(character).base_positions if character.floats else None
    if places is None:
        return np.zeros(3)
    root = topology_of(rigidified(character)).links[0].body
    lift = np.asarray(places).reshape(-1, 3)[0] - pose_bodies(character, still_clip(None)).of(root).position.reshape(3)
    lift.setflags(write=False)
    return np.asarray(lift)


def know_rest(character: Character, rest: Clip) -> None:
    """Is told how a character rests, as another thread or process has found it."""
    _KNOWN.pop(character, None)
    while len(_KNOWN) >= _MOST_KNOWN:
        _KNOWN.pop(next(iter(_KNOWN)))
    _KNOWN[character] = rest


def _found_rest(character: Character) -> Clip:
    names = character.coordinate_names
    neutral = np.array([[value for joint in character.free_joints for value in joint.neutral]])
    rest = with_closed_loops(character, Clip(np.zeros(1), (), np.zeros((1, 0)), source="rest pose"))
    neutral[:, [names.index(name) for name in rest.names]] = rest.positions
    if not character.floats:
        return Clip(np.zeros(1), names, neutral, source="rest pose")
    poses = pose_bodies(character, still_clip(None))
    lowest = lowest_height(character, poses)
    root = poses.of(topology_of(rigidified(character)).links[0].body)
    place = root.position - (0.0, 0.0, lowest)
    return Clip(np.zeros(1), names, neutral, place, quaternions.normalized(root.quaternion_wxyz), source="rest pose")


def has_loops(character: Character) -> bool:
    """Whether there are loops to be closed."""
    try:
        return not topology_of(rigidified(character)).is_tree
    except CharacterError:
        return False  # drawn as it is


def with_closed_loops(character: Character, clip: Clip) -> Clip:
    """The clip with passive joints as loops have them, where there are loops, it leaves them out and they can be."""
    missing = set(character.coordinate_names) - set(character.actuated_coordinate_names) - set(clip.names)
    if not missing or not has_loops(character):
        return clip
    try:
        return clip_with_loops(character, clip)
    except CharacterError:
        return clip
