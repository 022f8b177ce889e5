"""How near bodies come along a whole clip, between its frames, too.

Between two moments a body moves against another by at most V, so that nowhere in between they are nearer than
(d_l + d_r - V) / 2. Stretches for which this is not enough are halved. V comes from the joints' largest speeds on each
piece of the curve, which the slopes of its control polygon bound, and from the way along the links.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.fix.apart.watch import PIECE, Watch
from animato.mechanics.collision import ALLOWED_DEPTH, distances
from animato.mechanics.tree import states_of_clip
from animato.motion import Clip
from animato.spatial.basis import DEGREE

_HALVINGS = 12
_EXACT = 0.5  # shares beyond the clearance, from where on a bound of the distance will do


@dataclass(frozen=True)
class Nearness:
    """How near two bodies come.

    Attributes:
        least: The smallest distance beyond the clearance that was found [m]; below 0 is too near.
        pair: Between these two bodies.
        time: When [s].
        proven: Whether nothing, at any time, is nearer than the clearance less `ALLOWED_DEPTH`.
    """

    least: float
    pair: tuple[str, str]
    time: float
    proven: bool


def nearness_of(watch: Watch, clip: Clip) -> Nearness:
    """Looks at frames and, where something may come near, between them."""
    knots = clip.spline.knots
    breaks = np.unique(knots)
    pieces = _Pieces(breaks, _fastest(knots, clip.spline.control_points), watch.levers)
    times = np.unique(np.concatenate([clip.times, breaks]))
    found = [
        _looked(watch, clip, times[begin : begin + PIECE + 1], pieces) for begin in range(0, len(times) - 1, PIECE)
    ]
    worst = min((one for one, _ in found), key=lambda one: one.room)
    proven = all(closed for _, closed in found) and worst.room >= -ALLOWED_DEPTH
    return Nearness(worst.room, watch.model.pair_names(worst.pair), worst.time, proven)


@dataclass(frozen=True, eq=False)
class _Pieces:
    """Pieces of the curve.

    Attributes:
        breaks: Where they begin and end [s], [piece + 1].
        speeds: Of the columns at most, [piece, column].
        levers: By how much these move bodies against one another at most, [column, pair].
    """

    breaks: np.ndarray
    speeds: np.ndarray
    levers: np.ndarray

    def travel(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """How far bodies move against one another between two times of a piece at most [m], [row, pair]."""
        piece = np.clip(np.searchsorted(self.breaks, left, side="right") - 1, 0, len(self.speeds) - 1)
        return np.asarray((self.speeds[piece] * (right - left)[:, None]) @ self.levers)


def _looked(watch: Watch, clip: Clip, times: np.ndarray, pieces: _Pieces) -> tuple[_Least, bool]:
    """The least room that was found from the first of some times to the last, and whether nothing is left open."""
    room = _beyond(watch, clip, times)
    seen = [_Least.of(room, times)]
    left, right, ends = times[:-1], times[1:], np.stack([room[:-1], room[1:]])
    for _ in range(_HALVINGS):
        unsure = np.any(0.5 * (ends[0] + ends[1] - pieces.travel(left, right)) < -ALLOWED_DEPTH, axis=1)
        unsure &= np.all(ends.min(axis=0) >= -ALLOWED_DEPTH, axis=1)  # what is broken already needs no proof
        left, right, ends = left[unsure], right[unsure], ends[:, unsure]
        if not len(left):
            break
        middle = 0.5 * (left + right)
        between = _beyond(watch, clip, middle)
        seen.append(_Least.of(between, middle))
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
        ends = np.stack([np.concatenate([ends[0], between]), np.concatenate([between, ends[1]])])
    return min(seen, key=lambda one: one.room), not len(left)


@dataclass(frozen=True)
class _Least:
    """The least of rooms [m], of which pair, and when [s]."""

    room: float
    pair: int
    time: float

    @staticmethod
    def of(room: np.ndarray, times: np.ndarray) -> _Least:
        """Of rooms [time, pair]."""
        moment, pair = np.unravel_index(int(np.argmin(room)), room.shape)
        return _Least(float(room[moment, pair]), int(pair), float(times[moment]))


def _beyond(watch: Watch, clip: Clip, times: np.ndarray) -> np.ndarray:
    """Distances beyond the clearance, lower bounds where they are far [m], [time, pair]."""
    clearance = np.maximum(watch.floors, 0.0)
    within = float(clearance.max()) + _EXACT * watch.unit
    states = states_of_clip(watch.character, clip, times)
    return np.asarray(distances(watch.model, states, exact_within_m=within) - clearance)


def _fastest(knots: np.ndarray, control_points: np.ndarray) -> np.ndarray:
    """Largest speeds of all columns on each piece of a cubic spline, [piece, column].

    The derivative is a mean of the three slopes of the control polygon that a piece knows.
    """
    width = knots[DEGREE + 1 : -1] - knots[1 : -DEGREE - 1]
    slopes = DEGREE * np.abs(np.diff(control_points, axis=0)) / np.maximum(width, 1e-12)[:, None]
    pieces = len(slopes) - DEGREE + 1
    return np.asarray(np.max([slopes[a : a + pieces] for a in range(DEGREE)], axis=0))
