"""What the motion filter's kernels work on: settings that stay and a state that moves, one row a joint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Limits
from animato.errors import OptionError

SLOWEST_EASING_S = 0.5
"""Delay of the easing at smoothness 1 [s]."""

SLOWEST_PACE = 3.0
"""By how much longer starts and stops take at smoothness 1."""

_BASELINE_S = 0.02  # set-points this far apart tell their velocity; nearer ones tell their noise
_FRESH_S = 0.2  # set-points further apart than this are separate events, not one motion


LOWER, UPPER, VELOCITY, ACCELERATION, JERK, ANTICIPATION, DELAY, GAIN = range(8)
"""Columns of the settings: range of the position [rad or m]; largest velocity, acceleration and jerk in
samples, infinite where not limited; share of the set-points' velocity that is fed forward; delay of the
easing [samples] and gain of each of its three stages."""

POINT, STEP, CHANGE, LEAD, HELD = range(5)
"""Columns of the state: newest control point p [rad or m], its difference v to the one before, the
difference a of the last two differences, velocity of the set-points, all in samples; and whether the
last set-point was not a number, so that the one before it was kept."""

NEWEST, MIDDLE, FIRST = range(3)
"""Columns of the places in the ring of set-points: the newest, and those one and two baselines before it."""


TIME_OPTIMAL = 0.0
"""Smoothness of the filter on its own, unless told otherwise; characters have that of their options."""


class FilterSettings(NamedTuple):
    """Limits and character of the joints. In samples: h velocity, h^2 acceleration, h^3 jerk for a sampling time h.

    Attributes:
        joints: One row a joint, see the names of its columns, [joint, 8].
        baseline: Least distance of set-points that tell a velocity [samples].
        fresh: Greatest distance of set-points that tell a velocity [samples].
    """

    joints: np.ndarray
    baseline: float
    fresh: float


class FilterState(NamedTuple):
    """Where the joints are and what they were asked for. Kernels write into it.

    Attributes:
        joints: One row a joint, see the names of its columns, [joint, 5].
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


def build_settings(
    limits: Sequence[Limits], rate_hz: float, smoothness: ArrayLike, responsiveness: ArrayLike
) -> FilterSettings:
    """Packs limits for a rate of commands [Hz] and character parameters, one number or one a joint; checks all."""
    if not limits or not all(isinstance(one, Limits) for one in limits):
        raise OptionError(f"A motion filter needs the Limits of at least one joint, one each, not {limits!r}.")
    try:
        rate = float(rate_hz)
    except (TypeError, ValueError):
        rate = math.nan
    if not (math.isfinite(rate) and rate > 0.0):
        raise OptionError(f"`rate_hz` must be a finite number greater than 0, not {rate_hz!r}.")
    count = len(limits)
    smooth = _shares(smoothness, count, "smoothness")
    easing = SLOWEST_EASING_S * rate * smooth
    # Slower by a pace in time is slower by its powers in acceleration and jerk: the motion keeps its shape.
    pace = 1.0 + (SLOWEST_PACE - 1.0) * smooth
    columns = [
        np.array([one.range[0] for one in limits]),
        np.array([one.range[1] for one in limits]),
        _column(limits, "velocity") / rate,
        _column(limits, "acceleration") / (pace * rate) ** 2,
        _column(limits, "jerk") / (pace * rate) ** 3,
        _shares(responsiveness, count, "responsiveness"),
        easing,
        np.where(easing > 0.0, 1.0 / (1.0 + easing / 3.0), 1.0),
    ]
    return FilterSettings(np.array(columns).T.copy(), _BASELINE_S * rate, _FRESH_S * rate)


def resting_state(settings: FilterSettings, positions: np.ndarray) -> FilterState:
    """Joints at rest at positions inside their ranges [rad or m], [joint], and asked to stay there."""
    count, events = len(positions), 2 * math.ceil(settings.baseline) + 4
    joints, eased = np.zeros((count, 5)), np.zeros((count, 2, 3))
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
    if not np.all((array >= 0.0) & (array <= 1.0)):
        raise OptionError(f"`{what}` must be from 0 to 1, not {values!r}.")
    return array
