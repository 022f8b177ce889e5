"""What a joint may do next so that it keeps its limits for ever, compiled.

A state is safe if a and v are inside their limits, a can come to 0 before v leaves them, and braking from it stays in
the range. Whatever a character wishes for, only changes that lead to a safe state are made.
"""

from __future__ import annotations

import math

import numpy as np

from animato.express.filter.arrays import (
    ACCELERATION,
    CHANGE,
    GOAL_ACCELERATION,
    GOAL_JERK,
    JERK,
    LOWER,
    POINT,
    STEP,
    UPPER,
    VELOCITY,
)
from animato.express.filter.braking import left_after, quantity_of_sum, stopping_distance, turning_distance
from animato.kernels.compiled import kernel

ROUNDING = 2e-15
"""Relative; smaller distances are rounding."""

_HALVINGS = 60
_PACE_HALVINGS = 12  # of what is left of a change of pace, each sample


@kernel
def allowed_changes(limits: np.ndarray, v: float, a: float) -> tuple[float, float]:
    """(least, largest) next a of a joint with these settings, by all limits but that of the position."""
    velocity, acceleration, jerk = limits[VELOCITY], limits[ACCELERATION], limits[JERK]
    low, high = max(a - jerk, -acceleration), min(a + jerk, acceleration)
    if math.isinf(jerk):
        return max(low, -velocity - v), min(high, velocity - v)
    # After this a it must still be possible to bring a to 0 before v passes its limit.
    low = max(low, -jerk * quantity_of_sum((velocity + v) / jerk))
    return low, min(high, jerk * quantity_of_sum((velocity - v) / jerk))


@kernel
def stays_inside(limits: np.ndarray, p: float, v: float, a: float) -> bool:
    """Whether a joint with these settings, braking to rest from a state, keeps every control point in its range."""
    slack = ROUNDING * (abs(p) + abs(v))
    turn = p + turning_distance(v, a, limits[JERK])
    rest = p + stopping_distance(v, a, limits[ACCELERATION], limits[JERK])
    return min(p, turn, rest) >= limits[LOWER] - slack and max(p, turn, rest) <= limits[UPPER] + slack


@kernel
def admissible(limits: np.ndarray, p: float, v: float, wanted: float, safe: float) -> float:
    """The a nearest to the wanted one after which a joint can stop in its range; `safe` is one that can."""
    if math.isinf(limits[LOWER]) and math.isinf(limits[UPPER]):
        return wanted
    if stays_inside(limits, p + v + wanted, v + wanted, wanted):
        return wanted
    share, step = 0.0, 0.5
    for _ in range(_HALVINGS):
        a = safe + (share + step) * (wanted - safe)
        if stays_inside(limits, p + v + a, v + a, a):
            share += step
        step *= 0.5
    return safe + share * (wanted - safe)


@kernel
def take_pace(limits: np.ndarray, joint: np.ndarray) -> None:
    """Brings the limits of acceleration and jerk as near to their goals as the joint's motion lets them, in place."""
    acceleration, jerk = limits[ACCELERATION], limits[JERK]
    share, step = 0.0, 1.0
    for _ in range(_PACE_HALVINGS):
        set_pace(limits, acceleration, jerk, share + step)
        if is_safe(limits, joint[POINT], joint[STEP], joint[CHANGE]):
            share += step
        if share == 1.0:
            return
        step *= 0.5
    set_pace(limits, acceleration, jerk, share)


@kernel
def set_pace(limits: np.ndarray, acceleration: float, jerk: float, share: float) -> None:
    """Writes limits of acceleration and jerk that are a share of the way from those given to their goals."""
    limits[ACCELERATION], limits[JERK] = limits[GOAL_ACCELERATION], limits[GOAL_JERK]
    if share < 1.0 and not math.isinf(acceleration):
        limits[ACCELERATION] = acceleration + share * (limits[GOAL_ACCELERATION] - acceleration)
    if share < 1.0 and not math.isinf(jerk):
        limits[JERK] = jerk + share * (limits[GOAL_JERK] - jerk)


@kernel
def is_safe(limits: np.ndarray, p: float, v: float, a: float) -> bool:
    """Whether a joint in this state can keep all its limits for ever."""
    jerk = limits[JERK]
    if abs(a) > limits[ACCELERATION]:
        return False
    level = v if math.isinf(jerk) else v + math.copysign(jerk * left_after(abs(a) / jerk), a)
    return abs(level) <= limits[VELOCITY] and stays_inside(limits, p, v, a)
