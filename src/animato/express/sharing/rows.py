"""What an end-point still has to turn to face its goal, and how each coordinate changes that.

A pose is 7 numbers: orientation wxyz and position [m] in the world. A goal is 5 numbers: a quaternion wxyz, or a
direction or point [m] and 0; then the roll about it from upright [rad]. A motion is 6 numbers a coordinate: the turn of
the end-point and the way of its eye for one unit of the coordinate.

With u the direction from the eye to a point and r the distance, an eye that moves by v turns the line to the point by
-u x v / r. So a coordinate that turns the end-point by a brings the line of sight nearer to it by a + u x v / r.
"""

from __future__ import annotations

import numpy as np

from animato.character import EndPoint
from animato.express.facing import shortest, upright
from animato.express.gaze import DIRECTION, ORIENTATION, POINT
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import (
    Vector,
    conjugate,
    cross,
    dot,
    length,
    quaternion,
    rotated,
    rotation_vector,
    times,
    vector,
)

FORWARD, UP = range(2)
"""Rows of `ends`."""

_NEAREST = 0.01  # [m] from the eye below which a point's direction is not resolved any further
_VERTICAL = 1e-3  # 1 - sin^2 of the elevation above which upright frames spin too fast to be followed


def ends_of(end_point: EndPoint, symmetric: bool | None = None) -> np.ndarray:
    """Forward of an end-point and whether it is symmetric (it knows, unless told); its up, across forward, [2, 4]."""
    forward = np.array(end_point.forward, dtype=np.float64)
    forward /= np.linalg.norm(forward)
    across = np.array(end_point.up) - (forward @ np.array(end_point.up)) * forward
    if np.linalg.norm(across) < 1e-6:  # any direction across is as good
        across = np.cross(forward, np.roll(forward, 1) + np.array((0.1, 0.2, 0.3)))
    same = end_point.symmetric if symmetric is None else symmetric
    return np.array([[*forward, same], [*across / np.linalg.norm(across), 0.0]])


@inlined_kernel
def _direction(kind: int, goal: np.ndarray, k: int, eye: Vector) -> tuple[Vector, float]:
    """Unit direction of a goal from an eye, and its distance [m]; any direction where it is at the eye itself."""
    x, y, z = goal[k, 0], goal[k, 1], goal[k, 2]
    if kind == POINT:
        x, y, z = x - eye[0], y - eye[1], z - eye[2]
    size = length((x, y, z))
    if size < 1e-9:
        return (1.0, 0.0, 0.0), _NEAREST
    return (x / size, y / size, z / size), max(size, _NEAREST)


@kernel
def write_left(
    ends: np.ndarray, kind: int, goals: np.ndarray, tolerance: float, poses: np.ndarray, k: int, left: np.ndarray
) -> tuple[Vector, float, bool]:
    """Writes the rotation vector that an end-point lacks [rad]; gives the goal's direction, distance, and free roll.

    Args:
        ends: Of all end-points, [K, 2, 4].
        kind: ORIENTATION, DIRECTION or POINT.
        goals: [K, 5].
        tolerance: Turn about the facing axis that costs nothing [rad].
        poses: [K, 7].
        k: Which end-point.
        left: Row k is written, [K, 3].
    """
    tip, eye = quaternion(poses, k), (poses[k, 4], poses[k, 5], poses[k, 6])
    forward, up = vector(ends[k], FORWARD), vector(ends[k], UP)
    now = rotated(tip, forward)
    free = kind != ORIENTATION and tolerance >= np.pi
    direction, distance = now, 1.0
    if kind == ORIENTATION:
        turn = times(quaternion(goals, k), conjugate(tip))
    else:
        direction, distance = _direction(kind, goals, k, eye)
        if free:
            turn = shortest(now, direction, rotated(tip, up))
        else:
            turn = times(upright(forward, up, direction, goals[k, 4]), conjugate(tip))
    if not free and ends[k, FORWARD, 3] > 0.0:  # half a turn about forward may be nearer
        other = times(turn, (0.0, now[0], now[1], now[2]))
        if abs(other[0]) > abs(turn[0]):
            turn = other
    missing = rotation_vector(turn)
    if not free and tolerance > 0.0:
        along = dot(missing, now)
        spare = min(max(along, -tolerance), tolerance)
        missing = (missing[0] - spare * now[0], missing[1] - spare * now[1], missing[2] - spare * now[2])
        free = abs(along) < tolerance
    left[k, 0], left[k, 1], left[k, 2] = missing
    return direction, distance, free


@kernel
def write_rows(
    ends: np.ndarray,
    kind: int,
    goals: np.ndarray,
    tolerance: float,
    poses: np.ndarray,
    k: int,
    motions: np.ndarray,
    left: np.ndarray,
    slopes: np.ndarray,
) -> None:
    """Writes what is left to turn [rad], [K, 3], and by how much each coordinate turns it away, [K, 3, n].

    Args:
        ends: As for `write_left`, and so on to `k`.
        kind: The same.
        goals: The same.
        tolerance: The same.
        poses: The same.
        k: The same.
        motions: Of the end-point by each coordinate, [n, 6].
        left: Row k is written.
        slopes: Rows k are written.
    """
    u, r, free = write_left(ends, kind, goals, tolerance, poses, k, left)
    now = rotated(quaternion(poses, k), vector(ends[k], FORWARD))
    spin = 0.0 if free or kind != POINT else u[2] / max(1.0 - u[2] * u[2], _VERTICAL)
    for i in range(len(motions)):
        a = (motions[i, 0], motions[i, 1], motions[i, 2])
        if kind == POINT:
            turned = cross(u, (motions[i, 3], motions[i, 4], motions[i, 5]))
            along = -turned[2] / r * spin  # of the upright frame about u, while the line to the point turns
            a = (
                a[0] + turned[0] / r - along * u[0],
                a[1] + turned[1] / r - along * u[1],
                a[2] + turned[2] / r - along * u[2],
            )
        along = dot(a, now) if free else 0.0
        slopes[k, 0, i], slopes[k, 1, i], slopes[k, 2, i] = (
            a[0] - along * now[0],
            a[1] - along * now[1],
            a[2] - along * now[2],
        )


__all__ = ["DIRECTION", "ORIENTATION", "POINT", "ends_of", "write_left", "write_rows"]
