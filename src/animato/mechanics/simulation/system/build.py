"""Builds the system of a character."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from animato.character import Character
from animato.mechanics.simulation.system.system import System


def build_system(
    character: Character,
    *,
    tracked: Sequence[str] = (),
    joint_stiffness: Mapping[str, float] | None = None,
    joint_damping: Mapping[str, float] | None = None,
) -> System:
    """Builds the system in minimal coordinates of a character (signature; the body follows)."""
    raise NotImplementedError
