"""Bezier curves and arcs of ellipses as points."""

from __future__ import annotations

import itertools
import math

import numpy as np

PIECES = 64
"""Of each Bezier curve, and of each quarter of an ellipse."""

_SHARE = np.linspace(0.0, 1.0, PIECES + 1)[1:, None]


def bezier(*points: np.ndarray) -> np.ndarray:
    """A quadratic or cubic curve without its start, shape [PIECES, 2].

    Args:
        *points: Start, one or two control points, end, each [2].
    """
    layer = [np.asarray(point) for point in points]
    while len(layer) > 1:
        layer = [(1.0 - _SHARE) * a + _SHARE * b for a, b in itertools.pairwise(layer)]
    layer[0][-1] = points[-1]
    return layer[0]


def ellipse_part(centre: np.ndarray, radii: np.ndarray, first: float, sweep: float, tilt: float = 0.0) -> np.ndarray:
    """Part of an ellipse with both its ends.

    Args:
        centre: [2].
        radii: Along its own axes, [2].
        first: Angle at which it begins, in its own axes [rad].
        sweep: By how much it goes on, either way [rad].
        tilt: Of its axes [rad].
    """
    count = max(1, math.ceil(abs(sweep) / (0.5 * math.pi) - 1e-9)) * PIECES
    angle = first + sweep * np.linspace(0.0, 1.0, count + 1)
    own = radii * np.column_stack([np.cos(angle), np.sin(angle)])
    c, s = math.cos(tilt), math.sin(tilt)
    return centre + own @ np.array([[c, s], [-s, c]])


def arc(start: np.ndarray, radii: np.ndarray, tilt: float, large: bool, clockwise: bool, end: np.ndarray) -> np.ndarray:
    """An arc as a path states it, without its start: from its ends to its centre (SVG 2, appendix B.2.4).

    Radii that are too short for both ends are enlarged; an arc without a radius is a straight line.

    Args:
        start: [2].
        radii: [2].
        tilt: Of the ellipse's axes [rad].
        large: The longer way round.
        clockwise: As seen on the screen, where y goes down.
        end: [2].
    """
    if np.array_equal(start, end):
        return np.empty((0, 2))
    radii = np.abs(radii)
    if radii.min() == 0.0:
        return end[None]
    c, s = math.cos(tilt), math.sin(tilt)
    turn = np.array([[c, s], [-s, c]])
    half = turn @ (0.5 * (start - end))
    excess = float(np.sum((half / radii) ** 2))
    if excess > 1.0:
        radii = radii * math.sqrt(excess)
    missing = max(0.0, 1.0 / max(excess, 1e-300) - 1.0) if excess <= 1.0 else 0.0
    sign = -1.0 if large == clockwise else 1.0
    middle = sign * math.sqrt(missing) * np.array([radii[0] * half[1] / radii[1], -radii[1] * half[0] / radii[0]])
    centre = turn.T @ middle + 0.5 * (start + end)
    first, last = (half - middle) / radii, (-half - middle) / radii
    begin = math.atan2(first[1], first[0])
    sweep = math.atan2(last[1], last[0]) - begin
    sweep = sweep % (2.0 * math.pi) if clockwise else -((-sweep) % (2.0 * math.pi))
    points = ellipse_part(centre, radii, begin, sweep, tilt)[1:]
    points[-1] = end
    return points
