"""A chain packed for the facing kernels: what its end-point's orientation depends on, turns about fixed axes.

With a_i the axis of turning joint i in the world while all joints are at zero, and R_0 the end-point's
orientation there, the orientation at q is exp(a_1 q_1) ... exp(a_m q_m) R_0. Slides do not appear. A
target T asks for exp(a_1 q_1) ... exp(a_m q_m) = T R_0^-1, and facing upside down is a second target
T (half a turn about forward) R_0^-1. A turn about `forward` that costs nothing is one more joint behind
the last, with the tolerance as its limits.

Neighbours with parallel axes turn the end-point in one and the same way. A chain such as z y y turns it in two ways, a
planar arm in one, and what they can face is a surface or a curve among all orientations. No three of their joints face
a target in closed form (see `vertices`); two of them do, or one, and the missing ones are added behind the
end-point, about axes of their own, with limits 0 to 0. The closed form then gives the angle that the locked joint would
need: 0 where the target can be faced, and where it cannot, how much it is missed by.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.mechanics.tree import Chain
from animato.spatial import quaternions

_PARALLEL = 1e-3  # sine below which two axes count as parallel; numbers in files are rounded
_WAYS = 3  # in which a chain must turn to have corners


@dataclass(frozen=True, eq=False)
class PackedTurns:
    """The turns of a `Chain`, for kernels; everything else about it is asked of the chain itself.

    Attributes:
        columns: Joints of the chain that turn, and slide where asked for, in order, [k].
        axis: In the world at zero; a roll joint comes last where there is one, [m, 3], m = k or k + 1.
        lower: Lowest angle, -inf where free [rad], [m].
        upper: Highest angle, inf where free [rad], [m].
        rest_wxyz: Orientation of the end-point in the world at zero, [4].
        half_turn_wxyz: Half a turn about the facing axis, seen in the world at zero, [4].
        facing: The facing axis in the world at zero, [3].
        forward: The same in the end-point's own frame, [3].
        place: As `FacingArrays` has it, [m + 3, 4].
    """

    columns: np.ndarray
    axis: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    rest_wxyz: np.ndarray
    half_turn_wxyz: np.ndarray
    facing: np.ndarray
    forward: np.ndarray
    place: np.ndarray


def pack_turns(chain: Chain, roll_tolerance: float, *, slides: bool = False) -> PackedTurns:
    """Packs the turns of a chain, with the roll that costs nothing as its last joint.

    Args:
        chain: The joints and the end-point.
        roll_tolerance: Turn about `forward` that costs nothing, either way, 0 to pi [rad].
        slides: Whether to take sliding joints with them; they matter to whoever looks at points.
    """
    columns = np.arange(len(chain.names)) if slides else np.flatnonzero(~chain.arrays.slides)
    zero = chain.at_zero()
    forward = np.array(chain.end_point.forward)
    facing = zero.tip_rotation @ forward
    axis, lower, upper = zero.axis[columns], chain.arrays.lower[columns], chain.arrays.upper[columns]
    if roll_tolerance > 0.0:
        axis = np.vstack([axis, facing])
        lower, upper = np.append(lower, -roll_tolerance), np.append(upper, roll_tolerance)
    place = np.zeros((len(axis) + 3, 4))
    place[: len(columns), :3], place[: len(columns), 3] = zero.origin[columns], chain.arrays.slides[columns]
    place[len(columns) : len(axis) + 1, :3] = zero.tip_position
    place[-2, :3], place[-1, :3] = facing, zero.tip_rotation @ _across(forward, np.array(chain.end_point.up))
    place[-2, 3] = roll_tolerance >= np.pi
    return PackedTurns(
        columns,
        np.ascontiguousarray(axis),
        np.ascontiguousarray(lower),
        np.ascontiguousarray(upper),
        quaternions.quaternion_from_matrix(zero.tip_rotation),
        np.concatenate([[0.0], facing]),
        facing,
        forward,
        place,
    )


def _across(forward: np.ndarray, up: np.ndarray) -> np.ndarray:
    """The part of up across forward, of unit length; any direction across where there is none."""
    across = up - (forward @ up) * forward
    if np.linalg.norm(across) < 1e-6:
        across = np.cross(forward, np.roll(forward, 1) + np.array((0.1, 0.2, 0.3)))
    return np.asarray(across / np.linalg.norm(across))


def ways_of_turning(turns: PackedTurns) -> np.ndarray:
    """Which way each joint turns, counted from the first: neighbours with parallel axes turn the same way.

    Args:
        turns: Of a chain.

    Returns:
        0, 1, ... along the chain, [m].
    """
    apart = np.linalg.norm(np.cross(turns.axis[:-1], turns.axis[1:]), axis=1) > _PARALLEL
    return np.cumsum(np.insert(apart.astype(np.int64), 0, 0)) if len(turns.axis) else np.zeros(0, np.int64)


def with_locked_turns(turns: PackedTurns) -> PackedTurns:
    """The same turns with as many locked joints behind them as it takes to turn in three ways; often none.

    Args:
        turns: Of a chain, the roll joint included.
    """
    ways = ways_of_turning(turns)
    missing = _WAYS - (int(ways[-1]) + 1 if len(ways) else 0)
    if missing <= 0:
        return turns
    axis = turns.axis
    for _ in range(missing):
        axis = np.vstack([axis, _any_across(axis[-1]) if len(axis) else np.array((0.0, 0.0, 1.0))])
    locked = np.zeros(missing)
    places = np.zeros((missing, 4))
    places[:, :3] = turns.place[len(turns.axis), :3]  # where the eye is
    return replace(
        turns,
        axis=np.ascontiguousarray(axis),
        lower=np.append(turns.lower, locked),
        upper=np.append(turns.upper, locked),
        place=np.insert(turns.place, len(turns.axis), places, axis=0),
    )


def _any_across(axis: np.ndarray) -> np.ndarray:
    """A unit direction at right angles to an axis."""
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    return np.asarray(across / np.linalg.norm(across))
