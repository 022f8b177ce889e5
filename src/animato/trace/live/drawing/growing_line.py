"""A line that only grows: places and times over the distance along it."""

from __future__ import annotations

import numpy as np

_ROOM = 128  # samples at first
_KEPT = 64  # samples before the end of a copy


class GrowingLine:
    """The way of some points in the world over the distance along it, all points together.

    Args:
        size: Numbers of a place, 3 a point.
    """

    def __init__(self, size: int) -> None:
        self._distances, self._times = np.zeros(_ROOM), np.zeros(_ROOM)
        self._places = np.zeros((_ROOM, size))
        self.count = 0

    @property
    def length(self) -> float:
        """[m]."""
        return float(self._distances[self.count - 1]) if self.count else 0.0

    def append(self, place: np.ndarray, moment: float, *, shortest: float = 0.0) -> bool:
        """Goes on straight to a place [m], [size], where the points are at a moment [s].

        Args:
            place: [m], [size].
            moment: [s].
            shortest: Nearer places than this are left out [m].

        Returns:
            Whether the line is longer now.
        """
        way = float(np.linalg.norm(place - self._places[self.count - 1])) if self.count else 0.0
        if self.count and way < shortest:
            return False
        if self.count == len(self._times):
            self._distances = np.concatenate([self._distances, np.zeros_like(self._distances)])
            self._times = np.concatenate([self._times, np.zeros_like(self._times)])
            self._places = np.concatenate([self._places, np.zeros_like(self._places)])
        self._distances[self.count], self._times[self.count] = self.length + way, moment
        self._places[self.count] = place
        self.count += 1
        return True

    def at(self, distances: np.ndarray) -> np.ndarray:
        """Where the points are [m] after distances [m], [k, size]."""
        where = np.clip(distances, 0.0, self.length)
        part = self._around(where)
        return np.column_stack([np.interp(where, self._distances[part], c) for c in self._places[part].T])

    def time_of(self, distances: np.ndarray) -> np.ndarray:
        """When they are there [s], [k]."""
        where = np.clip(distances, 0.0, self.length)
        part = self._around(where)
        return np.interp(where, self._distances[part], self._times[part])

    def after(self, moment: float) -> tuple[np.ndarray, np.ndarray]:
        """Times [s], [k], and places [m], [k, size], of all that is later than a moment."""
        first = int(np.searchsorted(self._times[: self.count], moment, side="right"))
        return self._times[first : self.count], self._places[first : self.count]

    def up_to(self, distance: float) -> GrowingLine:
        """A copy of the line up to a distance [m]; only the last samples of it are kept."""
        line = GrowingLine(self._places.shape[1])
        end = int(np.searchsorted(self._distances[: self.count], distance, side="left"))
        first = max(end - _KEPT, 0)
        here, moment = self.at(np.array([distance]))[0], float(self.time_of(np.array([distance]))[0])
        kept = end - first
        line._distances[:kept], line._times[:kept] = self._distances[first:end], self._times[first:end]
        line._places[:kept] = self._places[first:end]
        line._distances[kept], line._times[kept], line._places[kept] = distance, moment, here
        line.count = kept + 1
        return line

    def _around(self, where: np.ndarray) -> slice:
        """The samples between which some distances lie: a long line costs no more than a short one."""
        known = self._distances[: self.count]
        first = int(np.searchsorted(known, where.min(), side="left")) - 1
        last = int(np.searchsorted(known, where.max(), side="right")) + 1
        return slice(max(first, 0), min(max(last, 1), self.count))
