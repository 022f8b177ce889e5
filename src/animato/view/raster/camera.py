"""A pinhole camera, and the one that frames a set of points well."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Vector3, finite_vector
from animato.errors import OptionError

FIELD_OF_VIEW = float(np.radians(28.0))  # a long lens keeps proportions true
_SETTLE_STEPS = 12


@dataclass(frozen=True)
class Camera:
    """A pinhole camera in the world.

    Attributes:
        eye: Where it is [m].
        target: What is in the middle of the picture [m].
        up: The direction that is up in the picture.
        field_of_view: From the lower to the upper edge of the picture [rad].
    """

    eye: Vector3
    target: Vector3
    up: Vector3 = (0.0, 0.0, 1.0)
    field_of_view: float = FIELD_OF_VIEW

    def __post_init__(self) -> None:
        for name in ("eye", "target", "up"):
            object.__setattr__(self, name, finite_vector(getattr(self, name), 3, f"The {name} of a camera"))
        if not 0.01 <= self.field_of_view <= 3.0:
            raise OptionError(f"The field of view of a camera goes from 0.01 to 3 rad, given {self.field_of_view}.")
        if np.linalg.norm(np.subtract(self.target, self.eye)) < 1e-9:
            raise OptionError(f"A camera cannot look at the place where it is, {self.eye}. Move its eye or its target.")

    @property
    def axes(self) -> np.ndarray:
        """Rows right, up, forward of the picture in world coordinates, orthonormal, shape [3, 3]."""
        forward = np.subtract(self.target, self.eye)
        forward = forward / np.linalg.norm(forward)
        right = np.cross(forward, self.up)
        if np.linalg.norm(right) < 1e-6:  # looking straight along up: x of the world stays on the right
            right = np.cross(forward, (0.0, 1.0, 0.0) if abs(forward[1]) < 0.9 else (0.0, 0.0, 1.0))
        right = right / np.linalg.norm(right)
        return np.array([right, np.cross(right, forward), forward])

    def focal_length(self, height: int) -> float:
        """Distance of the picture plane [pixels] for a picture of that height."""
        return 0.5 * height / float(np.tan(0.5 * self.field_of_view))

    def project(self, points: ArrayLike, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
        """Where points are seen.

        Args:
            points: In the world [m], shape [..., 3].
            width: Of the picture [pixels].
            height: Of the picture [pixels].

        Returns:
            Column and row, from the upper left corner [pixels], shape [..., 2], and the distance
            along the viewing direction [m], shape [...]; not positive means behind the camera.
        """
        local = (np.asarray(points, dtype=np.float64) - self.eye) @ self.axes.T
        depth = local[..., 2]
        scale = self.focal_length(height) / np.where(np.abs(depth) > 1e-12, depth, 1e-12)
        return np.stack([0.5 * width + scale * local[..., 0], 0.5 * height - scale * local[..., 1]], axis=-1), depth

    def moved(self, shift: ArrayLike) -> Camera:
        """The same camera, eye and target shifted [m]."""
        step = np.asarray(shift, dtype=np.float64)
        return Camera(
            tuple((step + self.eye).tolist()), tuple((step + self.target).tolist()), self.up, self.field_of_view
        )


def framing(
    points: ArrayLike,
    *,
    azimuth: float = np.radians(-38.0),
    elevation: float = np.radians(14.0),
    up: Vector3 = (0.0, 0.0, 1.0),
    direction: ArrayLike | None = None,
    aspect: float = 4.0 / 3.0,
    margin: float = 0.09,
    field_of_view: float = FIELD_OF_VIEW,
) -> Camera:
    """The camera closest to the points that sees all of them, centred, with a margin.

    Args:
        points: What must be seen [m], shape [point, 3]; those that are not finite do not count.
        azimuth: Of the eye about z, from x towards y [rad].
        elevation: Of the eye above the horizon [rad].
        up: What is up in the picture.
        direction: From the target to the eye; instead of azimuth and elevation.
        aspect: Width of the picture over its height.
        margin: Share of the picture that stays free at each edge.
        field_of_view: [rad].
    """
    cloud = np.asarray(points, dtype=np.float64).reshape(-1, 3)
    cloud = cloud[np.isfinite(cloud).all(axis=1)]
    if len(cloud) == 0:
        cloud = np.zeros((1, 3))
    if direction is None:
        flat = np.cos(elevation)
        direction = (flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation))
    back = np.asarray(direction, dtype=np.float64)
    back = back / np.linalg.norm(back)
    centre = 0.5 * (cloud.min(axis=0) + cloud.max(axis=0))
    extent = float(np.ptp(cloud, axis=0).max()) or 1.0
    axes = Camera(tuple(centre + back), tuple(centre), up, field_of_view).axes
    local = (cloud - centre) @ axes.T
    reach_y = np.tan(0.5 * field_of_view) * (1.0 - 2.0 * margin)
    reach_x = reach_y * aspect
    shift = np.zeros(2)
    distance = 0.0
    for _ in range(_SETTLE_STEPS):
        seen = local - (*shift, 0.0)
        need = np.maximum(np.abs(seen[:, 0]) / reach_x, np.abs(seen[:, 1]) / reach_y) - local[:, 2]
        distance = max(float(need.max()), 1e-3 * extent)
        depth = np.maximum(local[:, 2:] + distance, 1e-6 * extent)
        place = seen[:, :2] / depth
        # what is centred in the picture is not quite centred in space, as near things look larger
        shift += 0.5 * (place.min(axis=0) + place.max(axis=0)) * distance
    distance = max(distance, 1.05 * -float(local[:, 2].min()), 0.1 * extent)
    target = centre + shift @ axes[:2]
    return Camera(tuple((target + distance * back).tolist()), tuple(target.tolist()), up, field_of_view)
