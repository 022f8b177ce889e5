"""What all things of a film share while they are packed: the moments, the size of what is seen, one packer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.report.kit.film.numbers.packing import Packer
from animato.report.kit.film.numbers.thinning import thinned

MOST_MOMENTS = 60_000
"""Of a film, so that 16 bits count them."""

_RATE_HZ = 100.0  # a straight line between moments so near is the motion itself
_SEEN_M, _SEEN_RAD = 0.0009, 0.0035  # of the character's size, about 0.5 mm for pico; 0.2 degrees
_MOST_ROWS, _ROWS_A_SECOND = 120_000, 110  # of all bodies of all figures: a megabyte, and 4 more for an hour
_LINE = 0.25  # of that: a line that stays is looked at longer, and costs little
_WINDOW, _WINDOWS = 512, 5
_COARSER = 1.25


@dataclass(frozen=True, eq=False)
class Reel:
    """The moments of a film.

    Attributes:
        times: Evenly spaced [s], [moment].
        size: Of the largest character [m].
        packer: Where numbers go.
        figure_count: How many figures share the room there is.
    """

    times: np.ndarray
    size: float
    packer: Packer
    figure_count: int = 1

    def poses(self, positions: np.ndarray, turns_wxyz: np.ndarray) -> dict[str, Any]:
        """Poses of bodies, each with as many moments as it needs.

        Args:
            positions: [m], [moment, body, 3].
            turns_wxyz: Without jumps of sign, [moment, body, 4].

        Returns:
            For the script: how many moments each body has, which, and its rows of place and turn; places are shares of
            `spread` from `middle`.
        """
        scaled = np.concatenate([positions / (_SEEN_M * self.size), turns_wxyz * (2.0 / _SEEN_RAD)], axis=2)
        tolerance = self._tolerance(scaled)
        kept = [thinned(scaled[:, body], tolerance) for body in range(scaled.shape[1])]
        middle, spread = _box(positions)
        rows = np.concatenate([(positions - middle) / spread, turns_wxyz], axis=2)
        return {
            "counts": [len(one) for one in kept],
            "moments": self.packer.whole(np.concatenate([*kept, [0]])[:-1].astype("<u2")),
            "rows": self.packer.shares(np.concatenate([rows[one, n] for n, one in enumerate(kept)] or [rows[:0, 0]])),
            "middle": short(middle),
            "spread": round(spread, 7),
        }

    def points(self, places: np.ndarray) -> dict[str, Any]:
        """Points that move together, [moment, point, 3] [m]; as `poses`, without turns. NaN is where nothing is."""
        known = np.isfinite(places).all(axis=2)
        filled = np.where(known[..., None], places, 0.0) if known.any() else np.zeros_like(places)
        for point in range(places.shape[1]):
            there = np.flatnonzero(known[:, point])
            if 0 < len(there) < len(places):  # where nothing is, it stays where it was last or will be next
                near = np.interp(self.times, self.times[there], np.arange(len(there)))
                filled[:, point] = places[there[np.rint(near).astype(int)], point]
        scaled = filled / (_SEEN_M * self.size)
        tolerance = self._tolerance(scaled)
        kept = [thinned(scaled[:, n], tolerance) for n in range(filled.shape[1])]
        middle, spread = _box(filled)
        rows = (filled - middle) / spread
        return {
            "counts": [len(one) for one in kept],
            "moments": self.packer.whole(np.concatenate([*kept, [0]])[:-1].astype("<u2")),
            "rows": self.packer.shares(np.concatenate([rows[one, n] for n, one in enumerate(kept)])),
            "middle": short(middle),
            "spread": round(spread, 7),
            "known": [self.steps(known[:, n].astype(int)) for n in range(known.shape[1])],
        }

    def line(self, places: np.ndarray) -> dict[str, Any]:
        """A line that stays where it is, with as many corners as it needs.

        Args:
            places: [m], NaN between pieces that are not joined, [place, 3].

        Returns:
            For the script: how many corners each piece has, and its corners as shares of `spread` from `middle`.
        """
        known = np.isfinite(places).all(axis=1)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], known.astype(np.int8), [0]])))
        pieces = [places[first:last] for first, last in zip(edges[::2], edges[1::2], strict=True)]
        kept = [piece[thinned(piece / (_SEEN_M * self.size), _LINE)] for piece in pieces]
        corners = np.concatenate([np.zeros((0, 3)), *kept])
        middle, spread = _box(corners[:, None])
        return {
            "counts": [len(piece) for piece in kept],
            "rows": self.packer.shares((corners - middle) / spread),
            "middle": short(middle),
            "spread": round(spread, 7),
        }

    def steps(self, values: np.ndarray) -> list[list[float]]:
        """A whole number that seldom changes: [time [s], value] of each change."""
        changes = np.flatnonzero(np.diff(values)) + 1
        return [[round(float(self.times[n]), 4), int(values[n])] for n in (0, *changes.tolist())]

    def nearest(self, times: np.ndarray) -> np.ndarray:
        """Numbers of given times [s] that are nearest to the moments, [moment]."""
        if len(times) < 2:
            return np.zeros(len(self.times), dtype=int)
        after = np.clip(np.searchsorted(times, self.times), 1, len(times) - 1)
        return np.where(self.times - times[after - 1] < times[after] - self.times, after - 1, after)

    def _tolerance(self, scaled: np.ndarray) -> float:
        """1 where the rows have room, and as much more as keeps a long film small; guessed from a few windows."""
        span = float(self.times[-1] - self.times[0])
        room, tolerance = (_MOST_ROWS + _ROWS_A_SECOND * span) / self.figure_count, 1.0
        if scaled.shape[0] * scaled.shape[1] <= room:
            return tolerance
        starts = np.linspace(0, max(len(scaled) - _WINDOW, 0), _WINDOWS).astype(int)
        while tolerance < 1e4:
            windows = [scaled[start : start + _WINDOW] for start in starts]
            rows = sum(len(thinned(one[:, body], tolerance)) for one in windows for body in range(scaled.shape[1]))
            if rows * len(scaled) / sum(len(one) for one in windows) <= room:
                break
            tolerance *= _COARSER
        return tolerance


def moments_of(begin: float, end: float) -> np.ndarray:
    """Evenly spaced moments of a film from its begin to its end [s]; one that lasts no time has two."""
    count = int(min(MOST_MOMENTS, np.ceil((end - begin) * _RATE_HZ) + 1))
    return np.linspace(begin, end, max(2, count))


def short(values: Any) -> list[float]:
    """Numbers as a page needs them."""
    return [round(float(value), 5) for value in np.ravel(values)]


def _box(places: np.ndarray) -> tuple[np.ndarray, float]:
    """Middle and half the largest width of places [m]."""
    if not places.size:
        return np.zeros(3), 1.0
    low, high = places.min(axis=(0, 1)), places.max(axis=(0, 1))
    return 0.5 * (low + high), max(0.5 * float((high - low).max()), 1e-6)
