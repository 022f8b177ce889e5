"""Lines that were drawn, changed: moved, scaled, turned, drawn over in part."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from animato.errors import MotionError
from animato.studio.drawing.lines.drawn_stroke import DrawnStroke


def reshaped(
    stroke: DrawnStroke,
    *,
    by: tuple[float, float] = (0.0, 0.0),
    scale: float = 1.0,
    turn: float = 0.0,
    about: tuple[float, float] = (0.0, 0.0),
) -> DrawnStroke:
    """Scaled and turned about a place of its board, then moved; its timing stays.

    Args:
        stroke: The line.
        by: How far it is moved [m].
        scale: How many times as large.
        turn: Counter-clockwise as seen on the board [rad].
        about: What stays where it is, but for `by` [m].
    """
    c, s = scale * math.cos(turn), scale * math.sin(turn)
    middle = np.array(about)
    places = (stroke.places - middle) @ np.array([[c, s], [-s, c]]) + middle + np.array(by)
    return replace(stroke, places=places)


def redrawn(stroke: DrawnStroke, over: DrawnStroke, near: float) -> DrawnStroke:
    """A line with a part replaced by another line that begins and ends near it, with the other's own timing.

    Args:
        stroke: What was there.
        over: What was drawn over it, on the same board; in either direction.
        near: How far from the line it may begin and end [m].

    Raises:
        MotionError: It begins or ends elsewhere, or both at the same place.
    """
    ends = over.places[[0, -1]]
    first, last = (int(np.argmin(np.sum((stroke.places - end) ** 2, axis=1))) for end in ends)
    if first > last:  # drawn against the line: its way is that of the line
        over = replace(over, places=over.places[::-1], times=over.duration - over.times[::-1])
        over = replace(over, pressures=over.pressures[::-1])
        ends, first, last = ends[::-1], last, first
    gaps = stroke.places[[first, last]] - ends
    if np.linalg.norm(gaps, axis=1).max() > near or first == last:
        raise MotionError("To redraw a part, begin and end on the line: what lies between is replaced.")
    # the new part meets the old line at both ends, and gives way to that evenly in between
    share = (over.times / over.duration)[:, None]
    fresh = over.places + (1.0 - share) * gaps[0] + share * gaps[1]
    before, after = slice(0, first), slice(last + 1, None)
    lead = float(stroke.times[first])
    return replace(
        stroke,
        places=np.vstack([stroke.places[before], fresh, stroke.places[after]]),
        times=np.concatenate(
            [
                stroke.times[before],
                lead + over.times,
                lead + over.duration + stroke.times[after] - float(stroke.times[last]),
            ]
        ),
        pressures=np.concatenate([stroke.pressures[before], over.pressures, stroke.pressures[after]]),
    )


def distance(stroke: DrawnStroke, places: np.ndarray) -> float:
    """How far the farthest of some places is from the samples of a line [m]; places [place, 2] on its board."""
    return max(float(np.sqrt(np.sum((stroke.places - place) ** 2, axis=1).min())) for place in places)
