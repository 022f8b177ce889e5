"""A character that floats, held where it stands."""

from __future__ import annotations

from dataclasses import replace

from animato.character import Character, Joint, JointType
from animato.character.structure import topology_of


def held_at_root(character: Character) -> Character:
    """The character with its root on the ground, as it stands at rest."""
    root = topology_of(character).links[0].body
    name = next(
        name
        for name in ("ground", *(f"ground {n}" for n in range(len(character.joints) + 1)))
        if not any(joint.name == name for joint in character.joints)
    )
    return replace(character, joints=(Joint(name, JointType.GROUND, "world", root), *character.joints))
