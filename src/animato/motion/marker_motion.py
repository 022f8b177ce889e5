"""Trajectories of markers, as a capture system measures them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described, shortened
from animato.errors import unknown_name
from animato.motion.arrays import frozen_array, rising_times, unique_names


@dataclass(frozen=True, eq=False, repr=False)
class MarkerMotion(Described):
    """Positions of named markers over time. Metres, z up.

    Attributes:
        times: Strictly rising [s], shape [frame].
        names: Marker names.
        positions: [m], NaN where a marker was not seen, shape [frame, marker, 3].
        source: Where it came from, for people.
    """

    times: np.ndarray
    names: tuple[str, ...]
    positions: np.ndarray
    source: str = ""

    def __post_init__(self) -> None:
        times = rising_times(self.times, "the marker motion")
        names = unique_names(self.names, "the marker motion")
        positions = frozen_array(self.positions, (len(times), len(names), 3), "The marker positions", gaps=True)
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "positions", positions)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "frames": str(len(self.times)),
            "duration": f"{self.times[-1] - self.times[0]:.3f} s",
            "markers": shortened(self.names),
            "source": self.source or "unknown",
        }

    def marker(self, name: str) -> np.ndarray:
        """Positions of one marker, shape [frame, 3]."""
        if name not in self.names:
            raise unknown_name("marker", name, self.names, self.source or "the marker motion")
        return self.positions[:, self.names.index(name)]
