"""A term of the path: a point that keeps its forward axis in one direction of the world."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.errors import MotionError, OptionError, unknown_name
from animato.trace.sketch import Sketch


@dataclass(frozen=True)
class KeptDirection:
    """The forward axis of a point shall keep a direction, such as a pen that stands on its board.

    Attributes:
        point: One of those that the sketch moves.
        direction: In the world, of any length but zero, (x, y, z).
        weight: What a unit vector off by 1 costs, as a squared distance [m^2].
    """

    point: str
    direction: tuple[float, float, float]
    weight: float = 1e-2

    def __post_init__(self) -> None:
        length = float(np.linalg.norm(self.direction)) if len(self.direction) == 3 else 0.0
        if not (np.isfinite(length) and length > 0.0):
            raise MotionError(f"The direction of '{self.point}' is 3 numbers, not all zero; given {self.direction}.")
        if not (np.isfinite(self.weight) and self.weight >= 0.0):
            raise OptionError(f"The `weight` of a direction is 0 or more, given {self.weight}.")

    @property
    def unit(self) -> np.ndarray:
        """The direction at length 1, [3]."""
        way = np.array(self.direction, dtype=np.float64)
        return np.asarray(way / np.linalg.norm(way))

    def check(self, sketch: Sketch) -> None:
        """Raises where the sketch does not move the point."""
        if self.point not in sketch.points:
            raise unknown_name("point", self.point, sketch.points, "the sketch")
