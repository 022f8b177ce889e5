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
    HELD,
    JERK,
    LOWER,
    NEWEST,
    POINT,
    STEP,
    UPPER,
    VELOCITY,
    FilterSettings,
    FilterState,
)
from animato.express.filter.braking import braking, quantity_of_sum, stopping_distance, turning_distance
from animato.express.filter.set_points import eased_target, note_set_point
from animato.kernels.compiled import kernel

_ROUNDING = 2e-15  # relative; smaller distances are rounding
_ROOT_STEPS = 60


@kernel
def miss(p: float, v: float, a: float, target: float, lead: float, acceleration: float, jerk: float) -> float:
    """By how far braking to the target's velocity passes the target when a comes next."""
    return p + v + a + stopping_distance(v + a - lead, a, acceleration, jerk) - target


@kernel
def change_to_target(
    p: float,
    v: float,
    here: float,
    low: float,
    high: float,
    target: float,
    lead: float,
    acceleration: float,
    jerk: float,
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
        acceleration: Limit, infinite where there is none.
        jerk: Limit; at least one of the two is finite.
    """
    small = _ROUNDING * (abs(p) + abs(target) + min(acceleration, jerk))
    off_here = miss(p, v, here, target, lead, acceleration, jerk)
    if abs(off_here) <= small:
        return here
    end = high if off_here < 0.0 else low
    off_end = miss(p, v, end, target, lead, acceleration, jerk)
    if off_here * off_end >= 0.0:
        return end
    stuck_here = stuck_end = 1.0  # an end that stays twice in a row weighs half
    for _ in range(_ROOT_STEPS):
        a = here - off_here * (end - here) / (off_end - off_here)
        off = miss(p, v, a, target, lead, acceleration, jerk)
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
def stays_inside(limits: np.ndarray, p: float, v: float, a: float) -> bool:
    """Whether a joint with these settings, braking to rest from a state, keeps every control point in its range."""
    slack = _ROUNDING * (abs(p) + abs(v))
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
    for _ in range(_ROOT_STEPS):
        a = safe + (share + step) * (wanted - safe)
        if stays_inside(limits, p + v + a, v + a, a):
            share += step
        step *= 0.5
    return safe + share * (wanted - safe)


@kernel
def next_change(limits: np.ndarray, joint: np.ndarray, target: float, lead: float) -> float:
    """The next a of a joint on its way to a target that moves by `lead` a sample."""
    p, v, a = joint[POINT], joint[STEP], joint[CHANGE]
    velocity, acceleration, jerk = limits[VELOCITY], limits[ACCELERATION], limits[JERK]
    low, high = max(a - jerk, -acceleration), min(a + jerk, acceleration)
    if math.isinf(jerk):
        low, high = max(low, -velocity - v), min(high, velocity - v)
    else:
        # After this a it must still be possible to bring a to 0 before v passes its limit.
        low = max(low, -jerk * quantity_of_sum((velocity + v) / jerk))
        high = min(high, jerk * quantity_of_sum((velocity - v) / jerk))
    safe = min(max(braking(v, a, acceleration, jerk), low), high)
    if math.isinf(acceleration) and math.isinf(jerk):
        wanted = min(max(target - p - v, low), high)
    else:
        here = min(max(braking(v - lead, a, acceleration, jerk), low), high)
        wanted = change_to_target(p, v, here, low, high, target, lead, acceleration, jerk)
    return admissible(limits, p, v, wanted, safe)


@kernel
def move(limits: np.ndarray, joint: np.ndarray, target: float, lead: float) -> None:
    """Moves a joint on by one sample, in place."""
    a = next_change(limits, joint, target, lead)
    v = joint[STEP] + a
    p = min(max(joint[POINT] + v, limits[LOWER]), limits[UPPER])
    small = _ROUNDING * (abs(p) + abs(target) + min(limits[ACCELERATION], limits[JERK], 1.0))
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
