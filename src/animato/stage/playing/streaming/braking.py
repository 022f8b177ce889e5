"""Soft stops: along the path where it is known, straight on where it is not."""

from __future__ import annotations

import contextlib

import numpy as np

from animato.stage.playing.streaming.source import Source
from animato.stage.rig import Rig

_TRIALS = (1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.4, 8.0, 10.0)
_SAMPLES = 12


class Braking:
    """How a stream comes to rest.

    Along a path q(s) time slows down evenly, s' = 1 - t/T, so the robot goes on along the motion it was doing and
    stops T/2 later on it. Its acceleration there is q''(s) s'^2 - q'(s)/T; T is `stop_s`, or the shortest of a few
    longer ones that keeps the limits. Where the path is not known, every coordinate slows down evenly from the speed
    v it has: p + v (t - t^2/(2 T)), with T = max(`stop_s`, |v|/a).

    Args:
        rig: Whose limits are kept.
        source: What was streamed; None where it can no longer be asked.
        time_s: Of the source, at the last frame [s].
        position: Where the coordinates were told to be [rad or m], shape [coordinate].
        velocity: And how fast they went there [rad/s or m/s].
        stop_s: How long it takes, where the limits allow [s].

    Attributes:
        duration_s: T [s].
    """

    def __init__(
        self, rig: Rig, source: Source | None, time_s: float, position: np.ndarray, velocity: np.ndarray, stop_s: float
    ) -> None:
        self._position, self._velocity, self._time_s = position.copy(), velocity.copy(), time_s
        self._source: Source | None = None
        with np.errstate(divide="ignore", invalid="ignore"):
            needed = np.where(np.isfinite(rig.acceleration), np.abs(velocity) / rig.acceleration, 0.0)
        self.duration_s = max(stop_s, float(np.max(needed, initial=0.0)))
        if source is not None and getattr(source, "is_path", False):
            with contextlib.suppress(Exception):  # a path that cannot be looked at is left straight on
                found = _shortest(rig, source, time_s, stop_s)
                if found is not None:
                    self.duration_s, self._source = found, source

    def __call__(self, since_s: float) -> np.ndarray:
        """Where the coordinates should be [rad or m], so long after the last frame before the stop [s]."""
        t = min(since_s, self.duration_s)
        late = t - t * t / (2.0 * self.duration_s)
        if self._source is not None:
            try:
                values = self._source(self._time_s + late)
                if values is not None and np.all(np.isfinite(values)):
                    return values
            except Exception:  # the loop never raises
                pass
            self._source = None
        return self._position + self._velocity * late

    def is_over(self, since_s: float) -> bool:
        """Whether everything stands."""
        return since_s >= self.duration_s


def _shortest(rig: Rig, source: Source, time_s: float, stop_s: float) -> float | None:
    """The shortest T that keeps the limits of acceleration along the path; None where the path ends before."""
    for factor in _TRIALS:
        seconds = stop_s * factor
        t = np.linspace(0.0, seconds, _SAMPLES)
        points = [source(time_s + one - one * one / (2.0 * seconds)) for one in t]
        known = [one for one in points if one is not None]
        if len(known) < _SAMPLES:
            return None
        second = np.diff(np.array(known), n=2, axis=0) / (t[1] - t[0]) ** 2
        if np.all(np.abs(second) <= rig.acceleration * 1.01) or factor == _TRIALS[-1]:
            return seconds
    return None
