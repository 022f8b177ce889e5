"""Columns of a clip that name passive joints of closed loops: they follow the motors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Character, JointRole
from animato.character.structure import rigidified, topology_of
from animato.mechanics.loops import clip_with_loops
from animato.motion import Clip


def with_passive_columns(character: Character, clip: Clip) -> Clip:
    """The clip with its passive columns as the loops have them; a clip that names none is returned as it is."""
    passive = {
        name
        for joint in character.joints
        if joint.role is JointRole.PASSIVE
        for name in joint.coordinate_names
        if name in clip.names
    }
    if not passive or topology_of(rigidified(character)).is_tree:
        return clip
    whole, positions = clip_with_loops(rigidified(character), clip), np.array(clip.positions)
    for name in passive & set(whole.names):
        positions[:, clip.column(name)] = whole.positions[:, whole.column(name)]
    return replace(clip, positions=positions)
