"""What of a foot's shapes touches the floor: which way its sole faces, and the outline of it."""

from __future__ import annotations

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from animato.character import Character
from animato.character.structure import rest_poses
from animato.mimic.anatomy.outline import surface_points

_FLAT = 0.9995  # cosine: a foot whose body's axis is this near to up at rest is flat then
_TILTED = 0.77  # cosine: a sole is not tilted more than this at rest
_ONE_FACE = 0.997  # cosine: faces of a hull nearer than this are one
_SLAB = 0.01  # [m]: what is within this of the lowest point of a foot touches the floor
_LEAST_AREA = 1e-4  # [m^2]
_MOST_CORNERS = 8
_FEW_CORNERS = 4
_LOSS = 0.05  # of a sole's area that may be lost when corners are left out


def footprint_of(
    character: Character, bodies: tuple[str, ...], up: np.ndarray
) -> tuple[str, np.ndarray, np.ndarray] | None:
    """The convex outline of what is lowest on bodies that move as one.

    Args:
        character: Whose foot it is.
        bodies: Names.
        up: In the root's frame at rest, [3].

    Returns:
        A body, and in its frame the sole's normal, upward [3], and corners [m], [corner, 3]; None
        where shapes cannot be read or have no area.
    """
    poses = rest_poses(character)
    counts = {name: len(_cloud(character, name, -up)) for name in bodies}
    body = max(bodies, key=lambda name: counts[name])
    home = poses[body].inverse()
    local_up = poses[body].rotation.T @ up

    def seen(normal: np.ndarray) -> np.ndarray:
        """Surface points of all bodies in the frame of `body`, seen from below."""
        down = -poses[body].rotation @ normal
        return np.concatenate([home.apply(poses[name].apply(_cloud(character, name, down))) for name in bodies])

    axis = near_axis(local_up, _FLAT)
    tries = [axis] if axis is not local_up else []
    for normal in [*tries, _facing(seen(local_up), local_up)]:
        corners = _lowest(seen(normal), normal)
        if corners is not None:
            return body, normal, corners
    return None


def _lowest(points: np.ndarray, normal: np.ndarray) -> np.ndarray | None:
    """The outline of the points that are lowest along a normal, at the height of the lowest, [corner, 3]."""
    if len(points) < 3:
        return None
    across = np.linalg.svd(normal[None])[2][1:]
    height = points @ normal
    outline = _outline(points[height < height.min() + _SLAB] @ across.T)
    return None if outline is None else outline @ across + height.min() * normal


def near_axis(direction: np.ndarray, cosine: float) -> np.ndarray:
    """The axis of the frame that a unit vector is nearer to than a cosine says; the vector itself where none is."""
    axis = int(np.argmax(np.abs(direction)))
    return np.eye(3)[axis] * np.sign(direction[axis]) if abs(direction[axis]) > cosine else direction


def _cloud(character: Character, body: str, down: np.ndarray) -> np.ndarray:
    """Surface points in the body's frame; `down` in the root's frame at rest."""
    return surface_points(character.body(body), rest_poses(character)[body].rotation.T @ down)


def _facing(points: np.ndarray, up: np.ndarray) -> np.ndarray:
    """The upward normal of the largest face of a hull that faces down; the axis nearest to up where none does."""
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return near_axis(up, 0.9)
    corners = points[hull.simplices]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2.0
    normals = hull.equations[:, :3]
    below = normals @ up < -_TILTED
    if not below.any():
        return near_axis(up, 0.9)
    areas, normals = areas[below], normals[below]
    together = normals @ normals.T > _ONE_FACE
    best = int(np.argmax(together @ areas))
    mean = -(areas[together[best]] @ normals[together[best]])
    return np.asarray(mean / np.linalg.norm(mean))


def _outline(points: np.ndarray) -> np.ndarray | None:
    """The convex hull of points of a plane with few corners, [corner, 2]; None where it has no area."""
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return None
    if hull.volume < _LEAST_AREA:
        return None
    corners = points[hull.vertices]
    while len(corners) > _FEW_CORNERS:
        losses = [_triangle(corners, index) for index in range(len(corners))]
        least = int(np.argmin(losses))
        if len(corners) <= _MOST_CORNERS and losses[least] > _LOSS * hull.volume:
            break
        corners = np.delete(corners, least, axis=0)
    return np.asarray(corners)


def _triangle(corners: np.ndarray, index: int) -> float:
    """The area that is lost with a corner [m^2]."""
    before, here, after = corners[index - 1], corners[index], corners[(index + 1) % len(corners)]
    one, other = here - before, after - before
    return abs(float(one[0] * other[1] - one[1] * other[0])) / 2.0
