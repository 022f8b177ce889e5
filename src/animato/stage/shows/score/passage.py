"""A path that is travelled faster or slower, and how fast its pace may change."""

from __future__ import annotations

import numpy as np

from animato.motion import Clip
from animato.stage.playing import ClipSource, Move
from animato.stage.rig import Rig

_TRIALS = (1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.4, 8.0, 10.0, 16.0, 25.0)
_SAMPLES = 16
_TABLE_S = 0.01
_LONGEST_TABLE = 64  # samples of a path that is made while servos move


class Passage:
    """A path q(s) whose time s runs at a rate r: 1 as written, 0 at rest.

    A robot that follows it has the speed q' r and the acceleration q'' r^2 + q' r'. When the rate goes from one value
    to another it does so evenly, in a time T that is the shortest of a few for which this acceleration keeps the
    limits; the guard behind keeps them in any case.

    Args:
        source: A clip or a move.
        duration_s: Its length [s].
        rig: Whose limits are kept.
    """

    def __init__(self, source: ClipSource | Move, duration_s: float, rig: Rig) -> None:
        self._source, self.duration_s, self._rig = source, duration_s, rig
        count = max(3, min(int(duration_s / _TABLE_S) + 2, _LONGEST_TABLE))
        self._table(np.linspace(0.0, duration_s, count))

    @classmethod
    def of_clip(cls, clip: Clip, rig: Rig) -> Passage:
        """The passage of a clip, with its exact speeds and accelerations."""
        made = cls(ClipSource(clip, rig, np.zeros(len(rig.names))), clip.duration, rig)
        count = max(3, int(clip.duration / _TABLE_S) + 2)
        at = np.linspace(0.0, clip.duration, count)
        columns = [clip.column(name) for name in rig.names]
        made._step = float(at[1])
        made._speeds = clip.velocity(float(clip.times[0]) + at)[:, columns]
        made._changes = clip.acceleration(float(clip.times[0]) + at)[:, columns]
        return made

    def _table(self, at: np.ndarray) -> None:
        self._step = float(at[1] - at[0]) or _TABLE_S
        points = np.array([self(one) for one in at])
        self._speeds = np.gradient(points, self._step, axis=0)
        self._changes = np.gradient(self._speeds, self._step, axis=0)

    def __call__(self, at_s: float) -> np.ndarray:
        """Where the coordinates are at a time of the path [rad or m]."""
        values = self._source(min(max(at_s, 0.0), self.duration_s))
        assert values is not None
        return values

    def ramp_s(self, at_s: float, rate: float, goal: float, least_s: float) -> float:
        """How long a change of the rate takes [s].

        Args:
            at_s: Where on the path it begins [s].
            rate: What it is.
            goal: What it becomes.
            least_s: The shortest time for a change by 1 [s].
        """
        change = goal - rate
        if abs(change) < 1e-12:
            return least_s
        part = np.linspace(0.0, 1.0, _SAMPLES)
        rates = rate + change * part
        seconds = least_s
        for factor in _TRIALS:
            seconds = least_s * factor * max(abs(change), 0.1)
            along = at_s + seconds * (rate * part + 0.5 * change * part * part)
            index = np.clip(np.rint(along / self._step).astype(np.intp), 0, len(self._speeds) - 1)
            felt = self._changes[index] * (rates * rates)[:, None] + self._speeds[index] * (change / seconds)
            if np.all(np.abs(felt) <= self._rig.acceleration):
                break
        return seconds

    def most_rate(self, wanted: float) -> float:
        """The highest rate up to a wanted one, 1 or more, at which speed and acceleration keep the limits."""
        with np.errstate(divide="ignore", invalid="ignore"):
            by_speed = np.nanmin(np.append(self._rig.speed / np.abs(self._speeds).max(axis=0), np.inf))
            by_change = np.nanmin(np.append(self._rig.acceleration / np.abs(self._changes).max(axis=0), np.inf))
        return float(max(1.0, min(wanted, by_speed, np.sqrt(by_change))))
