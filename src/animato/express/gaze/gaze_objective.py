"""Looking at a point from the eye's own position.

The eye is the end-point; it moves with the joints that turn it, so the direction in which it must look depends
on the answer. With e(q) the eye's position and solve(R) the joints that give it orientation R, a gaze at point p is a
fixed point of e -> e(solve(face(p - e))). Turning toward p usually carries the eye the same way, which makes the map's
slope negative, so steps are shortened; a rank-one (Broyden) correction of the step makes the end of the search fast.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import EndPoint
from animato.errors import MotionError
from animato.express.facing import orientation_gap
from animato.kernels.compiled import kernel
from animato.mechanics.tree import Chain, PackedChain
from animato.motion import frozen_array
from animato.spatial import quaternions

RELAXATION = 0.6
"""Share of a step toward the new eye; converges for slopes down to -2.3, a point at half the lever's length."""

_NO_LENGTH = 1e-9  # [m] within which a point is at the eye itself
UP = (0.0, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Gaze:
    """Joints that look at a point, as well as they can.

    Attributes:
        positions: Of the chain's joints [rad or m], [n].
        target_wxyz: Orientation that was asked of the end-point for it, [4].
        eye: Position of the end-point in the world [m], [3].
        miss_rad: Angle between the facing axis and the line from the eye to the point [rad].
        solves: How often the solver was asked.
        converged: Whether the eye is where it was assumed to be; the miss is then the solver's own.
    """

    positions: np.ndarray
    target_wxyz: np.ndarray
    eye: np.ndarray
    miss_rad: float
    solves: int
    converged: bool


def facing_direction(end_point: EndPoint, direction: ArrayLike, up: ArrayLike = UP, roll: float = 0.0) -> np.ndarray:
    """Orientation in which an end-point faces a direction, upright.

    Args:
        end_point: Whose `forward` and `up` count.
        direction: In the world, of any length but zero, [3].
        up: In the world, to which the end-point's `up` comes as near as it can, [3].
        roll: Turn about the direction from there [rad].

    Returns:
        wxyz, [4].

    Raises:
        MotionError: The direction has no length.
    """
    forward = np.array(direction, dtype=np.float64)
    length = math.hypot(*forward.tolist()) if forward.shape == (3,) else math.nan
    if not 0.0 < length < math.inf:
        raise MotionError(f"A direction to face must be 3 numbers that are not all 0, not {direction!r}.")
    forward /= length
    own, level = np.empty((3, 3)), np.empty((3, 3))
    _frame(np.array(end_point.forward), np.array(end_point.up), own)
    _frame(forward, np.array(up, dtype=np.float64), level)
    upright = quaternions.quaternion_from_matrix(level.T @ own)
    return quaternions.multiply(quaternions.quaternion_about(forward, roll), upright) if roll else upright


def facing_azimuth(end_point: EndPoint, azimuth: float) -> np.ndarray:
    """Orientation in which an end-point faces along the horizon, upright, wxyz; azimuth from x towards y [rad]."""
    return facing_direction(end_point, (np.cos(azimuth), np.sin(azimuth), 0.0))


@kernel
def _frame(forward: np.ndarray, up: np.ndarray, out: np.ndarray) -> None:
    """Writes rows: forward, the part of up across it, and the side; forward must have unit length."""
    for attempt in range(3):  # looking straight up leaves no upright; then x or y is as good as any
        x, y, z = up[0], up[1], up[2]
        if attempt > 0:
            x, y, z = 2.0 - attempt, attempt - 1.0, 0.0
        along = forward[0] * x + forward[1] * y + forward[2] * z
        x, y, z = x - along * forward[0], y - along * forward[1], z - along * forward[2]
        length = np.sqrt(x * x + y * y + z * z)
        if length > 1e-6:
            break
    x, y, z = x / length, y / length, z / length
    out[0] = forward
    out[1, 0], out[1, 1], out[1, 2] = x, y, z
    out[2, 0] = forward[1] * z - forward[2] * y
    out[2, 1] = forward[2] * x - forward[0] * z
    out[2, 2] = forward[0] * y - forward[1] * x


@kernel
def _tip_pose(arrays: PackedChain, q: np.ndarray, rotation: np.ndarray, position: np.ndarray) -> None:
    """Writes the pose of the end-point in the world."""
    rotation[:] = arrays.base_rotation
    position[:] = arrays.base_position
    turn = np.empty((3, 3))
    before = np.empty((3, 3))
    for i in range(len(q) + 1):
        last = i == len(q)
        here = arrays.tip_position if last else arrays.position[i]
        step = arrays.tip_rotation if last else arrays.rotation[i]
        for r in range(3):
            position[r] += rotation[r, 0] * here[0] + rotation[r, 1] * here[1] + rotation[r, 2] * here[2]
        before[:] = rotation
        _product(before, step, rotation)
        if last:
            break
        x, y, z = arrays.axis[i, 0], arrays.axis[i, 1], arrays.axis[i, 2]
        if arrays.slides[i]:
            for r in range(3):
                position[r] += q[i] * (rotation[r, 0] * x + rotation[r, 1] * y + rotation[r, 2] * z)
            continue
        c, s = np.cos(q[i]), np.sin(q[i])
        v = 1.0 - c
        turn[0, 0], turn[0, 1], turn[0, 2] = c + x * x * v, x * y * v - z * s, x * z * v + y * s
        turn[1, 0], turn[1, 1], turn[1, 2] = y * x * v + z * s, c + y * y * v, y * z * v - x * s
        turn[2, 0], turn[2, 1], turn[2, 2] = z * x * v - y * s, z * y * v + x * s, c + z * z * v
        before[:] = rotation
        _product(before, turn, rotation)


@kernel
def _product(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """Writes a b; out may be neither."""
    for r in range(3):
        for c in range(3):
            out[r, c] = a[r, 0] * b[0, c] + a[r, 1] * b[1, c] + a[r, 2] * b[2, c]


def tip_pose(chain: Chain, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Orientation wxyz [4] and position [m] [3] of the end-point in the world, for positions [n]."""
    rotation, position = np.empty((3, 3)), np.empty(3)
    _tip_pose(chain.arrays, np.ascontiguousarray(positions, dtype=np.float64), rotation, position)
    return quaternions.quaternion_from_matrix(rotation), position


def facing_angle(chain: Chain, positions: np.ndarray, target_wxyz: np.ndarray, roll_tolerance: float = 0.0) -> float:
    """Angle by which the end-point is off its target [rad]; half a turn is none where it is symmetric.

    Args:
        chain: The joints and the end-point.
        positions: [rad or m], [n].
        target_wxyz: Orientation asked of the end-point, of unit length, [4].
        roll_tolerance: Turn about `forward` that does not count, either way, 0 to pi [rad].
    """
    return tip_angle(chain.end_point, tip_pose(chain, positions)[0], target_wxyz, roll_tolerance)


def tip_angle(end_point: EndPoint, tip_wxyz: np.ndarray, target_wxyz: np.ndarray, roll_tolerance: float = 0.0) -> float:
    """The same for an orientation of the end-point, wxyz, [4]."""
    w, x, y, z = tip_wxyz.tolist()
    a, b, c, d = target_wxyz.tolist()
    gap = orientation_gap((w, x, y, z), (a, b, c, d), end_point.forward, end_point.symmetric, float(roll_tolerance))
    return float(4.0 * np.arcsin(min(1.0, gap / np.sqrt(2.0))))  # |target - tip| = 2 sin(angle / 4)


def miss_of_point(chain: Chain, positions: np.ndarray, point: ArrayLike) -> float:
    """Angle between the facing axis and the line from the eye to a point [rad]."""
    tip, eye = tip_pose(chain, positions)
    forward, toward = quaternions.rotate(tip, np.array(chain.end_point.forward)), np.asarray(point) - eye
    return float(np.arctan2(np.linalg.norm(np.cross(forward, toward)), forward @ toward))


def solve_gaze(
    chain: Chain,
    point: ArrayLike,
    solve: Callable[[np.ndarray], np.ndarray],
    start: ArrayLike,
    *,
    roll: float = 0.0,
    tolerance: float = 1e-9,
    max_solves: int = 40,
) -> Gaze:
    """Joints that look at a point.

    Args:
        chain: The joints and the end-point.
        point: In the world [m], [3].
        solve: Gives joint positions [n] for an orientation wxyz [4] of the end-point; best one that stays
            near its last answer.
        start: Joint positions to begin with [rad or m], [n].
        roll: Turn about the line of sight from upright [rad]; means nothing to a solver with free roll.
        tolerance: How far the eye may be from where it was assumed [m].
        max_solves: After how many solves the best answer is taken.

    Raises:
        MotionError: The point is not 3 finite numbers.
    """
    *_, last = gaze_steps(chain, point, solve, start, roll=roll, tolerance=tolerance, max_solves=max_solves)
    return last


def gaze_steps(
    chain: Chain,
    point: ArrayLike,
    solve: Callable[[np.ndarray], np.ndarray],
    start: ArrayLike,
    *,
    roll: float = 0.0,
    tolerance: float = 1e-9,
    max_solves: int = 40,
) -> Iterator[Gaze]:
    """The same one solve at a time: where it begins, then the best answer after each of them."""
    goal = frozen_array(point, (3,), "The point to look at")
    begin = np.array(start, dtype=np.float64)
    tip, eye = tip_pose(chain, begin)
    best = Gaze(begin, tip, eye, miss_of_point(chain, begin, goal), 0, False)
    step = RELAXATION * np.eye(3)  # minus the inverse of the residual's slope, as far as it is known
    last_residual, last_move = np.zeros(3), np.zeros(3)
    yield best
    for solves in range(1, max_solves + 1):
        toward = goal - eye
        if np.linalg.norm(toward) < _NO_LENGTH:
            toward = quaternions.rotate(tip, np.array(chain.end_point.forward))
        target = facing_direction(chain.end_point, toward, roll=roll)
        positions = np.array(solve(target), dtype=np.float64)
        there = tip_pose(chain, positions)[1]
        residual = there - eye
        miss = miss_of_point(chain, positions, goal)
        converged = bool(np.linalg.norm(residual) < tolerance)
        if best.solves == 0 or converged or miss < best.miss_rad:
            best = Gaze(positions, target, there, miss, solves, converged)
        yield best
        if converged:
            return
        if solves > 1:
            if np.linalg.norm(residual) > 2.0 * np.linalg.norm(last_residual):
                step = 0.5 * RELAXATION * np.eye(3)  # the solver changed its mind: what was learnt is void
            else:
                step = _corrected(step, last_move, residual - last_residual)
        last_residual, last_move = residual, step @ residual
        eye = eye + last_move


def _corrected(step: np.ndarray, move: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Broyden's update of minus the inverse slope, so that step @ -change = move."""
    along = -change
    scale = float(move @ step @ along)
    if abs(scale) < 1e-30:
        return step
    return step + np.outer(move - step @ along, move @ step) / scale
