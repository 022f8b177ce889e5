"""Meshes of a character, reduced so that they can be simulated."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from animato.character import Character, FlexiblePart, Mesh
from animato.mechanics.flexible.mesh import build_part_mesh
from animato.mechanics.flexible.reduction import ReducedPart, reduce_part


def with_reduced_meshes(character: Character, parts: Mapping[str, ReducedPart] | None) -> dict[str, ReducedPart]:
    """Given reduced parts by name, and one for every other flexible part that is a mesh; rods and bars need none.

    Raises:
        FileFormatError: A mesh cannot be read, is open, or has elements turned over.
        CharacterError: It does not reach the bodies it is clamped to.
    """
    found = dict(parts or {})
    for part in character.flexible_parts:
        if isinstance(part.geometry, Mesh) and part.name not in found:
            found[part.name] = _reduced(part)
    return found


@lru_cache(maxsize=32)
def _reduced(part: FlexiblePart) -> ReducedPart:
    """By static loads; what was reduced before is taken from disk."""
    return reduce_part(build_part_mesh(part))
