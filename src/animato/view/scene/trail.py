"""The path of a point on a character, as a line in space that is coloured by speed."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.mechanics.tree import named_point
from animato.motion import Clip
from animato.view.raster import speed_colour
from animato.view.scene.hulls import tube
from animato.view.scene.posing import pose_bodies

_MOST_POINTS = 600
_SEGMENTS = 8


def point_path(character: Character, clip: Clip, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Path of an end-point, marker or body in the world.

    Returns:
        Times [s], shape [time], and places [m], shape [time, 3].
    """
    point = named_point(character, name)
    count = max(2, min(_MOST_POINTS, 4 * clip.frame_count))
    times = np.linspace(clip.times[0], clip.times[-1], count)
    return times, pose_bodies(character, clip, times).of(point.body).apply(point.position)


def trail_triangles(
    character: Character, clip: Clip, name: str, radius: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """A tube along the path of a point, blue where it is slow and red where it is fastest.

    Args:
        character: Who moves.
        clip: How.
        name: An end-point, marker or body.
        radius: Of the tube [m].

    Returns:
        Vertices [m] [vertex, 3], normals [vertex, 3], sRGB colours [vertex, 3], faces [face, 3].
    """
    times, path = point_path(character, clip, name)
    if clip.duration <= 0.0 or float(np.ptp(path, axis=0).max()) < 1e-9:
        return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32)
    speed = np.linalg.norm(np.gradient(path, times, axis=0), axis=1)
    share = speed / max(float(speed.max()), 1e-12)
    mesh = tube(path, radius, segments=_SEGMENTS)
    colours = np.repeat([speed_colour(value) for value in share], _SEGMENTS, axis=0)
    return mesh.vertices, mesh.normals, colours, mesh.faces
