"""From where a motion is seen best, and where the floor under it is."""

from __future__ import annotations

import numpy as np

from animato.character import Character, JointType
from animato.mechanics.tree import BodyPoses
from animato.spatial import quaternions
from animato.view.scene.scene import Scene, place_part

_THREE_QUARTER = np.radians(-38.0)
_ELEVATION = np.radians(13.0)
_FLAT_ELEVATION = np.radians(6.0)  # face on, but high enough for the floor to be seen as one
_TURNING = (JointType.REVOLUTE, JointType.CYLINDRICAL)
_SLIDING = (JointType.PRISMATIC, JointType.CYLINDRICAL)
_MOST_MOMENTS = 48


def some_moments(count: int) -> np.ndarray:
    """Indices of at most 48 of that many frames, both ends among them."""
    return np.unique(np.linspace(0, count - 1, min(count, _MOST_MOMENTS)).round().astype(int))


def outline_points(scene: Scene, poses: BodyPoses) -> np.ndarray:
    """Points of all parts at some moments that reach farthest in 26 directions [m], shape [point, 3]."""
    grid = np.stack(np.meshgrid(*[(-1.0, 0.0, 1.0)] * 3), axis=-1).reshape(-1, 3)
    directions = grid[np.any(grid != 0.0, axis=1)]
    moments = some_moments(len(poses.times))
    points = []
    for part in scene.parts:
        if len(part.triangles.vertices) == 0:
            continue
        if part.bend is not None:
            points += [place_part(part, poses.positions[n], poses.quaternions_wxyz[n])[0][::7] for n in moments]
            continue
        far = np.unique(np.argmax(part.triangles.vertices @ directions.T, axis=0))
        turns, shifts = poses.quaternions_wxyz[moments, part.body], poses.positions[moments, part.body]
        placed = quaternions.rotate(turns[:, None], part.triangles.vertices[far][None]) + shifts[:, None]
        points.append(placed.reshape(-1, 3))
    cloud = np.vstack(points) if points else poses.positions.reshape(-1, 3)
    cloud = cloud[np.isfinite(cloud).all(axis=1)]
    return cloud if len(cloud) else np.zeros((1, 3))


def planar_axis(character: Character, rest: BodyPoses) -> np.ndarray | None:
    """The common direction of all joint axes in the world, shape [3], or None where the motion is not planar."""
    common: np.ndarray | None = None
    slides = []
    for joint in character.joints:
        if joint.type in (JointType.FIXED, JointType.GROUND):
            continue
        if joint.type not in _TURNING + _SLIDING:
            return None
        frame = rest.of(joint.parent) @ joint.frame_parent.transform
        axis = quaternions.rotate(frame.quaternion_wxyz, np.array(joint.axis))[0]
        if joint.type in _SLIDING:
            slides.append(axis)
        if joint.type in _TURNING:
            if common is not None and abs(common @ axis) < 0.999:
                return None
            common = axis
    if common is None or any(abs(common @ axis) > 1e-3 for axis in slides):
        return None
    return common


def viewing_direction(
    character: Character, rest: BodyPoses, poses: BodyPoses, points: np.ndarray, *, has_base: bool, size: float
) -> np.ndarray:
    """From the character towards the best place to look from, unit length, shape [3].

    A planar mechanism is seen face on, a character that travels from a side it does not turn its
    back to, any other from its front at a three-quarter angle (x is forward).

    Args:
        character: The character.
        rest: Its rest pose.
        poses: All moments of the motion.
        points: What must be seen [m], shape [point, 3].
        has_base: Whether the clip moves the character as a whole.
        size: Of the character [m].
    """
    axis = None if has_base else planar_axis(character, rest)
    if axis is not None:
        across = np.abs(axis) @ np.ptp(points, axis=0)
        if across < 0.6 * np.ptp(points, axis=0).max():
            if abs(axis[2]) > 0.9:
                tilt = np.radians(14.0)
                return np.array((0.0, -np.sin(tilt), np.cos(tilt)))
            side = np.array((axis[0], axis[1], 0.0)) / np.hypot(axis[0], axis[1])
            # with y away from the viewer, x runs to the right
            side = -side if side[1] > 0.0 or (side[1] == 0.0 and side[0] < 0.0) else side
            return _direction(float(np.arctan2(side[1], side[0])), _FLAT_ELEVATION)
    root = poses.positions[:, 0, :2]
    travel = root[-1] - root[0]
    if np.linalg.norm(travel) > 0.8 * size:
        heading = float(np.arctan2(travel[1], travel[0]))
        return _direction(heading - np.radians(58.0), _ELEVATION)
    return _direction(_THREE_QUARTER, _ELEVATION)


def _direction(azimuth: float, elevation: float) -> np.ndarray:
    flat = np.cos(elevation)
    return np.array((flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)))


def floor_height(character: Character, points: np.ndarray, *, has_base: bool, size: float) -> float:
    """Where the floor is: at 0, unless the character would stand deep in it or floats without a base.

    Args:
        character: The character.
        points: Outline of the motion [m], shape [point, 3].
        has_base: Whether the clip says where a floating character is.
        size: Of the character [m].
    """
    lowest = float(points[:, 2].min())
    if (character.floats and not has_base) or lowest < -0.08 * size:
        return lowest
    return 0.0
