"""What the motion filter's kernels work on: settings that stay and a state that moves, one row a joint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from animato.character import MOST_OVERSHOOT, Limits
from animato.errors import OptionError

SLOWEST_EASING_S = 0.5
"""Delay of the easing at smoothness 1 [s]."""

SLOWEST_PACE = 3.0
"""By how much longer starts and stops take at smoothness 1."""

_BASELINE_S = 0.02  # set-points this far apart tell their velocity; nearer ones tell their noise
_FRESH_S = 0.2  # set-points further apart than this are separate events, not one motion


(
    LOWER,
    UPPER,
    VELOCITY,
    ACCELERATION,
    JERK,
    ANTICIPATION,
    DELAY,
    GAIN,
    LATENESS,
    EXPONENT,
    SOFT_SPEED,
    GOAL_ACCELERATION,
    GOAL_JERK,
) = range(13)
"""Columns of the settings: range of the position [rad or m]; largest velocity, acceleration and jerk in
samples, infinite where not limited; share of the set-points' velocity that is fed forward; delay of the
easing [samples] and gain of each of its three stages; share of its stopping distance by which a joint
brakes too late; twice the exponent of the soft ends of the range and the velocity in their middle, both
infinite where ends are hard; and the acceleration and jerk that are to hold from the moment on at which
the joint moves slowly enough for them."""

POINT, STEP, CHANGE, LEAD, HELD, SWING = range(6)
"""Columns of the state: newest control point p [rad or m], its difference v to the one before, the
difference a of the last two differences, velocity of the set-points, all in samples; whether the last
set-point was not a number, so that the one before it was kept; and the stopping distance with which the
joint began to brake [rad or m], which says how far it overshoots."""

NEWEST, MIDDLE, FIRST = range(3)
"""Columns of the places in the ring of set-points: the newest, and those one and two baselines before it."""


TIME_OPTIMAL = 0.0
"""Smoothness of the filter on its own, unless told otherwise; characters have that of their options."""

ANTICIPATING = 1.0
"""Responsiveness, unless told otherwise."""

SLOWEST_END = 0.02
"""Share of its speed that a joint keeps at a soft end of its range, so that it arrives there."""


class FilterManner(NamedTuple):
    """The character parameters of the joints, each one number or one a joint; see `MotionFilter`."""

    smoothness: ArrayLike = TIME_OPTIMAL
    responsiveness: ArrayLike = ANTICIPATING
    softness: ArrayLike = 0.0
    haste: ArrayLike = 0.0
    overshoot: ArrayLike = 0.0


class FilterSettings(NamedTuple):
    """Limits and character of the joints. In samples: h velocity, h^2 acceleration, h^3 jerk for a sampling time h.

    Attributes:
        joints: One row a joint, see the names of its columns, [joint, 13].
        baseline: Least distance of set-points that tell a velocity [samples].
        fresh: Greatest distance of set-points that tell a velocity [samples].
    """

    joints: np.ndarray
    baseline: float
    fresh: float


class FilterState(NamedTuple):
    """Where the joints are and what they were asked for. Kernels write into it.

    Attributes:
        joints: One row a joint, see the names of its columns, [joint, 6].
        eased: Outputs of the easing's stages: positions and velocities, [joint, 2, 3].
        ring: The last set-points [rad or m] and when they came [samples], [joint, 2, event].
        places: In the ring, see the names of its columns, [joint, 3].
        clock: Samples made, [1].
    """

    joints: np.ndarray
    eased: np.ndarray
    ring: np.ndarray
    places: np.ndarray
    clock: np.ndarray


def build_settings(limits: Sequence[Limits], rate_hz: float, manner: FilterManner) -> FilterSettings:
    """Packs limits for a rate of commands [Hz] and character parameters, one number or one a joint; checks all."""
    if not limits or not all(isinstance(one, Limits) for one in limits):
        raise OptionError(f"A motion filter needs the Limits of at least one joint, one each, not {limits!r}.")
    try:
        rate = float(rate_hz)
    except (TypeError, ValueError):
        rate = math.nan
    if not (math.isfinite(rate) and rate > 0.0):
        raise OptionError(f"`rate_hz` must be a finite number greater than 0, not {rate_hz!r}.")
    smooth, eager, soft, haste, beyond = (
        _shares(values, len(limits), word) for word, values in manner._asdict().items()
    )
    easing = SLOWEST_EASING_S * rate * smooth * (1.0 - haste)
    # Slower by a pace in time is slower by its powers in acceleration and jerk: the motion keeps its shape.
    pace = 1.0 + (SLOWEST_PACE - 1.0) * smooth
    acceleration, jerk = _column(limits, "acceleration"), _column(limits, "jerk")
    lower, upper = (np.array([one.range[end] for one in limits]) for end in (0, 1))
    slow, sharp = acceleration / (pace * rate) ** 2, jerk / (pace * rate) ** 3
    columns = [
        lower,
        upper,
        _column(limits, "velocity") / rate,
        slow,
        sharp,
        eager,
        easing,
        np.where(easing > 0.0, 1.0 / (1.0 + easing / 3.0), 1.0),
        # Braking late by a share k of the stopping distance, half of the way, passes the end by k / (2 - k) of it.
        2.0 * beyond / (1.0 + beyond),
        *_soft_ends(soft, lower, upper, _column(limits, "velocity"), acceleration, rate),
        slow,
        sharp,
    ]
    return FilterSettings(np.array(columns).T.copy(), _BASELINE_S * rate, _FRESH_S * rate)


def _soft_ends(
    soft: np.ndarray, lower: np.ndarray, upper: np.ndarray, velocity: np.ndarray, acceleration: np.ndarray, rate: float
) -> tuple[np.ndarray, np.ndarray]:
    """Twice the exponent of the soft ends and the velocity in samples from which it slows down, [joint] each.

    A joint without a limit of velocity slows down from what its limit of acceleration stops in a quarter of the range.
    """
    half = (upper - lower) / 2.0
    with np.errstate(invalid="ignore"):
        fastest = np.where(np.isfinite(velocity), velocity, np.sqrt(acceleration * half))
    acts = (soft > 0.0) & np.isfinite(half) & (half > 0.0) & np.isfinite(fastest)
    exponent = np.divide(2.0, soft, out=np.full(len(soft), math.inf), where=acts)
    return exponent, np.where(acts, fastest / rate, math.inf)


def resting_state(settings: FilterSettings, positions: np.ndarray) -> FilterState:
    """Joints at rest at positions inside their ranges [rad or m], [joint], and asked to stay there."""
    count, events = len(positions), 2 * math.ceil(settings.baseline) + 4
    joints, eased = np.zeros((count, 6)), np.zeros((count, 2, 3))
    joints[:, POINT] = positions
    eased[:, 0] = positions[:, None]
    ring = np.full((count, 2, events), -math.inf)
    ring[:, 0] = positions[:, None]
    return FilterState(joints, eased, ring, np.zeros((count, 3), dtype=np.int64), np.zeros(1))


def _column(limits: Sequence[Limits], name: str) -> np.ndarray:
    """One limit of all joints, infinite where there is none."""
    values = [getattr(one, name) for one in limits]
    return np.array([math.inf if value is None else value for value in values])


def _shares(values: ArrayLike, count: int, what: str) -> np.ndarray:
    """A character parameter as one number a joint, checked to be from 0 to 1."""
    try:
        array = np.broadcast_to(np.asarray(values, dtype=np.float64), (count,)).copy()
    except (TypeError, ValueError):
        raise OptionError(f"`{what}` must be one number or one for each of {count} joints, not {values!r}.") from None
    most = MOST_OVERSHOOT if what == "overshoot" else 1.0
    if not np.all((array >= 0.0) & (array <= most)):
        raise OptionError(f"`{what}` must be from 0 to {most:g}, not {values!r:.60}.")
    return array
