"""A stroke while it is being drawn: it only grows, and what cannot be used is counted, not raised."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.trace.sketch import Plane


class LiveStroke:
    """The way of some points in the world over the distance drawn so far.

    Samples that are not finite, or whose times do not rise, are left out. So are those nearer to the last one than
    `step`: a pen that shakes while it rests draws nothing.

    Attributes:
        ignored: Samples that could not be used.
    """

    def __init__(self, start: np.ndarray, step: float, plane: Plane | None, approach_speed: float) -> None:
        """Begins where the points of the robot are.

        Args:
            start: Where they are [m], [point, 3].
            step: Shortest distance between samples that count [m].
            plane: Where flat samples go; None for samples in space.
            approach_speed: Of the straight way from there to the first sample [m/s].
        """
        self._start, self._step, self._plane = start, step, plane
        self._approach_speed = approach_speed
        self._distances = np.zeros(64)
        self._times = np.zeros(64)
        self._places = np.zeros((64, start.size))
        self._count = 0
        self._last: tuple[np.ndarray, float] | None = None
        self.ignored = 0

    @property
    def length(self) -> float:
        """Distance drawn so far, all points together, the way to the first sample included [m]."""
        return float(self._distances[self._count - 1]) if self._count else 0.0

    @property
    def begun(self) -> bool:
        """Whether there is anything to follow."""
        return self._count > 1

    @property
    def latest(self) -> float | None:
        """Time of the last sample that could be used [s]."""
        return None if self._last is None else self._last[1]

    def add(self, points: ArrayLike, times: ArrayLike) -> None:
        """Takes samples in; see `Loop.add` for their shapes."""
        try:
            places = self._in_world(np.asarray(points, dtype=np.float64))
            moments = np.atleast_1d(np.asarray(times, dtype=np.float64))
        except (ValueError, TypeError):
            self.ignored += 1
            return
        if moments.ndim != 1 or len(moments) != len(places):
            self.ignored += max(len(places), moments.size)
            return
        for place, moment in zip(places, moments, strict=True):
            self._take(place, float(moment))

    def finish(self) -> None:
        """The pen is lifted: the last sample counts however near it is."""
        if self._last is not None:
            self._append(*self._last, shortest=1e-9)

    def at(self, distance: np.ndarray) -> np.ndarray:
        """Where the points should be [m] after distances [m], [k, 3 point]."""
        where = np.clip(distance, 0.0, self.length)
        drawn = slice(0, self._count)
        return np.column_stack([np.interp(where, self._distances[drawn], c[drawn]) for c in self._places.T])

    def time_of(self, distance: np.ndarray) -> np.ndarray:
        """When they were drawn there [s], [k]."""
        return np.interp(distance, self._distances[: self._count], self._times[: self._count])

    def _in_world(self, points: np.ndarray) -> np.ndarray:
        """Samples as rows, [sample, 3 point]."""
        count = self._start.size // 3
        if self._plane is not None and count == 1:
            flat = points.reshape(-1, 2)
            plane = self._plane
            return plane.to_world(flat)
        return points.reshape(-1, 3 * count)

    def _take(self, place: np.ndarray, moment: float) -> None:
        late = self._last is not None and moment <= self._last[1]
        if late or not (np.isfinite(moment) and np.all(np.isfinite(place))):
            self.ignored += 1
            return
        if self._count == 0:
            way = float(np.linalg.norm(place - self._start.ravel()))
            self._append(self._start.ravel(), moment - way / self._approach_speed, shortest=-1.0)
        self._append(place, moment, shortest=self._step)
        self._last = place, moment

    def _append(self, place: np.ndarray, moment: float, *, shortest: float) -> None:
        end = self._count - 1
        way = float(np.linalg.norm(place - self._places[end])) if self._count else 0.0
        if self._count and way < shortest:
            return
        if self._count == len(self._times):
            self._distances = np.concatenate([self._distances, np.zeros_like(self._distances)])
            self._times = np.concatenate([self._times, np.zeros_like(self._times)])
            self._places = np.concatenate([self._places, np.zeros_like(self._places)])
        before = self.length
        self._distances[self._count], self._times[self._count] = before + way, moment
        self._places[self._count] = place
        self._count += 1
