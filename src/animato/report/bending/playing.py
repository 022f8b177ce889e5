"""Motions of a character that bends in one player: one in its own colours, the others translucent over it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character import Character
from animato.report.bending.figures import Figure
from animato.report.bending.overlays import COLOURS
from animato.report.kit import Figure as FilmFigure
from animato.report.kit import Film, Readout, Thing, Trail, Use

PLAYER = "film"
"""Identifier of the player; charts and sentences of the page name it."""

_TRAIL_S = 0.7  # what swings would fill the picture with its path otherwise
_MOST_TRAILS = 4
_OPACITY = 0.6  # rods are thin: fainter they would not be seen
_STAYS_S = 0.15  # a name that is told for less cannot be read


def overlaid_film(
    character: Character,
    figures: Sequence[Figure],
    bodies: Sequence[str],
    *,
    use: Use | None = None,
    frame_times: np.ndarray | None = None,
) -> Film:
    """The film of all motions.

    Args:
        character: Who moves.
        figures: The target first; the last one is drawn in the character's own colours.
        bodies: Names of the tracked bodies, whose points leave trails.
        use: What the last one uses of its limits.
        frame_times: Of the artist's frames, which keys step through [s], [frame]; those of the last one by default.
    """
    *others, last = figures
    cast = [FilmFigure(character, last.performance, name=last.name, use=use)]
    cast += [
        FilmFigure(character, one.performance, name=one.name, ghost=True, colour=COLOURS[one.kind], opacity=_OPACITY)
        for one in others
    ]
    things: list[Thing] = [
        Trail(one.performance.times, one.points[:, body], colour=COLOURS[one.kind], lasting_s=_TRAIL_S)
        for one in figures
        for body in range(min(len(bodies), _MOST_TRAILS))
    ]
    target = figures[0]
    if target is not last and bodies:
        things += [_readout(one, target, alone=len(figures) == 2) for one in figures[1:]]
    names = ", ".join(one.name for one in figures)
    title = f"{character.name}: {names}, all at once"
    return Film(tuple(cast), tuple(things), _words(figures, bodies), title, frame_times=frame_times)


def _readout(figure: Figure, target: Figure, *, alone: bool) -> Readout:
    """How far the worst tracked body is off [cm or mm]."""
    off = _off(figure, target).max(axis=1)
    scale, unit = (100.0, "cm") if float(off.max()) >= 0.01 else (1000.0, "mm")
    words = "" if alone else f"{figure.name}: "
    return Readout(figure.performance.times, scale * off, before=words, after=f" {unit} off")


def _off(figure: Figure, target: Figure) -> np.ndarray:
    """Distance of each tracked body from its target at the frames of a figure [m], [frame, body]."""
    times, flat = figure.performance.times, target.points.reshape(len(target.points), -1)
    there = np.column_stack([np.interp(times, target.performance.times, column) for column in flat.T])
    return np.asarray(np.linalg.norm(figure.points - there.reshape(len(times), -1, 3), axis=2))


def _words(figures: Sequence[Figure], bodies: Sequence[str]) -> tuple[tuple[float, str], ...]:
    """Which body is farthest off, where there are several, from each time on at which that changes [s]."""
    if len(bodies) < 2 or len(figures) < 2:
        return ()
    target, first = figures[:2]
    worst, times = np.argmax(_off(first, target), axis=1), first.performance.times
    told: list[tuple[float, str]] = []
    for at in (0, *(np.flatnonzero(np.diff(worst)) + 1).tolist()):
        words = f"farthest off: {bodies[int(worst[at])].replace('_', ' ')}"
        if told and times[at] - told[-1][0] < _STAYS_S:
            told.pop()
        if not told or told[-1][1] != words:
            told.append((float(times[at]), words))
    return tuple(told)


def worst_moment(figures: Sequence[Figure]) -> float:
    """When any figure is farthest from the first one [s]: there is most to be seen."""
    first = figures[0]
    off = [(_off(one, first).max(axis=1, initial=0.0), one.performance.times) for one in figures[1:]]
    if not off or not first.points.size:
        return float(first.performance.times[0])
    far, times = max(off, key=lambda one: float(one[0].max()))
    return float(times[int(np.argmax(far))])
