"""The motion filter's recursion, compiled: one control point a joint a sample.

The next a is the one after which braking ends exactly at the target, as near to it as the limits
allow. Far from the target that is the largest a there is; on the braking curve it is the braking
itself; between the two it is the root of a rising, piecewise linear function, so nothing chatters.
"""

from __future__ import annotations

import math

import numpy as np

from animato.express.filter.arrays import (
    ACCELERATION,
    CHANGE,
    EXPONENT,
    GOAL_ACCELERATION,
    GOAL_JERK,
    HELD,
    JERK,
    LATENESS,
    LOWER,
    NEWEST,
    POINT,
    STEP,
    SWING,
    UPPER,
    FilterSettings,
    FilterState,
)
from animato.express.filter.braking import braking, stopping_distance
from animato.express.filter.safety import ROUNDING, admissible, allowed_changes, take_pace
from animato.express.filter.set_points import eased_target, note_set_point
from animato.express.filter.shaping import next_swing, softened, swing_after
from animato.kernels.compiled import kernel

_ROOT_STEPS = 60


@kernel
def miss(p: float, v: float, a: float, target: float, lead: float, limits: np.ndarray, swing: float) -> float:
    """By how far braking to the target's velocity passes the target, or the place beyond it, when a comes next."""
    acceleration, jerk = limits[ACCELERATION], limits[JERK]
    beyond = 0.0
    if limits[LATENESS] > 0.0:
        beyond = limits[LATENESS] * next_swing(v + a - lead, a, limits, swing)
    return p + v + a + stopping_distance(v + a - lead, a, acceleration, jerk) - target - beyond


@kernel
def change_to_target(
    p: float,
    v: float,
    here: float,
    low: float,
    high: float,
    target: float,
    lead: float,
    limits: np.ndarray,
    swing: float,
) -> float:
    """The a that does not miss, or the nearest to it: false position, Illinois variant.

    Args:
        p: Newest control point.
        v: Its difference to the one before.
        here: The a of braking to the target's velocity: where the search begins, and often ends.
        low: Least a allowed.
        high: Largest a allowed.
        target: Position to end in.
        lead: Velocity to end in.
        limits: The joint's settings; acceleration or jerk or both are finite.
        swing: Of the joint's state.
    """
    small = ROUNDING * (abs(p) + abs(target) + min(limits[ACCELERATION], limits[JERK]))
    off_here = miss(p, v, here, target, lead, limits, swing)
    if abs(off_here) <= small:
        return here
    end = high if off_here < 0.0 else low
    off_end = miss(p, v, end, target, lead, limits, swing)
    if off_here * off_end >= 0.0:
        return end
    stuck_here = stuck_end = 1.0  # an end that stays twice in a row weighs half
    for _ in range(_ROOT_STEPS):
        a = here - off_here * (end - here) / (off_end - off_here)
        off = miss(p, v, a, target, lead, limits, swing)
        if abs(off) <= small or a in (here, end):
            return a
        if off * off_here > 0.0:
            here, off_here = a, off
            off_end *= stuck_end
            stuck_here, stuck_end = 1.0, 0.5
        else:
            end, off_end = a, off
            off_here *= stuck_here
            stuck_here, stuck_end = 0.5, 1.0
    return here


@kernel
def next_change(limits: np.ndarray, joint: np.ndarray, target: float, lead: float) -> float:
    """The next a of a joint on its way to a target that moves by `lead` a sample."""
    p, v, a = joint[POINT], joint[STEP], joint[CHANGE]
    acceleration, jerk = limits[ACCELERATION], limits[JERK]
    low, high = allowed_changes(limits, v, a)
    safe = min(max(braking(v, a, acceleration, jerk), low), high)
    if math.isinf(acceleration) and math.isinf(jerk):
        wanted = min(max(target - p - v, low), high)
    else:
        here = min(max(braking(v - lead, a, acceleration, jerk), low), high)
        wanted = change_to_target(p, v, here, low, high, target, lead, limits, joint[SWING])
    if not math.isinf(limits[EXPONENT]):
        wanted = min(max(softened(limits, p, v, a, wanted), low), high)
    return admissible(limits, p, v, wanted, safe)


@kernel
def move(limits: np.ndarray, joint: np.ndarray, target: float, lead: float) -> None:
    """Moves a joint on by one sample, in place."""
    a = next_change(limits, joint, target, lead)
    v = joint[STEP] + a
    p = min(max(joint[POINT] + v, limits[LOWER]), limits[UPPER])
    if limits[LATENESS] > 0.0:
        off = miss(joint[POINT], joint[STEP], a, target, lead, limits, joint[SWING])
        joint[SWING] = swing_after(v - lead, a, limits, joint[SWING], off)
    small = ROUNDING * (abs(p) + abs(target) + min(limits[ACCELERATION], limits[JERK], 1.0))
    arrived = lead == 0.0 and abs(p - target) <= small and abs(v) <= small and abs(a) <= small
    if arrived and abs(joint[CHANGE]) <= limits[JERK]:
        p, v, a = target, 0.0, 0.0  # rest is exact, not a matter of rounding
    joint[POINT], joint[STEP], joint[CHANGE] = p, v, a


@kernel
def filter_step(
    settings: FilterSettings, state: FilterState, set_points: np.ndarray, rate: float, out: np.ndarray
) -> None:
    """Moves every joint on by one sample, in place, and writes the commands.

    Args:
        settings: See there.
        state: See there.
        set_points: Newest positions asked for; what is not a finite number keeps the last one [rad or m], [joint].
        rate: Of the commands [Hz].
        out: Position, velocity and acceleration, in rad or m and seconds, [3, joint].
    """
    state.clock[0] += 1.0
    clock = state.clock[0]
    for i in range(len(set_points)):
        limits, joint, ring, places = settings.joints[i], state.joints[i], state.ring[i], state.places[i]
        note_set_point(limits, joint, ring, places, set_points[i], clock, settings.baseline, settings.fresh)
        newest = places[NEWEST]
        if limits[ACCELERATION] != limits[GOAL_ACCELERATION] or limits[JERK] != limits[GOAL_JERK]:
            take_pace(limits, joint)
        target, lead = eased_target(limits, joint, state.eased[i], ring[0, newest], clock - ring[1, newest])
        move(limits, joint, target, lead)
        p, v, a = joint[POINT], joint[STEP], joint[CHANGE]
        out[0, i] = min(max(p - v + a / 6.0, limits[LOWER]), limits[UPPER])
        out[1, i] = (v - 0.5 * a) * rate
        out[2, i] = a * rate * rate


@kernel
def filter_frames(
    settings: FilterSettings,
    state: FilterState,
    set_points: np.ndarray,
    rate: float,
    commands: np.ndarray,
    held: np.ndarray,
) -> None:
    """Filters a recording [frame, joint] into commands [frame, 3, joint] and whether set-points were held."""
    for frame in range(len(set_points)):
        filter_step(settings, state, set_points[frame], rate, commands[frame])
        for i in range(len(state.joints)):
            held[frame, i] = state.joints[i, HELD] == 1.0
