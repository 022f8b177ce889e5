"""What the frames of a clip leave open at its ends.

The smooth curves through frames, with constant jerk from each frame to the next, are a family with two free numbers a
coordinate: its accelerations at both ends. A clip's own spline chooses them so that jerk does not change at the second
frame and at the last but one. A motion that was planned with constant jerk from frame to frame, as that of a motion
filter, is of this family too, but with other ends where it does not begin and end at rest; held against its limits, the
wrong member of the family would break limits that the motion keeps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import linprog

from animato.character import Limits
from animato.motion import Clip

END_REACH = 24
"""Frames from an end: what is changed there has faded to 1e-13 then."""

_SLACK = 1e-9
_BETWEEN = (0.0, 0.25, 0.5, 0.75)  # of a piece, where velocities are looked at


@dataclass(frozen=True, eq=False)
class FreeEnd:
    """What to add to a coordinate of a clip between its frames; at the frames it is 0.

    Attributes:
        name: Of the coordinate.
        curve: Over time; its third derivative is constant from frame to frame.
    """

    name: str
    curve: CubicSpline

    def at(self, times: np.ndarray, derivative: int) -> np.ndarray:
        """[rad or m, over s^derivative], [time]; the third derivative at a frame is the mean of both sides."""
        if derivative < 3:
            return np.asarray(self.curve(times, derivative))
        pieces, frames = 6.0 * self.curve.c[0], self.curve.x
        last = len(pieces) - 1
        after = np.clip(np.searchsorted(frames, times, side="right") - 1, 0, last)
        before = np.clip(np.searchsorted(frames, times, side="left") - 1, 0, last)
        return np.asarray(0.5 * (pieces[after] + pieces[before]))


def free_ends(clip: Clip, limits: Mapping[str, Limits]) -> tuple[FreeEnd, ...]:
    """Other ends for coordinates whose spline is over a limit near an end, where some end keeps it better.

    Sought are the two accelerations for which the largest used share of velocity, acceleration and jerk within 24
    frames of the ends is least: a small linear program. Coordinates that are over none of them there, or without
    such limits, stay as they are.

    Args:
        clip: With five frames at least; shorter ones are left alone.
        limits: By coordinate.
    """
    if clip.frame_count < 5:
        return ()
    known = [name for name in clip.names if name in limits and _bounds(limits[name])]
    if not known:
        return ()
    zeros = np.zeros(clip.frame_count)
    tips = tuple(CubicSpline(clip.times, zeros, bc_type=((2, one), (2, other))) for one, other in ((1.0, 0.0), (0, 1)))
    looked = _looked_at(clip.times)
    orders = {order: _Order(clip, tips, looked, order) for order in (1, 2, 3)}
    found = []
    for name in known:
        rows = _rows(orders, clip.column(name), _bounds(limits[name]))
        curve = _calmest(rows, tips, clip.times)
        if curve is not None:
            found.append(FreeEnd(name, curve))
    return tuple(found)


def _bounds(limits: Limits) -> dict[int, float]:
    """Order of the derivative -> its limit."""
    stated = {1: limits.velocity, 2: limits.acceleration, 3: limits.jerk}
    return {order: bound for order, bound in stated.items() if bound is not None and bound > 0.0}


def _looked_at(times: np.ndarray) -> np.ndarray:
    """Moments within the pieces near both ends, [time]."""
    pieces = np.arange(len(times) - 1)
    near = pieces[np.minimum(pieces, pieces[::-1]) < END_REACH]
    return (times[near, None] + np.diff(times)[near, None] * np.array(_BETWEEN)).ravel()


class _Order:
    """One derivative of all coordinates and of both ends, where it is looked at; accelerations at the last frame, too.

    Attributes:
        own: Of the coordinates, [row, coordinate].
        tips: Of the ends, [row, 2].
    """

    def __init__(self, clip: Clip, tips: tuple[CubicSpline, ...], where: np.ndarray, order: int) -> None:
        moments = np.append(where, clip.times[-1]) if order < 3 else where[2 :: len(_BETWEEN)]
        self.own = clip.spline(moments, derivative=order)
        self.tips = np.column_stack([tip(moments, order) for tip in tips])


def _rows(orders: Mapping[int, _Order], column: int, bounds: Mapping[int, float]) -> np.ndarray:
    """Used shares of the spline of one coordinate and what each end adds to them, [row, 3]."""
    blocks = [
        np.column_stack([orders[order].own[:, column], orders[order].tips]) / bound for order, bound in bounds.items()
    ]
    return np.concatenate(blocks)


def _calmest(rows: np.ndarray, tips: tuple[CubicSpline, ...], times: np.ndarray) -> CubicSpline | None:
    """The sum of both ends with the least largest share; None where the spline is within its limits already."""
    peak = float(np.abs(rows[:, 0]).max())
    if peak <= 1.0 + _SLACK:
        return None
    scale = np.maximum(np.abs(rows[:, 1:]).max(axis=0), 1e-300)
    slopes, one = rows[:, 1:] / scale, np.ones((len(rows), 1))
    answer = linprog(
        [0.0, 0.0, 1.0],
        A_ub=np.block([[slopes, -one], [-slopes, -one]]),
        b_ub=np.concatenate([-rows[:, 0], rows[:, 0]]),
        bounds=[(None, None), (None, None), (0.0, None)],
        method="highs",
    )
    if answer.x is None or answer.x[2] >= peak - _SLACK:
        return None
    first, last = (answer.x[:2] / scale).tolist()
    if _beyond(rows @ (1.0, first, last)) >= _beyond(rows[:, 0]):  # a little less here at the price of more elsewhere
        return None
    return CubicSpline(times, np.zeros(len(times)), bc_type=((2, first), (2, last)))


def _beyond(shares: np.ndarray) -> float:
    """Shares beyond limits, summed."""
    return float(np.maximum(np.abs(shares) - 1.0, 0.0).sum())
