"""What has changed, as people see it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Deviation:
    """How far the fixed motion is from the artist's, frame by frame of the fixed clip.

    Attributes:
        times: Of the frames [s], [frame].
        points: Names of points, [point].
        metres: How far each is from where the artist has it at that moment [m], [frame, point].
        coordinates: Names, [coordinate].
        angles: How far each is from the artist's, signed [rad or m], [frame, coordinate].
    """

    times: np.ndarray
    points: tuple[str, ...]
    metres: np.ndarray
    coordinates: tuple[str, ...]
    angles: np.ndarray

    @property
    def mean_m(self) -> float:
        """Over all points and frames [m]."""
        return float(self.metres.mean()) if self.metres.size else 0.0

    @property
    def largest(self) -> tuple[float, str, float]:
        """How far [m], which point, when [s]."""
        if not self.metres.size:
            return 0.0, "", float(self.times[0])
        frame, point = np.unravel_index(int(np.argmax(self.metres)), self.metres.shape)
        return float(self.metres[frame, point]), self.points[int(point)], float(self.times[frame])
