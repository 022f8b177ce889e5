"""A number that is told while a film plays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.report.kit.film.numbers import Reel
from animato.report.kit.film.thing import at_moments

_MOST = 2000


@dataclass(frozen=True, eq=False)
class Readout:
    """A number over time with words around it.

    Attributes:
        times: [s], [time].
        values: NaN where nothing is told, [time].
        before: Words before the number.
        after: Words after it, its unit first.
        digits: Behind the point.
        layer: Words of its switch.
        shown: Whether it is shown at first.
    """

    times: np.ndarray
    values: np.ndarray
    before: str = ""
    after: str = ""
    digits: int = 1
    layer: str = ""
    shown: bool = True

    def data(self, reel: Reel) -> dict[str, Any]:
        """For the script."""
        values = at_moments(reel, self.times, np.asarray(self.values, dtype=np.float64))
        values = values[np.linspace(0, len(values) - 1, min(_MOST, len(values))).round().astype(int)]
        known = np.isfinite(values)
        largest = float(np.abs(values[known]).max()) if known.any() else 0.0
        return {
            "kind": "readout",
            "before": self.before,
            "after": self.after,
            "digits": self.digits,
            "largest": largest or 1.0,
            "values": reel.packer.shares(np.where(known, values, 0.0) / (largest or 1.0)),
            "known": reel.packer.whole(known.astype("u1")),
        }

    def cloud(self) -> np.ndarray:
        """Nothing is seen of it in space, [0, 3]."""
        return np.zeros((0, 3))
