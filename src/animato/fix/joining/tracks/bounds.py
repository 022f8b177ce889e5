"""What a transition must keep: the robot's limits, and a liveliness that fits the clips.

Beside its limits a coordinate keeps, in a natural transition, what the two clips themselves do with it: 99 of 100
frames of both are slower than its bound on speed, and so for acceleration and jerk. A coordinate that hardly moves in
the clips may still cross its gap as a minimum-jerk move of one second would, and lose a speed that it has at an end in
half a second. Where the robot states no limit of acceleration or jerk, this is the only one.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from animato.character import Character, Limits
from animato.fix.joining.tracks.track import TrackBounds, TrackState

CROSSING_S = 1.0
"""In which a coordinate that hardly moves in the clips may cross its gap [s]."""

SETTLING_S = 0.5
"""In which a speed that it has at an end may be lost [s]."""

_LIVELY = 99.0  # percentile of what clips do
_CROSSING = (1.875, 10.0 / math.sqrt(3.0), 60.0)  # peaks of the minimum-jerk move by 1 in 1 s
_LEAST = 1e-3  # of any bound, in SI: what stands still in both clips is to have room for rounding
_SETTLING = (2.0, 16.0)  # accelerations and jerks that lose a speed of 1 in 1 s, twice the least


def stated_bounds(limits: Limits) -> TrackBounds:
    """The limits of an axis."""
    velocity, acceleration, jerk = (
        math.inf if one is None else one for one in (limits.velocity, limits.acceleration, limits.jerk)
    )
    return TrackBounds(*limits.range, velocity, acceleration, jerk)


def bounds_of_followers(character: Character, leader: str) -> TrackBounds:
    """What the limits of the joints that follow a joint through gears leave that joint."""
    bounds = TrackBounds()
    for joint in character.joints:
        gear = joint.coupling
        if gear is None or gear.leader != leader or gear.ratio == 0.0:
            continue
        own = stated_bounds(joint.limits[0])
        low, high = sorted(((own.lower - gear.offset) / gear.ratio, (own.upper - gear.offset) / gear.ratio))
        size = abs(gear.ratio)
        bounds = bounds.within(TrackBounds(low, high, own.velocity / size, own.acceleration / size, own.jerk / size))
    return bounds


def liveliness(magnitudes: list[np.ndarray]) -> np.ndarray:
    """What clips do with a coordinate: speed, acceleration and jerk that 99 of 100 frames stay below, [3].

    Args:
        magnitudes: Of each clip, [frame, 3].
    """
    return np.max([np.percentile(one, _LIVELY, axis=0) for one in magnitudes], axis=0, initial=0.0)


def natural_bounds(lively: np.ndarray, begin: TrackState, end: TrackState) -> TrackBounds:
    """Bounds for a transition that is as lively as its clips."""
    gap = abs(end.position - begin.position)
    speed = max(abs(begin.velocity), abs(end.velocity))
    bend = max(abs(begin.acceleration), abs(end.acceleration))
    velocity, acceleration, jerk = (
        max(_LEAST, float(own), peak * gap / CROSSING_S ** (n + 1))
        for n, (own, peak) in enumerate(zip(lively, _CROSSING, strict=True))
    )
    return TrackBounds(
        velocity=max(velocity, 1.2 * speed),
        acceleration=max(acceleration, 1.2 * bend, _SETTLING[0] * speed / SETTLING_S),
        jerk=max(jerk, 4.0 * bend / SETTLING_S, _SETTLING[1] * speed / SETTLING_S**2),
    )


def kept_bounds(stated: TrackBounds, natural: TrackBounds, *, quick: bool, patience: float) -> TrackBounds:
    """What is asked of a track.

    Args:
        stated: The robot's own.
        natural: From the clips.
        quick: Whether the natural bounds count only where the robot states none.
        patience: Factor on the natural bounds; infinite where they are given up.
    """
    wider = replace(
        natural,
        velocity=patience * natural.velocity,
        acceleration=patience * natural.acceleration,
        jerk=patience * natural.jerk,
    )
    if not quick:
        return stated.within(wider)
    return replace(
        stated,
        velocity=stated.velocity if math.isfinite(stated.velocity) else wider.velocity,
        acceleration=stated.acceleration if math.isfinite(stated.acceleration) else wider.acceleration,
        jerk=stated.jerk if math.isfinite(stated.jerk) else wider.jerk,
    )
