"""Leaps in a captured motion, as from a calibration pose to what was played."""

from __future__ import annotations

import numpy as np

from animato.spatial import quaternions

_LEAP, _LEAP_RATE = np.radians(10.0), 5.0  # rad, rad/s; what turns less or slower may be meant
_BEYOND, _BESIDE_S = 3.0, 1.0  # times any other step within so many seconds


def leaps_to(turns_wxyz: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Whether a bone leaps to a frame, shape [frame].

    It turns by 10 degrees or more, at 5 rad/s or more, and three times as far as from frame to frame within a second
    before and after.

    Args:
        turns_wxyz: Of the bone, shape [frame, 4].
        times: Of the frames [s], shape [frame].
    """
    leaps = np.zeros(len(times), dtype=bool)
    steps = quaternions.angle_between(turns_wxyz[:-1], turns_wxyz[1:])
    for step in np.flatnonzero((steps >= _LEAP) & (steps >= _LEAP_RATE * np.diff(times))):
        beside = (times[1:] >= times[step] - _BESIDE_S) & (times[:-1] <= times[step + 1] + _BESIDE_S)
        beside[step] = False
        leaps[step + 1] = steps[step] >= _BEYOND * steps[beside].max(initial=0.0)
    return leaps
