"""What a character wishes for inside its limits, compiled: soft ends of the range, and passing the set-point.

Nothing here is a limit. `safety` decides what of it is done.
"""

from __future__ import annotations

import math

import numpy as np

from animato.express.filter.arrays import (
    ACCELERATION,
    EXPONENT,
    JERK,
    LATENESS,
    LOWER,
    SLOWEST_END,
    SOFT_SPEED,
    UPPER,
)
from animato.express.filter.braking import braking, level_stopping_distance, stopping_distance
from animato.kernels.compiled import kernel

_TURNED = 1e-3  # share of an overshoot that may be left when the joint turns back
_SHORT = 1e-6  # share of a stopping distance by which a joint that brakes may seem to fall short, from rounding


@kernel
def softened(limits: np.ndarray, p: float, v: float, a: float, wanted: float) -> float:
    """The wanted a of a joint, or less if it goes towards an end of its range faster than soft ends have it.

    With x from 0 in the middle to 1 at the end, towards the end the velocity is at most 1 - x^(2 beta) of the largest.
    """
    middle, half = 0.5 * (limits[LOWER] + limits[UPPER]), 0.5 * (limits[UPPER] - limits[LOWER])
    x = (p + v - middle) / half
    side, exponent = math.copysign(1.0, x), limits[EXPONENT]
    if side * v > 0.0:
        # The bound falls while the joint goes on. Braking follows it late by half the time in which a comes to it.
        slope = limits[SOFT_SPEED] * exponent * min(abs(x), 1.0) ** (exponent - 1.0) / half
        x += 0.5 * v * min(abs(v) * slope, limits[ACCELERATION]) / (limits[JERK] * half)
    most = limits[SOFT_SPEED] * max(1.0 - min(abs(x), 1.0) ** exponent, SLOWEST_END)
    slowed = braking(v - side * most, a, limits[ACCELERATION], limits[JERK])
    return side * min(side * wanted, side * slowed)


@kernel
def next_swing(v: float, a: float, limits: np.ndarray, swing: float) -> float:
    """The stopping distance that says how far beyond its target a joint stops.

    Args:
        v: Velocity relative to the target's.
        a: Its change.
        limits: The joint's settings.
        swing: The same a sample earlier; 0 where the joint has just turned.
    """
    distance = level_stopping_distance(v, a, limits[ACCELERATION], limits[JERK])
    if swing == 0.0 or (distance * swing > 0.0 and abs(distance) > abs(swing)):
        return distance
    return swing


@kernel
def swing_after(v: float, a: float, limits: np.ndarray, swing: float, off: float) -> float:
    """What is kept of it after a sample: from where braking began until the joint turns.

    Args:
        v: Velocity relative to the target's.
        a: Its change.
        limits: The joint's settings.
        swing: Before the sample.
        off: By how far the sample misses the target, and what lies beyond it.
    """
    kept = next_swing(v, a, limits, swing)
    if kept == 0.0:
        return 0.0
    side = math.copysign(1.0, kept)
    left = side * stopping_distance(v, a, limits[ACCELERATION], limits[JERK])
    if side * v <= 0.0 or left <= _TURNED * limits[LATENESS] * abs(kept):
        return 0.0
    if side * off < -_SHORT * abs(kept):  # it does not brake yet
        return level_stopping_distance(v, a, limits[ACCELERATION], limits[JERK])
    return kept
