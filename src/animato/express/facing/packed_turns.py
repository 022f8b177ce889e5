"""A chain reduced to what its end-point's orientation depends on: turns about fixed axes, one after another.

With a_i the axis of turning joint i in the world while all joints are at zero, and R_0 the end-point's
orientation there, the orientation at q is exp(a_1 q_1) ... exp(a_m q_m) R_0. Slides do not appear. A
target T asks for exp(a_1 q_1) ... exp(a_m q_m) = T R_0^-1, and facing upside down is a second target
T (half a turn about forward) R_0^-1. A turn about `forward` that costs nothing is one more joint behind
the last, with the tolerance as its limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.tree import Chain
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class TurningChain:
    """The turns of a chain.

    Attributes:
        columns: Joints of the chain that turn, in order, [k].
        axis: In the world at zero; a roll joint comes last where there is one, [m, 3], m = k or k + 1.
        lower: Lowest angle, -inf where free [rad], [m].
        upper: Highest angle, inf where free [rad], [m].
        rest_wxyz: Orientation of the end-point in the world at zero, [4].
        half_turn_wxyz: Half a turn about the facing axis, seen in the world at zero, [4].
        facing: The facing axis in the world at zero, [3].
        forward: The same in the end-point's own frame, [3].
    """

    columns: np.ndarray
    axis: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    rest_wxyz: np.ndarray
    half_turn_wxyz: np.ndarray
    facing: np.ndarray
    forward: np.ndarray


def build_turning_chain(chain: Chain, roll_tolerance: float) -> TurningChain:
    """The turns of a chain, and the roll that costs nothing as its last joint.

    Args:
        chain: The joints and the end-point.
        roll_tolerance: Turn about `forward` that costs nothing, either way, 0 to pi [rad].
    """
    arrays = chain.arrays
    columns = np.flatnonzero(~arrays.slides)
    axis = np.empty((len(chain.names), 3))
    rotation = arrays.base_rotation
    for i in range(len(chain.names)):
        rotation = rotation @ arrays.rotation[i]
        axis[i] = rotation @ arrays.axis[i]
    rest = rotation @ arrays.tip_rotation
    forward = np.array(chain.end_point.forward)
    facing = rest @ forward
    axis, lower, upper = axis[columns], arrays.lower[columns], arrays.upper[columns]
    if roll_tolerance > 0.0:
        axis = np.vstack([axis, facing])
        lower, upper = np.append(lower, -roll_tolerance), np.append(upper, roll_tolerance)
    return TurningChain(
        columns,
        np.ascontiguousarray(axis),
        np.ascontiguousarray(lower),
        np.ascontiguousarray(upper),
        quaternions.quaternion_from_matrix(rest),
        np.concatenate([[0.0], facing]),
        facing,
        forward,
    )
