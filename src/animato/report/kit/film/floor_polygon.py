"""An area of the floor with a point in it: soles and the zero-moment point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.report.kit.film.numbers import Reel, short
from animato.report.kit.film.thing import at_moments, some_of


@dataclass(frozen=True, eq=False)
class FloorPolygon:
    """Corners of a convex area of the floor over time, and a point that should stay in it.

    Attributes:
        times: [s], [time].
        outlines: Corners in order [m], for each time [corner, 2]; empty where there is none.
        points: The point [m], NaN where there is none, [time, 2].
        inside: Whether the point is where it should be, [time].
        height: Of the floor [m].
        shift: Where all of it stands beside its own place [m].
        layer: Words of its switch.
        shown: Whether it is shown at first.
    """

    times: np.ndarray
    outlines: Sequence[np.ndarray]
    points: np.ndarray
    inside: np.ndarray
    height: float = 0.0
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    layer: str = "soles and ZMP"
    shown: bool = True

    def data(self, reel: Reel) -> dict[str, Any]:
        """For the script."""
        near = reel.nearest(self.times)
        flat = np.column_stack([self.points, np.full(len(self.points), self.height)]) + np.array(self.shift)
        outlines: list[list[Any]] = []
        for moment, n in enumerate(near.tolist()):
            corners = np.asarray(self.outlines[n], dtype=np.float64).reshape(-1, 2) + np.array(self.shift[:2])
            told = [round(value, 4) for value in corners.ravel().tolist()]
            if not outlines or outlines[-1][1] != told:
                outlines.append([round(float(reel.times[moment]), 4), told])
        return {
            "kind": "polygon",
            "height": self.height,
            "outlines": outlines,
            "points": reel.points(at_moments(reel, self.times, flat)[:, None]),
            "inside": reel.steps(np.asarray(self.inside)[near].astype(int)),
            "offset": short(self.shift),
        }

    def cloud(self) -> np.ndarray:
        """Points that must be seen [m], [point, 3]."""
        known = [np.asarray(one).reshape(-1, 2) for one in self.outlines[:: max(1, len(self.outlines) // 40)]]
        corners = np.vstack([np.zeros((0, 2)), *known])
        return some_of(np.column_stack([corners, np.full(len(corners), self.height)]) + np.array(self.shift))
