"""The facing problem as plain arrays, and what one joint costs.

Each turning joint adds weight_i c_i(q_i) to the combined error, with one of two costs:

    posture: c(q) = |cos(q - centre) - cos(psi - centre)|     (equation 21; zero at psi and at its mirror image)
    shape:   c(q) = |sin((q - psi) / 2)|                      (zero at psi only)

Both are smooth between kinks, the angles where they are zero and have a corner.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing.errors import BendMeasure, ErrorWeights
from animato.express.facing.packed_turns import PackedTurns

TURN = 2.0 * float(np.pi)
PER_TURN = 1.0 / TURN
AT_KINK = 1e-9  # [rad] within which an angle counts as standing on a kink
_FLAT = 1e-9  # amplitude below which a joint does not change its bend

LOWER, UPPER, LOW, HIGH = range(4)
"""Columns of `limits`."""

WEIGHT, COS_PHASE, SIN_PHASE, LEVEL, SLOPE, OWN = range(6)
"""Columns of `cost`."""

EYE, FACING, UPWARD = -3, -2, -1
"""Last rows of `place`."""


class FacingArrays(NamedTuple):
    """What kernels take. Arrays over turning joints, m with the roll joint; few, because each takes time to hand over.

    Attributes:
        axis: Unit axis in the world at zero, [m, 3].
        limits: LOWER and UPPER, infinite where free; LOW and HIGH are infinite also for joints that can make a whole
            turn, since any angle of theirs has an equal inside the limits [rad], [m, 4].
        kinks: The posture's angle, and its mirror image or the same again; 0 for the roll joint [rad], [m, 2].
        cost: WEIGHT of the joint's cost in the combined error, 0 where it has none; COS_PHASE and SIN_PHASE of `centre`
            or psi / 2; LEVEL cos(psi - centre); SLOPE on either side of a kink; OWN is 1 for joints of the chain and 0
            for the roll joint, which has no place to stay near to, [m, 6].
        signed: Whether costs are those of the shape error.
        orientation: Weight of the orientation error.
        posture: Weight of the posture error, the unit of curvatures and prices.
        place: Where things are while all joints are at zero, for looking at points: the origin of each joint [m] and 1
            where it slides; then, with rows from the end, EYE [m], FACING and 1 where any roll will do, and UPWARD
            across it, [m + 3, 4].
    """

    axis: np.ndarray
    limits: np.ndarray
    kinks: np.ndarray
    cost: np.ndarray
    signed: bool
    orientation: float
    posture: float
    place: np.ndarray


def facing_arrays(
    turns: PackedTurns, measure: BendMeasure, posture: np.ndarray, weights: ErrorWeights, *, signed: bool
) -> FacingArrays:
    """Packs a problem.

    Args:
        turns: The turns of the chain.
        measure: Of the turning joints and the roll joint, [m].
        posture: Angles that are held [rad], [m].
        weights: Of equation 19.
        signed: Whether to minimize the shape error instead of the posture error.
    """
    amplitude = np.hypot(measure.cosine[:, 1], measure.cosine[:, 2])
    centre = np.arctan2(measure.cosine[:, 2], measure.cosine[:, 1])
    if signed:
        weight = weights.posture * measure.weight * measure.reach
        slope, phase, mirror = 0.5 * weight, 0.5 * posture, posture
    else:
        weight = np.where(amplitude > _FLAT, 0.5 * weights.posture * measure.weight * amplitude, 0.0)
        slope, phase, mirror = weight * np.abs(np.sin(posture - centre)), centre, 2.0 * centre - posture
    own = np.where(np.arange(len(turns.axis)) < len(turns.columns), 1.0, 0.0)
    whole = turns.upper - turns.lower >= TURN - 1e-9
    low, high = np.where(whole, -np.inf, turns.lower), np.where(whole, np.inf, turns.upper)
    return FacingArrays(
        turns.axis,
        np.stack([turns.lower, turns.upper, low, high], axis=1),
        np.stack([posture, mirror], axis=1),
        np.stack([weight, np.cos(phase), np.sin(phase), np.cos(posture - centre), slope, own], axis=1),
        signed,
        weights.orientation,
        max(weights.posture, 1e-3),
        turns.place,
    )
