"""Where a robot that floats stands while it draws: on the floor, as the stage shows it."""

from __future__ import annotations

from dataclasses import replace

from animato.character import Character
from animato.studio.drawing.lines import Drawn
from animato.studio.watching import lift_of


def as_traced(character: Character, drawn: Drawn) -> Drawn:
    """The drawing as `trace` sees it: around a root at the origin."""
    lift = lift_of(character)
    if not lift.any():
        return drawn
    return drawn.with_strokes(tuple(replace(one, board=one.board.moved(-lift)) for one in drawn.strokes))
