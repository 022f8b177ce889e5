"""How the motion filter takes set-points in, compiled: at any rate, with gaps, jumps and noise.

Set-points are held until the next one comes. Their velocity is estimated from their own past, so that
a target that moves steadily can be followed without lag, and they are eased if the character is smooth.
Rows of joints, rings and places are those of `FilterSettings` and `FilterState`.
"""

from __future__ import annotations

import math

import numpy as np

from animato.express.filter.arrays import (
    ANTICIPATION,
    DELAY,
    FIRST,
    GAIN,
    HELD,
    LEAD,
    LOWER,
    MIDDLE,
    NEWEST,
    UPPER,
    VELOCITY,
)
from animato.kernels.compiled import kernel

_LIMITER = 1.25  # by how much a slope may exceed the one before and still be taken for the same motion


@kernel
def note_set_point(
    limits: np.ndarray,
    joint: np.ndarray,
    ring: np.ndarray,
    places: np.ndarray,
    given: float,
    clock: float,
    baseline: float,
    fresh: float,
) -> None:
    """Keeps a joint's set-point if it is a number and new; without new ones the target comes to stand."""
    values, times, newest = ring[0], ring[1], places[NEWEST]
    joint[HELD] = 0.0 if math.isfinite(given) else 1.0
    wanted = min(max(given, limits[LOWER]), limits[UPPER]) if math.isfinite(given) else values[newest]
    if wanted == values[newest]:
        age = clock - times[newest]
        if age > fresh or 2.0 * age > 3.0 * (times[newest] - times[newest - 1]):
            joint[LEAD] = 0.0
        return
    newest = following(newest, len(times))
    values[newest], times[newest], places[NEWEST] = wanted, clock, newest
    places[MIDDLE] = baseline_before(times, newest, places[MIDDLE], baseline)
    places[FIRST] = baseline_before(times, places[MIDDLE], places[FIRST], baseline)
    joint[LEAD] = set_point_velocity(values, times, places, fresh, limits[VELOCITY])


@kernel
def following(place: int, count: int) -> int:
    """The next place in a ring."""
    return place + 1 if place + 1 < count else 0


@kernel
def baseline_before(times: np.ndarray, place: int, earlier: int, baseline: float) -> int:
    """Place of the latest set-point at least a baseline before another, sought from an earlier place on."""
    if earlier == place:
        return earlier
    after = following(earlier, len(times))
    while after != place and times[place] - times[after] >= baseline:
        earlier, after = after, following(after, len(times))
    return earlier


@kernel
def set_point_velocity(
    values: np.ndarray, times: np.ndarray, places: np.ndarray, fresh: float, velocity: float
) -> float:
    """Velocity of a joint's set-points in samples, at most the joint's own limit.

    It is the slope over the last baseline, but hardly more than the slope over the baseline before it
    and zero where the two disagree in sign: a ramp is seen exactly, a single jump has no velocity.
    """
    newest, middle, first = places[NEWEST], places[MIDDLE], places[FIRST]
    late, early = times[newest] - times[middle], times[middle] - times[first]
    if not (0.0 < late <= fresh and 0.0 < early <= fresh):
        return 0.0
    slope, before = (values[newest] - values[middle]) / late, (values[middle] - values[first]) / early
    if slope * before <= 0.0:
        return 0.0
    return math.copysign(min(abs(slope), _LIMITER * abs(before), velocity), slope)


@kernel
def ease(stages: np.ndarray, value: float, gain: float) -> float:
    """Passes a value through lags one after the other and returns the last; a gain of 1 passes it unchanged."""
    for k in range(len(stages)):
        stages[k] = value if gain == 1.0 else stages[k] + gain * (value - stages[k])
        value = stages[k]
    return value


@kernel
def eased_target(
    limits: np.ndarray, joint: np.ndarray, eased: np.ndarray, newest: float, age: float
) -> tuple[float, float]:
    """(position, velocity in samples) of what a joint must follow, one sample after the command now due.

    Args:
        limits: The joint's settings.
        joint: Its state.
        eased: Its stages of easing, [2, 3].
        newest: The newest set-point [rad or m].
        age: How long ago it came [samples].
    """
    lead, target = limits[ANTICIPATION] * joint[LEAD], newest
    if lead != 0.0:
        target += lead * (age + 1.0 + limits[DELAY])
        target = min(max(target, limits[LOWER]), limits[UPPER])
    lead = ease(eased[1], lead, limits[GAIN])
    return ease(eased[0], target, limits[GAIN]), lead
