"""ERIK's joint model (section 3.4): what one joint can do.

Every joint has a frame whose z axis continues the segment before it ("Parent" in the paper, whose y is
our z). In it lie its rotation axis and its own segment. `child_turn` leads from the moved joint to the
frame of the next; for chains that are straight at zero, such as the paper's, it is the identity.

Joints that slide, which the paper leaves to the future (section 3.1), turn nothing: no direction of a segment and no
orientation depends on them, and ERIK deals in nothing else. So the model is one of the turning joints, and a sliding
joint keeps the posture's value.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from animato.errors import CharacterError
from animato.express.published.erik.algebra import vector, wrapped
from animato.express.published.erik.latitude_table import latitude_tables
from animato.kernels.compiled import kernel
from animato.kernels.quaternions import Vector, dot
from animato.mechanics.tree import Chain
from animato.spatial import quaternions

_PARALLEL = 1.0 - 1e-9
_EDGE = 1e-6  # how near a limit [rad] counts as at it
_UP = np.array([0.0, 0.0, 1.0])


class JointModel(NamedTuple):
    """Packed turning joints k = 0 ... n - 1 from the root to the end-point; vectors in each joint's own frame.

    Attributes:
        axis: RotationAxis, [n, 3].
        orthogonal: Axis x segment (eq. 17, OA), [n, 3].
        parent_orthogonal: Axis x Parent (eq. 17, POA); its side of the joint is the positive hemisphere, [n, 3].
        pitch_axis: PitchRA: the axis, or a neighbour's where the joint is a twister; always across z, [n, 3].
        child_turn: From the moved joint's frame to the next one's, or to the superpoint's, wxyz, [n, 4].
        twister: Whether the axis is along the segment, [n].
        lower: Min theta [rad], -inf where free, [n].
        upper: Max theta [rad], inf where free, [n].
        latitudes: The table's rising latitudes of the negative and the positive hemisphere, [2, n, rows].
        angles: The local angle [rad] of each of them, [2, n, rows].
        row_count: How many rows are used, [2, n].
        base_wxyz: Turn of the root's frame in the world, [4].
        tip_wxyz: Turn of the superpoint's frame, whose z is the way the end-point faces, in the end-point's, [4].
    """

    axis: np.ndarray
    orthogonal: np.ndarray
    parent_orthogonal: np.ndarray
    pitch_axis: np.ndarray
    child_turn: np.ndarray
    twister: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    latitudes: np.ndarray
    angles: np.ndarray
    row_count: np.ndarray
    base_wxyz: np.ndarray
    tip_wxyz: np.ndarray


def build_joint_model(chain: Chain, lalut_step: float) -> JointModel:
    """Packs a chain for ERIK.

    Args:
        chain: Turning joints, and sliding ones, which are left out.
        lalut_step: Angle between rows of the latitude tables [rad].

    Raises:
        CharacterError: No joint of the chain turns.
    """
    turning = turning_joints(chain)
    if not len(turning):
        raise CharacterError(
            f"No joint up to '{chain.end_point.name}' turns ({', '.join(chain.names)} slide), so it faces one way only."
        )
    lower, upper = chain.arrays.lower[turning], chain.arrays.upper[turning]
    axis_zero, segment_zero, tip_zero = _zero_pose(chain)
    count = len(turning)
    frame, child_turn = np.empty((count + 1, 4)), np.empty((count, 4))
    frame[0] = quaternions.shortest_turn(_UP, segment_zero[0])  # the root's Parent is its own segment (section 3.6)
    for k in range(count):
        # frames are alike at zero but for the bends that the chain has there, as the paper has them
        child_turn[k] = quaternions.shortest_turn(
            _UP, quaternions.rotate(quaternions.conjugate(frame[k]), segment_zero[k])
        )
        frame[k + 1] = quaternions.multiply(frame[k], child_turn[k])
    axis = quaternions.rotate(quaternions.conjugate(frame[:-1]), axis_zero)
    segment = quaternions.rotate(child_turn, _UP)
    twister = np.abs(np.sum(axis * segment, axis=1)) > _PARALLEL
    return JointModel(
        axis,
        _across(axis, segment),
        _across(axis, np.broadcast_to(_UP, axis.shape)),
        _pitch_axes(axis, child_turn, twister),
        child_turn,
        twister,
        lower,
        upper,
        *latitude_tables(axis, segment, lower, upper, lalut_step),
        frame[0],
        quaternions.multiply(quaternions.conjugate(tip_zero), frame[-1]),
    )


def turning_joints(chain: Chain) -> np.ndarray:
    """Which joints of a chain turn, as indices, [m]."""
    return np.flatnonzero(~chain.arrays.slides)


def _zero_pose(chain: Chain) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Axes and segments of the turning joints [m, 3] and the end-point's orientation, wxyz [4], in the world at zero.

    The last segment is the way the end-point faces.
    """
    arrays = chain.arrays
    axis, segment = np.empty_like(arrays.axis), np.empty_like(arrays.axis)
    rotation = arrays.base_rotation
    for k in range(len(chain.names)):
        rotation = rotation @ arrays.rotation[k]
        axis[k], segment[k] = rotation @ arrays.axis[k], rotation @ arrays.segment[k]
    tip = rotation @ arrays.tip_rotation
    turning = turning_joints(chain)
    segment[turning[-1]] = tip @ np.array(chain.end_point.forward)
    return axis[turning], segment[turning], quaternions.quaternion_from_matrix(tip)


def _across(axis: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Unit axis x other (eq. 17); where they are parallel, some unit vector across the axis."""
    out = np.cross(axis, other)
    for k in np.flatnonzero(np.linalg.norm(out, axis=1) < 1e-6):
        out[k] = np.cross(axis[k], (1.0, 0.0, 0.0) if abs(axis[k, 0]) < 0.9 else (0.0, 1.0, 0.0))
    return out / np.linalg.norm(out, axis=1, keepdims=True)


def _pitch_axes(axis: np.ndarray, child_turn: np.ndarray, twister: np.ndarray) -> np.ndarray:
    """PitchRA of section 7.1 in the frame of each joint, without its part along z, about which rolls are read."""
    out = axis.copy()
    for k in np.flatnonzero(twister):
        if k > 0:
            out[k] = quaternions.rotate(quaternions.conjugate(child_turn[k - 1]), axis[k - 1])
        else:
            out[k] = quaternions.rotate(child_turn[0], axis[min(1, len(axis) - 1)])
    out[:, 2] = 0.0
    out[np.linalg.norm(out, axis=1) < 1e-6] = 1.0, 0.0, 0.0
    return out / np.linalg.norm(out, axis=1, keepdims=True)


@kernel
def target_latitude(model: JointModel, k: int, target: Vector) -> tuple[float, int]:
    """TargetLatitude: the latitude of a unit direction in k's frame and its hemisphere, 0 negative and 1 positive."""
    hemisphere = 0 if dot(target, vector(model.parent_orthogonal[k])) < 0.0 else 1
    return (0.5 * (target[2] + 1.0), hemisphere)


@kernel
def latitude_angle(model: JointModel, k: int, latitude: float, hemisphere: int) -> float:
    """LALUT and SafeAngle: the local angle [rad] at a latitude, interpolated, as near as the limits allow.

    A hemisphere that the limits leave empty is answered by the other one: the joint bends the other way
    and its parent's twist brings it round (fig. 5). Line 2 of Alg. 13 drops the latitude's sign; callers
    pass the hemisphere.
    """
    if model.row_count[hemisphere, k] == 0:
        hemisphere = 1 - hemisphere
    rows = model.row_count[hemisphere, k]
    if rows == 0:
        return safe_angle(model, k, 0.0)
    latitudes, angles = model.latitudes[hemisphere, k], model.angles[hemisphere, k]
    if not latitude > latitudes[0]:
        return angles[0]
    if latitude >= latitudes[rows - 1]:
        return angles[rows - 1]
    low, high = 0, rows - 1
    while high - low > 1:
        middle = (low + high) // 2
        if latitudes[middle] <= latitude:
            low = middle
        else:
            high = middle
    share = (latitude - latitudes[low]) / (latitudes[high] - latitudes[low])
    if abs(angles[high] - angles[low]) > math.pi:  # the two sides of a gap that the limits leave
        return angles[low] if share < 0.5 else angles[high]
    return angles[low] + share * (angles[high] - angles[low])


@kernel
def safe_angle(model: JointModel, k: int, angle: float) -> float:
    """SafeAngle: the angle clamped to k's limits."""
    return min(model.upper[k], max(model.lower[k], angle))


@kernel
def centred(model: JointModel, k: int, angle: float) -> float:
    """The same angle within half a turn of the middle of k's limits."""
    middle = 0.5 * (model.lower[k] + model.upper[k])
    if not math.isfinite(middle):
        middle = 0.0
    return middle + wrapped(angle - middle)


@kernel
def safe_cyclic(model: JointModel, k: int, angle: float) -> float:
    """SafeAngle with bCycle: wrapped, then clamped.

    The print wraps to [0, 2 pi), which sends -30 deg of a joint of +-90 deg to +90 deg; this wraps
    around the middle of the limits.
    """
    return safe_angle(model, k, centred(model, k, angle))


@kernel
def safe_twist(model: JointModel, k: int, angle: float) -> float:
    """Alg. 12, SafeTwist: a twist within limits.

    Beyond its limits a twister goes half a turn the other way, and the joint after it bends to the other
    side. Lines 5-6 compute that as -Max + (theta - Max), which is theta - pi only for limits of +-90 deg;
    here it is half a turn itself, taken where it breaks the limits less. The end-point is excluded (line
    4); callers use `safe_cyclic` for it.
    """
    direct = centred(model, k, angle)
    kept = safe_angle(model, k, direct)
    opposite = centred(model, k, angle + math.pi)
    other = safe_angle(model, k, opposite)
    return other if abs(opposite - other) < abs(direct - kept) else kept


@kernel
def away_from_edge(model: JointModel, k: int, angle: float, distance: float) -> float:
    """AvoidJointEdge: an angle at a limit is moved inside by a distance [rad]; one beyond it is left alone."""
    if abs(angle - model.lower[k]) < _EDGE:
        return safe_angle(model, k, model.lower[k] + distance)
    if abs(angle - model.upper[k]) < _EDGE:
        return safe_angle(model, k, model.upper[k] - distance)
    return angle
