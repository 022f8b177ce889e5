"""States of frames by differences of neighbouring frames: what any method's motion can be judged by.

With f = log(q_t^-1 q_{t+1}) and b = log(q_t^-1 q_{t-1}), logarithms of rigid motions for the root and of rotations for
spherical joints, v = (f - b) / (2 h) and a = (f + b) / h^2 for frames h apart. Nothing is filtered: a filter would hide
what a robot has to follow.
"""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.errors import MotionError
from animato.mechanics.tree import States, packed_tree
from animato.motion import Clip
from animato.spatial import quaternions

_EVEN = 1e-6  # by which steps between frames may differ, of a step


def frame_states(character: Character, clip: Clip) -> States:
    """States at the frames of a clip, by differences; the first and the last frame rest.

    Args:
        character: A tree character with a floating base.
        clip: Names all coordinates of the character and the pose of its base, at an even rate.

    Raises:
        MotionError: Fewer than three frames, an uneven rate, no base, or coordinates that are missing.
    """
    tree = packed_tree(character)
    step = frame_step(clip)
    if clip.base_positions is None or clip.base_quaternions_wxyz is None or not tree.has_free_root:
        raise MotionError("Only motions that state the pose of a floating base can be judged.")
    missing = [name for name in tree.coordinate_names if name not in clip.names]
    if missing:
        raise MotionError(f"The clip does not say where {', '.join(missing)} of '{character.name}' are.")
    places, turns = clip.base_positions, quaternions.continuous(clip.base_quaternions_wxyz)
    positions = clip.selected(tree.coordinate_names).positions.copy()
    onward = _differences(tree.balls, places, turns, positions, 1)
    backward = _differences(tree.balls, places, turns, positions, -1)
    velocities, accelerations = np.zeros((2, clip.frame_count, len(tree.dof_names)))
    velocities[1:-1] = (onward - backward) / (2.0 * step)
    accelerations[1:-1] = (onward + backward) / step**2
    # the second difference of rigid motions is the change of the twist in the body's axes, which turn
    accelerations[:, :3] += np.cross(velocities[:, 3:6], velocities[:, :3])
    return States(clip.times, positions, velocities, accelerations, np.hstack([places, turns]))


def frame_step(clip: Clip) -> float:
    """Time between frames of a clip of an even rate [s]."""
    if clip.frame_count < 3:
        raise MotionError(f"A motion of {clip.frame_count} frames cannot be judged; it needs at least 3.")
    steps = np.diff(clip.times)
    step = float(steps.mean())
    if np.abs(steps - step).max() > _EVEN * step:
        raise MotionError(
            f"Motions are judged at an even rate; the steps of the clip are {steps.min():.6g} to {steps.max():.6g} s. "
            f"Use `Clip.resampled` first."
        )
    return step


def _differences(
    balls: tuple[tuple[int, int, bool], ...], places: np.ndarray, turns: np.ndarray, positions: np.ndarray, way: int
) -> np.ndarray:
    """Log(q_t^-1 q_{t + way}) of all frames but the first and the last, [frame - 2, dof]."""
    count = len(places)
    here, there = slice(1, count - 1), slice(1 + way, count - 1 + way)
    back = quaternions.conjugate(turns[here])
    moved = quaternions.rotate(back, places[there] - places[here])
    turned = quaternions.rotation_vector_from_quaternion(quaternions.multiply(back, turns[there]))
    columns = [_rigid_logarithm(moved, turned)]
    first = 0
    for coordinate, _, _ in sorted(balls):
        columns.append(positions[there, first:coordinate] - positions[here, first:coordinate])
        ball = quaternions.normalized(positions[:, coordinate : coordinate + 4])
        relative = quaternions.multiply(quaternions.conjugate(ball[here]), ball[there])
        columns.append(quaternions.rotation_vector_from_quaternion(relative))
        first = coordinate + 4
    columns.append(positions[there, first:] - positions[here, first:])
    return np.hstack(columns)


def _rigid_logarithm(moved: np.ndarray, turned: np.ndarray) -> np.ndarray:
    """Twist whose exponential moves by `moved` [m] and turns by the rotation vector `turned`, [frame, 6]."""
    angle = np.linalg.norm(turned, axis=1, keepdims=True)
    wide = np.maximum(angle, 1e-3)  # where the series below is exact to rounding
    exact = 1.0 / wide**2 - (1.0 + np.cos(wide)) / (2.0 * wide * np.sin(wide))
    share = np.where(angle < 1e-3, 1.0 / 12.0 + angle**2 / 720.0, exact)
    sideways = np.cross(turned, moved)
    return np.hstack([moved - 0.5 * sideways + share * np.cross(turned, sideways), turned])
