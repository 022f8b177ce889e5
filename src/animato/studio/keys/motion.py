"""The motion of keys for a character: loops are closed."""

from __future__ import annotations

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.mechanics.loops import clip_with_loops
from animato.motion import Clip
from animato.studio.keys.keyed import Keyed


def has_loops(character: Character) -> bool:
    """Whether joints close loops, so that some only follow."""
    return not topology_of(rigidified(character)).is_tree


def keyed_motion(character: Character, keyed: Keyed) -> Clip:
    """What the keys say; where joints close loops, motors are as keys say and everything else follows.

    Args:
        character: Who.
        keyed: Without keys its base is given back as it is.

    Raises:
        MechanismError: Some frame cannot be reached with closed loops.
    """
    clip = keyed.clip
    if not keyed.keys or not has_loops(character):
        return clip
    return clip_with_loops(character, clip)
