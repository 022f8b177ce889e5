"""When the robot does what the person did: time that is stretched, and flights of a smaller body."""

from __future__ import annotations

import numpy as np

_BLEND_S = 0.1  # over which the pace changes
_FINENESS = 4  # points of the time map for each knot


def knots_at_pace(start: float, end: float, pace_times: np.ndarray, pace: np.ndarray, step: float) -> np.ndarray:
    """Times of the capture at knots that are evenly spaced in the robot's time [s], [knot].

    Args:
        start: Of the capture's time [s].
        end: Of the capture's time [s].
        pace_times: Where the pace is given, of the capture's time [s], [n].
        pace: Seconds of the robot for each second of the capture, [n]; above 1 it is slower than the person.
        step: Between knots [s].
    """
    count = max(2, int(np.ceil((end - start) / step * _FINENESS)) + 1)
    source = np.linspace(start, end, count)
    slow = _blended(np.interp(source, pace_times, pace), (end - start) / (count - 1))
    robot = np.concatenate([[0.0], np.cumsum(0.5 * (slow[1:] + slow[:-1]) * np.diff(source))])
    knots = int(np.floor(robot[-1] / step + 1e-6)) + 1
    return np.interp(np.arange(knots) * step, robot, source)


def _blended(pace: np.ndarray, step: float) -> np.ndarray:
    """The pace without leaps: averaged over a short time."""
    if np.ptp(pace) == 0.0:
        return pace
    width = 2 * max(1, round(0.5 * _BLEND_S / step)) + 1
    weights = np.hanning(width + 2)[1:-1]
    padded = np.pad(pace, width // 2, mode="edge")
    return np.convolve(padded, weights / weights.sum(), mode="valid")


def flight_pace(flight: np.ndarray, scale: float) -> np.ndarray:
    """Pace of the flights of a body that is smaller by `scale`: it falls as far in sqrt(scale) of the time, [knot]."""
    return np.where(flight, np.sqrt(scale), 1.0)
