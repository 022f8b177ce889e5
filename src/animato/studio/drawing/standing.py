"""Where a robot that floats stands while it draws: on the floor, as the stage shows it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.studio.drawing.lines import Drawn
from animato.studio.watching import rest_clip
from animato.view.scene import pose_bodies, still_clip


@lru_cache(maxsize=8)
def lift_of(character: Character) -> np.ndarray:
    """How much higher the stage shows the robot than `trace`, which leaves its root at the origin [m], [3].

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


def as_traced(character: Character, drawn: Drawn) -> Drawn:
    """The drawing as `trace` sees it: around a root at the origin."""
    lift = lift_of(character)
    if not lift.any():
        return drawn
    return drawn.with_strokes(tuple(replace(one, board=one.board.moved(-lift)) for one in drawn.strokes))
