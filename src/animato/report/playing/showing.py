"""A character's motion as a film, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from animato.character import Character
from animato.motion import Clip, Posture
from animato.report.kit import OVER, Figure, Film, Thing, trail_of
from animato.view.scene import still_clip


def show(
    character: Character,
    clip: Clip | Posture | None = None,
    *,
    ghost: Clip | None = None,
    placing: str = OVER,
    trails: str | Sequence[str] = (),
) -> Film:
    """A motion to be played: the last line of a notebook's cell shows it, `save_page` writes it as a page.

    Args:
        character: Who moves.
        clip: How; a posture stands still, and so does the rest pose where nothing is given.
        ghost: A second motion, translucent.
        placing: Where the second motion stands at first: "over", "beside" or "off".
        trails: End-points, markers or bodies whose path is drawn.
    """
    motion = clip if isinstance(clip, Clip) else still_clip(clip)
    figures = [Figure(character, motion)]
    if ghost is not None:
        figures.append(Figure(character, ghost, name="the other motion", ghost=True, placing=placing))
    names = (trails,) if isinstance(trails, str) else tuple(trails)
    things: list[Thing] = [trail_of(character, motion, name) for name in names]
    return Film(tuple(figures), tuple(things), title=f"{character.name} in motion")
