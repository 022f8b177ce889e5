"""A drawn line: where the pen was, when, and how hard it pressed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described
from animato.errors import MotionError
from animato.motion.arrays import frozen_array, rising_times


@dataclass(frozen=True, eq=False, repr=False)
class Stroke(Described):
    """A freehand stroke in the plane or in space.

    Attributes:
        points: [m], shape [point, 2] or [point, 3].
        times: Strictly rising [s], shape [point]; None where only the path is known.
        pressure: 0 to 1, shape [point]; None where the pen does not tell.
        source: Where it came from, for people.
    """

    points: np.ndarray
    times: np.ndarray | None = None
    pressure: np.ndarray | None = None
    source: str = ""

    def __post_init__(self) -> None:
        points = frozen_array(self.points, (None, None), "The points of the stroke")
        if points.shape[1] not in (2, 3) or len(points) == 0:
            raise MotionError(f"A stroke is rows of 2 or 3 numbers, given {points.shape[0]} rows of {points.shape[1]}.")
        object.__setattr__(self, "points", points)
        if self.times is not None:
            times = rising_times(self.times, "the stroke")
            object.__setattr__(self, "times", frozen_array(times, (len(points),), "The times of the stroke"))
        if self.pressure is not None:
            pressure = frozen_array(self.pressure, (len(points),), "The pressure of the stroke")
            if pressure.min() < 0.0 or pressure.max() > 1.0:
                raise MotionError("The pressure of a stroke goes from 0 to 1.")
            object.__setattr__(self, "pressure", pressure)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "points": f"{len(self.points)} in {'space' if self.points.shape[1] == 3 else 'the plane'}",
            "length": f"{self.length:.3g} m",
            "drawn in": "unknown" if self.times is None else f"{self.times[-1] - self.times[0]:.3g} s",
            "source": self.source or "unknown",
        }

    @property
    def length(self) -> float:
        """Length of the path [m]."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())
