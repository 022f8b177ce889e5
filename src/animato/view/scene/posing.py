"""Where every body is, for drawing: also for characters with closed loops or with a posture only."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Body, Character
from animato.character.structure import rigidified, topology_of
from animato.errors import CharacterError, unknown_name
from animato.mechanics.loops import clip_with_loops
from animato.mechanics.simulation.posing import Performance
from animato.mechanics.tree import BodyPoses, forward_kinematics
from animato.motion import Clip, Posture


def still_clip(posture: Posture | None) -> Clip:
    """A clip of one frame at time 0: the posture, or the rest pose where there is none."""
    if posture is None:
        return Clip(np.zeros(1), (), np.zeros((1, 0)), source="rest pose")
    return Clip(np.zeros(1), posture.names, posture.positions[None], source=posture.source)


def pose_bodies(character: Character, clip: Clip, times: ArrayLike | None = None) -> BodyPoses:
    """Poses of all bodies; those of the character stand first, in its order.

    Closed loops are solved: actuated joints move the passive ones. A clip that states all joints of a
    mechanism is drawn as it is, also where its loops do not meet, and so is one that cannot be followed.

    Args:
        character: Any character.
        clip: Coordinates that it does not name rest. A performance tells what came of it, links of rods included.
        times: [s]; the clip's own frames where not given.
    """
    if isinstance(clip, Performance):
        return clip.poses_at(times)
    for name in clip.names:
        if name not in character.coordinate_names:
            raise unknown_name("coordinate", name, character.coordinate_names, character.name)
    clip = _closed(character, clip)
    tree = spanning_character(character)
    if any(name not in tree.coordinate_names for name in clip.names):
        clip = clip.selected([name for name in clip.names if name in tree.coordinate_names])
    return forward_kinematics(tree, clip, times)


@lru_cache(maxsize=8)
def _closed(character: Character, clip: Clip) -> Clip:
    """The clip with passive joints filled in where loops are to be closed and can be."""
    missing = set(character.coordinate_names) - set(character.actuated_coordinate_names) - set(clip.names)
    if not missing:
        return clip
    try:
        if topology_of(rigidified(character)).is_tree:
            return clip
        return clip_with_loops(character, clip)
    except CharacterError:  # not connected, not assembled, not driven: drawn as it is
        return clip


@lru_cache(maxsize=32)
def spanning_character(character: Character) -> Character:
    """The character as a tree of bare bodies, which is all that posing needs.

    Loops are cut, flexible parts left out or, where they alone hold a body, made rigid. Mass and
    shapes go, so that a mesh file that is not there stops nobody from drawing.
    """
    tree = _cut(replace(character, flexible_parts=()))
    if tree is not None:
        return tree
    tree = _cut(rigidified(character))
    if tree is None:
        topology_of(character)  # raises, and says which bodies hang in the air
        raise CharacterError(f"The bodies of '{character.name}' are not connected.")
    return tree


def _cut(character: Character) -> Character | None:
    """Without the joints that close loops; None where bodies are not connected."""
    try:
        loops = {joint.name for joint in topology_of(character).loop_joints}
    except CharacterError:
        return None
    bare = tuple(Body(body.name) for body in character.bodies)
    if not loops:
        return replace(character, bodies=bare)
    # a gear whose leader is cut away keeps its rest position
    kept = [
        replace(joint, coupling=None) if joint.coupling is not None and joint.coupling.leader in loops else joint
        for joint in character.joints
        if joint.name not in loops
    ]
    names = {name for joint in kept if joint.is_free_coordinate for name in joint.coordinate_names}
    postures = tuple(
        replace(posture, values=tuple(pair for pair in posture.values if pair[0] in names))
        for posture in character.postures
    )
    return replace(character, bodies=bare, joints=tuple(kept), postures=postures)
