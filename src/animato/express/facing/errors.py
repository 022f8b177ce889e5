"""How far a solution is from facing its target and from holding its posture.

The measures are those of Ribeiro and Paiva (Expressive Inverse Kinematics Solving in Real-time for
Virtual and Robotic Interactive Characters, 2019), equations 19 to 22, with these readings: the
aggravation is 2 and its exponent is the joint's index counted from 1; the "norms" of equation 21 are
dot products of unit directions. Their posture error is blind to the sign of a bend, so a partly
mirrored shape scores zero; the signed shape error beside it is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError, OptionError
from animato.express.facing.packed_turns import PackedTurns, pack_turns
from animato.express.options import Options
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import IDENTITY, Quaternion, Vector, about, quaternion, times, vector
from animato.mechanics.tree import Chain, PackedChain
from animato.spatial import quaternions

SQRT_2 = float(np.sqrt(2.0))


class ErrorWeights(NamedTuple):
    """Weights of equation 19, the aggravation of equation 21, and whether half a turn does not count."""

    orientation: float = Options.orientation_weight
    posture: float = Options.posture_weight
    aggravation: float = Options.aggravation
    symmetric: bool = True


@dataclass(frozen=True)
class FacingError:
    """Errors of one solution.

    Attributes:
        combined: Weighted sum of orientation and posture error, equation 19.
        orientation: Distance of quaternions over sqrt 2, equation 20; 0 to 1. An angle a [rad] gives sqrt 2 sin(a / 4).
        posture: Equation 21, not weighted; 0 to 1.
        shape: Signed shape error, not weighted; 0 to 1.
    """

    combined: float
    orientation: float
    posture: float
    shape: float


@dataclass(frozen=True, eq=False)
class FacingErrors:
    """Errors of many solutions, as `FacingError` has them for one; each of shape [m]."""

    combined: np.ndarray
    orientation: np.ndarray
    posture: np.ndarray
    shape: np.ndarray


class BendMeasure(NamedTuple):
    """What the posture and the shape error need of each joint, for kernels.

    Attributes:
        weight: Of the joint in both errors, 0 where it does not bend the chain; sums to 1, [n].
        cosine: A, B, C with cos(bend) = A + B cos q + C sin q, [n, 3].
        reach: Length of the part of the unit segment that turns with the joint, [n].
    """

    weight: np.ndarray
    cosine: np.ndarray
    reach: np.ndarray


def weights_of(chain: Chain, options: Options | None = None) -> ErrorWeights:
    """The weights of options, those of the paper's evaluation where not given.

    Half a turn counts as the end-point says, unless the options do.
    """
    chosen = options or Options()
    symmetric = chain.end_point.symmetric if chosen.symmetric is None else chosen.symmetric
    return ErrorWeights(chosen.orientation_weight, chosen.posture_weight, chosen.aggravation, symmetric)


def bend_weights(chain: Chain, aggravation: float = Options.aggravation) -> np.ndarray:
    """alpha^i / PostureNorm for joints that bend the chain, 0 for twisters and slides, [n]; sums to 1."""
    arrays = chain.arrays
    raw = np.where(arrays.twister | arrays.slides, 0.0, aggravation ** np.arange(1.0, len(chain.names) + 1.0))
    return raw / raw.sum() if raw.sum() > 0.0 else raw


def bend_coefficients(arrays: PackedChain) -> np.ndarray:
    """A, B, C with cos(bend at joint i) = A + B cos q + C sin q, [n, 3].

    The bend is the angle between segment i - 1 and segment i; it depends on q_i alone. Before the
    first joint stands its own segment at position zero.
    """
    out = np.zeros((len(arrays.axis), 3))
    for i in range(len(arrays.axis)):
        axis, segment = arrays.axis[i], arrays.segment[i]
        before = segment if i == 0 else arrays.rotation[i].T @ arrays.segment[i - 1]
        along = axis * (axis @ segment)
        out[i] = before @ along, before @ (segment - along), before @ np.cross(axis, segment)
    return out


def bend_measure(chain: Chain, aggravation: float = Options.aggravation) -> BendMeasure:
    """What the errors need of each joint."""
    arrays = chain.arrays
    along = np.sum(arrays.axis * arrays.segment, axis=1)
    reach = np.sqrt(np.maximum(0.0, 1.0 - along**2))
    return BendMeasure(bend_weights(chain, aggravation), bend_coefficients(arrays), reach)


def checked_weights(weights: ErrorWeights) -> ErrorWeights:
    """The weights, or an error that says which of them is out of range."""
    for name, least, allowed in (
        ("orientation", np.nextafter(0.0, 1.0), "greater than 0"),
        ("posture", 0.0, "0 or more"),
        ("aggravation", np.nextafter(0.0, 1.0), "greater than 0"),
    ):
        value = getattr(weights, name)
        if not (np.isfinite(value) and value >= least):
            raise OptionError(f"The error weight '{name}' must be a number {allowed}, not {value}.")
    return weights


def facing_errors(
    chain: Chain,
    positions: ArrayLike,
    posture: ArrayLike,
    targets_wxyz: ArrayLike,
    weights: ErrorWeights | None = None,
    *,
    roll_tolerance: float = 0.0,
) -> FacingErrors:
    """Errors of many solutions at once.

    orientation = min |target -+ tip| / sqrt 2 over the turns about `forward` that do not count: none,
    half a turn where symmetric, and any turn within the roll tolerance. With w_i = alpha^i / sum:

        posture = sum_i w_i |cos bend_i(psi_i) - cos bend_i(q_i)| / 2
        shape   = sum_i w_i |R(q_i) s_i - R(psi_i) s_i| / 2 = sum_i w_i reach_i |sin((q_i - psi_i) / 2)|

    where s_i is the segment behind joint i in the joint's own frame: half the chord between where the
    segment is and where the posture has it, each seen from the segment before it.

    Args:
        chain: The joints and the end-point.
        positions: Solutions [rad or m], shape [m, n].
        posture: Posture that is held, one for all [n] or one each [m, n].
        targets_wxyz: Orientation of the end-point that is asked for, in the world, [m, 4]; unit length.
        weights: Of equation 19; the paper's where not given, symmetric as the end-point says.
        roll_tolerance: Turn about `forward` that costs nothing, either way, 0 (exact) to pi (free) [rad].

    Raises:
        MotionError: The arrays do not fit one another.
    """
    count = len(chain.names)
    solutions = np.ascontiguousarray(np.atleast_2d(np.asarray(positions, dtype=np.float64)))
    targets = np.ascontiguousarray(np.atleast_2d(np.asarray(targets_wxyz, dtype=np.float64)))
    postures = np.asarray(posture, dtype=np.float64)
    if solutions.shape != (len(targets), count) or targets.shape[1:] != (4,) or postures.shape[-1:] != (count,):
        raise MotionError(
            f"Errors of a chain of {count} joints need positions [m, {count}], a posture [{count}] or [m, {count}] and "
            f"targets [m, 4]; given {solutions.shape}, {postures.shape} and {targets.shape}."
        )
    postures = np.ascontiguousarray(np.broadcast_to(postures, solutions.shape))
    chosen = checked_weights(weights or weights_of(chain))
    turns, measure = _made_ready(chain, chosen.aggravation)
    out = np.empty((4, len(targets)))
    _errors_kernel(
        turns.axis,
        turns.columns,
        turns.rest_wxyz[None],
        turns.forward[None],
        measure,
        chosen,
        checked_roll(roll_tolerance),
        solutions,
        postures,
        targets,
        out,
    )
    return FacingErrors(out[0], out[1], out[2], out[3])


@lru_cache(maxsize=32)
def _made_ready(chain: Chain, aggravation: float) -> tuple[PackedTurns, BendMeasure]:
    """What does not depend on positions; loops ask for errors of the same chain every frame."""
    return pack_turns(chain, 0.0), bend_measure(chain, aggravation)


def checked_roll(roll_tolerance: float) -> float:
    """The tolerance, or an error where it is not 0 to pi."""
    if not 0.0 <= roll_tolerance <= np.pi + 1e-12:
        raise OptionError(f"The roll tolerance must be 0 (exact) to pi rad (free), not {roll_tolerance}.")
    return min(float(roll_tolerance), float(np.pi))


@kernel
def orientation_gap(tip: Quaternion, target: Quaternion, forward: Vector, symmetric: bool, roll: float) -> float:
    """Equation 20 of one pair of unit quaternions, `forward` in the end-point's frame.

    Among the turns r about `forward`, tip (cos r/2, forward sin r/2) is nearest to the target where
    tan(r/2) = (target . tip forward) / (target . tip); the roll tolerance clips r.
    """
    half_turn = (0.0, forward[0], forward[1], forward[2])
    least = 4.0
    for _ in range(2 if symmetric else 1):
        rolled = tip
        if roll > 0.0:
            turned = times(tip, half_turn)
            along = tip[0] * target[0] + tip[1] * target[1] + tip[2] * target[2] + tip[3] * target[3]
            across = turned[0] * target[0] + turned[1] * target[1] + turned[2] * target[2] + turned[3] * target[3]
            if along < 0.0:  # the same turn written the other way
                along, across = -along, -across
            angle = min(max(2.0 * np.arctan2(across, along), -roll), roll)
            rolled = times(tip, about(forward, angle))
        minus, plus = 0.0, 0.0
        for n in range(4):
            minus += (target[n] - rolled[n]) ** 2
            plus += (target[n] + rolled[n]) ** 2
        least = min(least, minus, plus)
        tip = times(tip, half_turn)
    return np.sqrt(least) / SQRT_2


@kernel
def bend_errors(measure: BendMeasure, i: int, q: float, psi: float) -> tuple[float, float]:
    """Weighted posture and shape error of joint i at position q where the posture has psi."""
    weight = measure.weight[i]
    if weight == 0.0:
        return 0.0, 0.0
    b, c = measure.cosine[i, 1], measure.cosine[i, 2]
    posture = 0.5 * weight * abs(b * (np.cos(q) - np.cos(psi)) + c * (np.sin(q) - np.sin(psi)))
    return posture, weight * measure.reach[i] * abs(np.sin(0.5 * (q - psi)))


@kernel
def _errors_kernel(
    axis: np.ndarray,
    columns: np.ndarray,
    rest: np.ndarray,
    forward: np.ndarray,
    measure: BendMeasure,
    weights: ErrorWeights,
    roll: float,
    positions: np.ndarray,
    postures: np.ndarray,
    targets: np.ndarray,
    out: np.ndarray,
) -> None:
    """Writes combined, orientation, posture and shape errors, [4, m]; rest [1, 4], forward [1, 3]."""
    for m in range(len(positions)):
        tip = IDENTITY
        for i in range(len(columns)):
            tip = times(tip, about(vector(axis, i), positions[m, columns[i]]))
        tip = times(tip, quaternion(rest, 0))
        gap = orientation_gap(tip, quaternion(targets, m), vector(forward, 0), weights.symmetric, roll)
        posture, shape = 0.0, 0.0
        for i in range(positions.shape[1]):
            bend = bend_errors(measure, i, positions[m, i], postures[m, i])
            posture += bend[0]
            shape += bend[1]
        out[0, m] = weights.orientation * gap + weights.posture * posture
        out[1, m], out[2, m], out[3, m] = gap, posture, shape


def orientation_error(
    tip_wxyz: np.ndarray, target_wxyz: np.ndarray, forward: np.ndarray, *, symmetric: bool
) -> np.ndarray:
    """Equation 20 for arrays of quaternions [..., 4]; `forward` is the end-point's facing axis in its own frame."""

    def distance(a: np.ndarray) -> np.ndarray:
        gap = np.minimum(np.linalg.norm(target_wxyz - a, axis=-1), np.linalg.norm(target_wxyz + a, axis=-1))
        return gap / np.sqrt(2.0)

    error = distance(tip_wxyz)
    if symmetric:
        half_turn = np.concatenate([[0.0], np.asarray(forward)])
        error = np.minimum(error, distance(quaternions.multiply(tip_wxyz, half_turn)))
    return error
