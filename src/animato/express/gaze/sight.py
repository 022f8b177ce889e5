"""Where an end-point is, which way it looks and how far that is off a target: compiled, for every frame of the loop.

A pose is 7 numbers: orientation wxyz and position [m] in the world. A goal is 5 numbers: a quaternion wxyz, or a
direction or point [m] and 0; then the roll about it from upright [rad].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing import SQRT_2, orientation_gap, shortest, upright
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import (
    IDENTITY,
    Vector,
    about,
    cross,
    dot,
    length,
    quaternion,
    rotated,
    times,
    vector,
)
from animato.mechanics.tree import Chain
from animato.spatial import quaternions

ORIENTATION, DIRECTION, POINT = range(3)
"""What the numbers of a goal are."""

AXIS, ORIGIN, SLIDES, LOWER, UPPER = 0, 3, 6, 7, 8
"""First columns of `joints`."""

REST, EYE, FORWARD, UP = range(4)
"""Rows of `ends`."""

_NEAREST = 1e-6  # [m] to the eye within which a point has no direction


class Sight(NamedTuple):
    """A chain as the turns and slides it makes in the world, from zero.

    Attributes:
        joints: Axis and origin in the world at zero [m], whether it slides, lower and upper limit, [n, 9].
        ends: Orientation of the end-point at zero, wxyz; its position there [m]; its forward, followed by 1 where it is
            symmetric; its up, across forward, [4, 4].
    """

    joints: np.ndarray
    ends: np.ndarray


def build_sight(chain: Chain) -> Sight:
    """Packs a chain for kernels."""
    arrays, end_point = chain.arrays, chain.end_point
    joints, ends = np.zeros((len(chain.names), 9)), np.zeros((4, 4))
    zero = chain.at_zero()
    joints[:, AXIS : AXIS + 3], joints[:, ORIGIN : ORIGIN + 3] = zero.axis, zero.origin
    joints[:, SLIDES], joints[:, LOWER], joints[:, UPPER] = arrays.slides, arrays.lower, arrays.upper
    ends[REST] = quaternions.quaternion_from_matrix(zero.tip_rotation)
    ends[EYE, :3] = zero.tip_position
    forward = np.array(end_point.forward, dtype=np.float64)
    forward /= np.linalg.norm(forward)
    across = np.array(end_point.up) - (forward @ np.array(end_point.up)) * forward
    if np.linalg.norm(across) < 1e-6:  # any direction across is as good
        across = np.cross(forward, np.roll(forward, 1) + np.array((0.1, 0.2, 0.3)))
    ends[FORWARD] = *forward, end_point.symmetric
    ends[UP, :3] = across / np.linalg.norm(across)
    return Sight(joints, ends)


@kernel
def write_pose(sight: Sight, q: np.ndarray, pose: np.ndarray) -> None:
    """Writes the pose of the end-point for positions [n]."""
    turn = IDENTITY
    x, y, z = vector(sight.ends, EYE)
    for i in range(len(q) - 1, -1, -1):  # from the eye back to the root: each joint moves what is behind it
        axis = (sight.joints[i, AXIS], sight.joints[i, AXIS + 1], sight.joints[i, AXIS + 2])
        if sight.joints[i, SLIDES] > 0.0:
            x, y, z = x + q[i] * axis[0], y + q[i] * axis[1], z + q[i] * axis[2]
            continue
        own = about(axis, q[i])
        a, b, c = sight.joints[i, ORIGIN], sight.joints[i, ORIGIN + 1], sight.joints[i, ORIGIN + 2]
        x, y, z = rotated(own, (x - a, y - b, z - c))
        x, y, z = x + a, y + b, z + c
        turn = times(own, turn)
    pose[0], pose[1], pose[2], pose[3] = times(turn, quaternion(sight.ends, REST))
    pose[4], pose[5], pose[6] = x, y, z


@inlined_kernel
def direction_of(kind: int, goal: np.ndarray, eye: Vector) -> tuple[bool, Vector]:
    """Unit direction of a goal from an eye at [m]; False where there is none."""
    x, y, z = goal[0], goal[1], goal[2]
    if kind == POINT:
        x, y, z = x - eye[0], y - eye[1], z - eye[2]
    size = length((x, y, z))
    if size < (_NEAREST if kind == POINT else 0.0):
        return False, (0.0, 0.0, 0.0)
    return True, (x / size, y / size, z / size)


@kernel
def write_wanted(
    sight: Sight, kind: int, goal: np.ndarray, free: bool, pose: np.ndarray, eye: np.ndarray, out: np.ndarray
) -> bool:
    """Writes the orientation wxyz that a goal asks for of an eye [m]; False where it has no direction.

    Where any roll will do it is the one that is the shortest turn away from the pose: upright ones spin about where an
    end-point looks straight up, this one never does.
    """
    if kind == ORIENTATION:
        out[:] = goal[:4]
        return True
    there, direction = direction_of(kind, goal, (eye[0], eye[1], eye[2]))
    if not there:
        return False
    if free:
        tip = (pose[0], pose[1], pose[2], pose[3])
        forward = rotated(tip, vector(sight.ends, FORWARD))
        out[0], out[1], out[2], out[3] = times(shortest(forward, direction, rotated(tip, vector(sight.ends, UP))), tip)
    else:
        forward, up = vector(sight.ends, FORWARD), vector(sight.ends, UP)
        out[0], out[1], out[2], out[3] = upright(forward, up, direction, goal[4])
    return True


@kernel
def turn_left(sight: Sight, pose: np.ndarray, wanted: np.ndarray, tolerance: float) -> float:
    """Angle between the orientation of a pose and a wanted one, wxyz [rad]; roll within the tolerance is none."""
    tip, asked = (pose[0], pose[1], pose[2], pose[3]), (wanted[0], wanted[1], wanted[2], wanted[3])
    symmetric = sight.ends[FORWARD, 3] > 0.0
    gap = orientation_gap(tip, asked, vector(sight.ends, FORWARD), symmetric, tolerance)
    return 4.0 * np.arcsin(min(1.0, gap / SQRT_2))  # |target - tip| = 2 sin(angle / 4)


@kernel
def angle_off(sight: Sight, pose: np.ndarray, kind: int, goal: np.ndarray, tolerance: float) -> float:
    """Angle by which a pose is off a goal, seen from its own eye [rad]; pi where the goal is at the eye itself."""
    if kind != ORIENTATION and tolerance >= np.pi:
        there, direction = direction_of(kind, goal, (pose[4], pose[5], pose[6]))
        if not there:
            return np.pi
        forward = rotated((pose[0], pose[1], pose[2], pose[3]), vector(sight.ends, FORWARD))
        return np.arctan2(length(cross(forward, direction)), dot(forward, direction))
    wanted = np.empty(4)
    if not write_wanted(sight, kind, goal, False, pose, pose[4:], wanted):
        return np.pi
    return turn_left(sight, pose, wanted, tolerance)
