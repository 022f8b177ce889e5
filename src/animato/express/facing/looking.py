"""Looking at a point: the turn that a line of sight lacks from wherever the eye is, and how joints change it.

The eye is carried by the joints that turn it. With u the direction from the eye to the point and r the distance, a move
v of the eye turns the line to the point by -u x v / r. A joint that turns the end-point about a and carries the eye by
v therefore brings the line of sight and the line to the point nearer by J = a + u x v / r. Where the end-point is to be
upright as well, its frame spins about u while u moves, by tan(elevation) for each radian about the vertical across u.
"""

from __future__ import annotations

import numpy as np

from animato.express.facing.arrays import EYE, FACING, UPWARD
from animato.kernels.compiled import inlined_kernel
from animato.kernels.quaternions import (
    Quaternion,
    Vector,
    about,
    conjugate,
    cross,
    dot,
    length,
    rotated,
    rotation_vector,
    times,
)
from animato.kernels.uncounted import uncounted_kernel

NOWHERE = (np.inf, np.inf, np.inf)
"""The point of whoever faces an orientation."""

_NEAREST = 0.01  # [m] from the eye below which a point's direction is not resolved any further
_VERTICAL = 1e-3  # 1 - sin^2 of the elevation above which upright frames spin too fast to be followed
_OPPOSITE = 1e-13  # 1 + cosine below which two directions are opposite and no turn between them is the shortest


@inlined_kernel
def shortest(start: Vector, end: Vector, instead: Vector) -> Quaternion:
    """The shortest turn from one unit direction to another; half a turn about a third where they are opposite."""
    w = 1.0 + dot(start, end)
    if w < _OPPOSITE:
        return 0.0, instead[0], instead[1], instead[2]
    x, y, z = cross(start, end)
    scale = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
    return w * scale, x * scale, y * scale, z * scale


@inlined_kernel
def upright(forward: Vector, up: Vector, direction: Vector, roll: float) -> Quaternion:
    """Turn after which `forward` has a unit direction and `up` is as high as it can be, and then by `roll` about it."""
    turn = shortest(forward, direction, up)
    now = rotated(turn, up)
    level = (-direction[2] * direction[0], -direction[2] * direction[1], 1.0 - direction[2] * direction[2])
    if length(level) < 1e-6:  # straight up or down: x is as good as any
        level = (1.0 - direction[0] * direction[0], -direction[0] * direction[1], -direction[0] * direction[2])
    angle = np.arctan2(dot(direction, cross(now, level)), dot(now, level))
    return times(about(direction, angle + roll), turn)


@inlined_kernel
def _row(place: np.ndarray, i: int) -> Vector:
    return place[i, 0], place[i, 1], place[i, 2]


@inlined_kernel
def carried(place: np.ndarray, total: Quaternion, shift: Vector, i: int) -> Vector:
    """Where a row of `place` is after the joints before it have turned by `total` and shifted [m]."""
    x, y, z = rotated(total, _row(place, i))
    return x + shift[0], y + shift[1], z + shift[2]


@inlined_kernel
def line_to(place: np.ndarray, total: Quaternion, shift: Vector, point: Vector) -> tuple[Vector, float]:
    """Unit direction from the eye to a point, and the distance [m]; forward where the point is at the eye."""
    eye = carried(place, total, shift, EYE)
    apart = (point[0] - eye[0], point[1] - eye[1], point[2] - eye[2])
    r = length(apart)
    if r < 1e-9:
        return rotated(total, _row(place, FACING)), _NEAREST
    return (apart[0] / r, apart[1] / r, apart[2] / r), max(r, _NEAREST)


@uncounted_kernel
def look(
    place: np.ndarray,
    total: Quaternion,
    shift: Vector,
    point: Vector,
    twist: Quaternion,
    J: np.ndarray,
    origins: np.ndarray,
    slot: int,
) -> Vector:
    """The rotation vector that the line of sight lacks to a point [rad]; J is made of the joints' axes.

    Args:
        place: As `FacingArrays` has it, [m + 3, 4].
        total: Turn of the end-point from where it is at zero.
        shift: Its translation: x at zero is at total x + shift [m].
        point: In the world [m].
        twist: Turn before it is upright, in the frame at zero; means nothing where any roll will do.
        J: Axis of each joint in the world, which becomes its slope, [2, m, 3].
        origins: Where the axes are [m], [2, m, 3].
        slot: Which of the two.
    """
    u, r = line_to(place, total, shift, point)
    forward, up = _row(place, FACING), _row(place, UPWARD)
    free = place[FACING, 3] > 0.0
    if free:
        now = rotated(total, forward)
        left = rotation_vector(shortest(now, u, rotated(total, up)))
    else:
        wanted = times(upright(forward, up, u, 0.0), twist)
        left = rotation_vector(times(wanted, conjugate(total)))
    spin = 0.0 if free else u[2] / max(1.0 - u[2] * u[2], _VERTICAL)
    eye = carried(place, total, shift, EYE)
    for i in range(J.shape[1]):
        a = (J[slot, i, 0], J[slot, i, 1], J[slot, i, 2])
        if place[i, 3] > 0.0:
            v, a = a, (0.0, 0.0, 0.0)
        else:
            v = cross(a, (eye[0] - origins[slot, i, 0], eye[1] - origins[slot, i, 1], eye[2] - origins[slot, i, 2]))
        turned = cross(u, v)
        along = -turned[2] / r * spin  # of the frame about u, by the vertical part of the line's own turn
        for k in range(3):
            J[slot, i, k] = a[k] + turned[k] / r - along * u[k]
    return left
