"""A reference pose at an end of a clip, such as the T-pose in front of a capture: it stands still, then all leaps."""

from __future__ import annotations

import numpy as np

from animato.motion import Clip
from animato.spatial import quaternions

_LEAP_RAD = np.radians(10.0)  # of some joint, or of the base, from one frame to the next ...
_LEAP_M = 0.1  # ... or the way of the base [m]
_LEAP_RATE = 5.0  # [rad/s or m/s]: what comes slower may be meant
_BEYOND = 3.0  # how many times the largest step of the rest
_NEAR_S = 1.0  # [s] of the rest that the leap is held against; a stumble far away says nothing
_STILL = 0.02  # of the leap: less than this from frame to frame is standing still
_LONGEST_S = 0.5  # [s] that a reference pose is held
_LONGEST_SHARE = 0.1  # of the clip


def motion_frames(clip: Clip) -> slice:
    """The frames that are motion, without a reference pose at the beginning or at the end.

    A reference pose is one frame, or some that stand still for at most half a second and a tenth of the clip, from
    which everything leaps: by 10 degrees (the base by 0.1 m) or more, at 5 rad/s (m/s) or more, and three times as far
    as between any two frames of the second beside it.
    """
    turns, ways = _steps(clip)
    times = np.asarray(clip.times)
    first = _after_leap(turns, ways, times)
    last = _after_leap(turns[::-1], ways[::-1], -times[::-1])
    if first + last > clip.frame_count - 4:  # nothing would be left that could be called the motion
        return slice(0, clip.frame_count)
    return slice(first, clip.frame_count - last)


def _steps(clip: Clip) -> tuple[np.ndarray, np.ndarray]:
    """The largest turn [rad, or m on sliding joints] and the way of the base [m] from frame to frame, [frame - 1]."""
    steps = np.abs(np.diff(clip.positions, axis=0))
    steps = np.abs(steps - 2.0 * np.pi * np.round(steps / (2.0 * np.pi)))  # a whole turn is no way
    turns = steps.max(axis=1, initial=0.0)
    ways = np.zeros(len(turns))
    if clip.base_positions is not None and clip.base_quaternions_wxyz is not None:
        base = clip.base_quaternions_wxyz
        turns = np.maximum(turns, quaternions.angle_between(base[:-1], base[1:]))
        ways = np.linalg.norm(np.diff(clip.base_positions, axis=0), axis=1)
    return turns, ways


def _after_leap(turns: np.ndarray, ways: np.ndarray, times: np.ndarray) -> int:
    """How many frames stand in front of a leap at the beginning; 0 where there is none."""
    span = times[-1] - times[0]
    longest = times[0] + min(_LONGEST_S, _LONGEST_SHARE * span)
    for frame in range(len(turns) - 3):
        if frame and times[frame] > longest:
            return 0
        beside = times[frame + 1 : -1] <= times[frame + 1] + _NEAR_S
        for steps, least in ((turns, _LEAP_RAD), (ways, _LEAP_M)):
            leap, still = steps[frame], steps[:frame].max(initial=0.0)
            fast = leap >= _LEAP_RATE * (times[frame + 1] - times[frame])
            if leap >= least and fast and still <= _STILL * leap and leap >= _BEYOND * steps[frame + 1 :][beside].max():
                return frame + 1
        if max(turns[frame], ways[frame]) > _STILL * _LEAP_RAD:
            return 0  # it moves already: no pose is held in front
    return 0
