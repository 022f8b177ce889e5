"""Makes a line of sight go through a point from where the eye really is.

A solver turns the end-point into the direction from where its eye was thought to be, and the eye moves on the way.
With q the solver's joints and c(q + d) the turn that the line of sight still lacks, this takes the shortest d with
c(q + d) = 0, one step of Newton's method a frame from the d before:

    d <- J^T (J J^T + damping)^-1 (J d - c),     J_i = slope of c over joint i

Turning joint i by a small angle turns the end-point by it about the axis a_i, and carries the eye by a_i x (e - o_i),
which turns the line to a point at the distance r by -u x (a_i x (e - o_i)) / r. Joints that would leave their limits
stand there and do not take part.
"""

from __future__ import annotations

import numpy as np

from animato.express.facing import shortest, solve_symmetric, upright
from animato.express.gaze.sight import (
    AXIS,
    FORWARD,
    LOWER,
    ORIGIN,
    POINT,
    SLIDES,
    UP,
    UPPER,
    Sight,
    direction_of,
    write_pose,
)
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import (
    IDENTITY,
    Vector,
    about,
    conjugate,
    cross,
    dot,
    rotated,
    rotation_vector,
    times,
    vector,
)

_DAMPING = 1e-2  # per squared radian left to turn: far away steps are short, near by they are Newton's
_LEAST_DAMPING = 1e-10  # as much as this is left of the correction, so that no joint runs away
_LONGEST = 0.3  # [rad or m] step of a joint where there is no frame to keep to


@kernel
def correct_sight(
    sight: Sight,
    q: np.ndarray,
    goal: np.ndarray,
    free: bool,
    most: float,
    memory: np.ndarray,
    d: np.ndarray,
    pose: np.ndarray,
) -> None:
    """One step of the correction for a point; none moves by more than `most`.

    Args:
        sight: The chain.
        q: What the solver has found [rad or m], [n].
        goal: The point.
        free: Whether any roll will do; otherwise the end-point is to be upright but for the goal's roll.
        most: Largest change of a correction [rad or m].
        memory: [2, n, 3].
        d: The correction before, and after [rad or m], [n].
        pose: Of q + d before the step, [7].
    """
    slopes, wanted, held = memory[0], memory[1, :, 0], memory[1, :, 1]
    there, left, forward = _left_to_turn(sight, goal, free, pose)
    if not there:
        return
    _write_slopes(sight, q, d, goal, pose, slopes)
    if free:
        for i in range(len(q)):
            along = dot(vector(slopes, i), forward)
            for a in range(3):
                slopes[i, a] -= along * forward[a]
    damping = _LEAST_DAMPING + _DAMPING * dot(left, left)
    held[:] = 0.0
    for _ in range(len(q)):
        a00, a01, a02, a11, a12, a22 = damping, 0.0, 0.0, damping, 0.0, damping
        if free:  # no turn is asked for about forward
            x, y, z = forward
            a00, a01, a02, a11, a12, a22 = a00 + x * x, x * y, x * z, a11 + y * y, y * z, a22 + z * z
        r0, r1, r2 = -left[0], -left[1], -left[2]
        for i in range(len(q)):
            x, y, z = slopes[i, 0], slopes[i, 1], slopes[i, 2]
            if held[i] > 0.0:
                moved = d[i] - wanted[i]
                r0, r1, r2 = r0 + moved * x, r1 + moved * y, r2 + moved * z
                continue
            r0, r1, r2 = r0 + d[i] * x, r1 + d[i] * y, r2 + d[i] * z
            a00, a01, a02 = a00 + x * x, a01 + x * y, a02 + x * z
            a11, a12, a22 = a11 + y * y, a12 + y * z, a22 + z * z
        push = solve_symmetric((a00, a01, a02, a11, a12, a22), (r0, r1, r2))
        crossed = False
        for i in range(len(q)):
            if held[i] == 0.0:
                wanted[i] = dot(vector(slopes, i), push)
                inside = _inside(sight, q, i, wanted[i])
                if inside != wanted[i]:
                    wanted[i], held[i], crossed = inside, 1.0, True
        if not crossed:
            break
    for i in range(len(q)):
        d[i] = _inside(sight, q, i, d[i] + min(max(wanted[i] - d[i], -most), most))


@kernel
def sighted(sight: Sight, goal: np.ndarray, free: bool, steps: int, q: np.ndarray, out: np.ndarray) -> None:
    """Writes joints near q whose line of sight goes through a point, as far as some steps bring them, [n]."""
    memory, d, pose = np.empty((2, len(q), 3)), np.zeros(len(q)), np.empty(7)
    for _ in range(steps):
        write_pose(sight, q + d, pose)
        correct_sight(sight, q, goal, free, _LONGEST, memory, d, pose)
    out[:] = q + d


@kernel
def ease_correction(sight: Sight, q: np.ndarray, most: float, d: np.ndarray) -> None:
    """Brings a correction [n] back to nothing by at most `most` [rad or m], inside the limits."""
    for i in range(len(q)):
        d[i] = _inside(sight, q, i, d[i] - min(max(d[i], -most), most))


@inlined_kernel
def _inside(sight: Sight, q: np.ndarray, i: int, d: float) -> float:
    return min(max(d, sight.joints[i, LOWER] - q[i]), sight.joints[i, UPPER] - q[i])


@inlined_kernel
def _left_to_turn(sight: Sight, goal: np.ndarray, free: bool, pose: np.ndarray) -> tuple[bool, Vector, Vector]:
    """Rotation vector that a pose lacks [rad], and where it looks."""
    tip = (pose[0], pose[1], pose[2], pose[3])
    forward = rotated(tip, vector(sight.ends, FORWARD))
    there, direction = direction_of(POINT, goal, (pose[4], pose[5], pose[6]))
    if not there:
        return False, (0.0, 0.0, 0.0), forward
    if free:
        turn = shortest(forward, direction, rotated(tip, vector(sight.ends, UP)))
    else:
        level = upright(vector(sight.ends, FORWARD), vector(sight.ends, UP), direction, goal[4])
        turn = times(level, conjugate(tip))
        if sight.ends[FORWARD, 3] > 0.0:  # half a turn about forward may be nearer
            other = times(turn, (0.0, forward[0], forward[1], forward[2]))
            if abs(other[0]) > abs(turn[0]):
                turn = other
    return True, rotation_vector(turn), forward


@kernel
def _write_slopes(
    sight: Sight, q: np.ndarray, d: np.ndarray, goal: np.ndarray, pose: np.ndarray, slopes: np.ndarray
) -> None:
    """Writes the slope of the turn that is left over each joint, [n, 3]."""
    eye = (pose[4], pose[5], pose[6])
    line = (goal[0] - eye[0], goal[1] - eye[1], goal[2] - eye[2])
    away = dot(line, line)
    turn, x, y, z = IDENTITY, 0.0, 0.0, 0.0
    for i in range(len(q)):
        own = (sight.joints[i, AXIS], sight.joints[i, AXIS + 1], sight.joints[i, AXIS + 2])
        origin = (sight.joints[i, ORIGIN], sight.joints[i, ORIGIN + 1], sight.joints[i, ORIGIN + 2])
        axis = rotated(turn, own)
        position = q[i] + d[i]
        if sight.joints[i, SLIDES] > 0.0:
            carried = axis
            slopes[i, 0], slopes[i, 1], slopes[i, 2] = 0.0, 0.0, 0.0
            x, y, z = x + position * axis[0], y + position * axis[1], z + position * axis[2]
        else:
            a, b, c = rotated(turn, origin)
            carried = cross(axis, (eye[0] - a - x, eye[1] - b - y, eye[2] - c - z))
            slopes[i, 0], slopes[i, 1], slopes[i, 2] = -axis[0], -axis[1], -axis[2]
            step = about(own, position)
            e, f, g = rotated(step, origin)
            a, b, c = rotated(turn, (origin[0] - e, origin[1] - f, origin[2] - g))
            turn, x, y, z = times(turn, step), x + a, y + b, z + c
        spin = cross(line, carried)
        for k in range(3):
            slopes[i, k] -= spin[k] / away
