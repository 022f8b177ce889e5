"""Arms and legs of a made-up person: two bones that reach a point, and which way their joint bends."""

from __future__ import annotations

import numpy as np

from animato.errors import MotionError
from animato.spatial import quaternions


def reached(
    start: np.ndarray, end: np.ndarray, pole: np.ndarray, lengths: tuple[float, float], name: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Directions of the two bones of a limb and the axis about which its middle joint bends.

    Args:
        start: Of the limb [m], shape [frame, 3].
        end: What it reaches [m], shape [frame, 3].
        pole: Towards where the middle joint points, shape [frame, 3].
        lengths: Of the bones [m].
        name: Of the limb, for people.

    Returns:
        Unit vectors along the first bone, along the second, and of the axis, each of shape [frame, 3].

    Raises:
        MotionError: It is too short.
    """
    way = end - start
    away = np.linalg.norm(way, axis=1, keepdims=True)
    first, second = lengths
    if float(away.max()) >= first + second or float(away.min()) <= abs(first - second):
        raise MotionError(f"The {name} of {first + second:g} m cannot reach {float(away.max()):.4g} m.")
    along = way / away
    axis = np.cross(along, pole)
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    cosine = (first**2 + away**2 - second**2) / (2.0 * first * away)
    aside = np.cross(axis, along)
    middle = start + first * (cosine * along + np.sqrt(1.0 - cosine**2) * aside)
    return (middle - start) / first, (end - middle) / second, axis


def turned(along: np.ndarray, axis: np.ndarray, along_rest: np.ndarray, axis_rest: np.ndarray) -> np.ndarray:
    """The rotation that brings a bone and its axis at rest to where they are.

    Args:
        along: Unit vectors of the bone, shape [frame, 3].
        axis: Unit vectors of its axis, at right angles to it, shape [frame, 3].
        along_rest: The bone at rest, shape [3].
        axis_rest: Its axis at rest, shape [3].

    Returns:
        In the world, wxyz, shape [frame, 4].
    """
    now = np.stack([along, axis, np.cross(along, axis)], axis=-1)
    rest = np.stack([along_rest, axis_rest, np.cross(along_rest, axis_rest)], axis=-1)
    return quaternions.quaternion_from_matrix(now @ rest.T)
