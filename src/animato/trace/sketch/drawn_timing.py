"""When the drawn line was where: the timing that is to be mimicked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.errors import MotionError
from animato.motion import frozen_array
from animato.trace.sketch.sketch import Sketch


@dataclass(frozen=True, eq=False)
class DrawnTiming:
    """t_x(s), straight between its nodes. Two nodes share one s at a pause.

    Attributes:
        s: Path parameter of each node, never falling from 0 to 1, [node].
        times: [s], never falling from 0, [node].
        accents: How much the timing matters, not negative, [node]; 1 where not given.
    """

    s: np.ndarray
    times: np.ndarray
    accents: np.ndarray = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        s = frozen_array(self.s, (None,), "The path parameters of the drawn timing")
        times = frozen_array(self.times, (len(s),), "The times of the drawn timing")
        accents = frozen_array(
            np.ones(len(s)) if self.accents is None else self.accents, (len(s),), "The accents of the drawn timing"
        )
        if len(s) < 2 or s[0] != 0.0 or s[-1] != 1.0 or np.any(np.diff(s) < 0.0):
            raise MotionError("The path parameters of a drawn timing must go from 0 to 1 and never fall.")
        if np.any(np.diff(times) < 0.0) or times[-1] <= times[0]:
            raise MotionError("The times of a drawn timing must never fall, and last longer than nothing.")
        if accents.min() < 0.0:
            raise MotionError("Accents must not be negative.")
        object.__setattr__(self, "s", s)
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "accents", accents)

    @classmethod
    def from_sketch(cls, sketch: Sketch) -> DrawnTiming:
        """The timing of a sketch. A pause before the first or after the last move is left out."""
        nodes = sketch.nodes
        first = int(np.searchsorted(nodes.s, 0.0, side="right")) - 1
        last = int(np.searchsorted(nodes.s, 1.0, side="left"))
        part = slice(first, last + 1)
        return cls(nodes.s[part], nodes.times[part] - nodes.times[first], nodes.accents[part])

    @property
    def duration(self) -> float:
        """[s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def pauses(self) -> tuple[tuple[float, float], ...]:
        """(s, how long [s]) of every rest between the ends."""
        still = np.flatnonzero((np.diff(self.s) == 0.0) & (np.diff(self.times) > 0.0))
        return tuple(
            (float(self.s[k]), float(self.times[k + 1] - self.times[k])) for k in still if 0.0 < self.s[k] < 1.0
        )

    def at(self, s: np.ndarray, *, from_left: bool = False) -> np.ndarray:
        """t_x(s) [s] from the first node on; at a pause its end, or its start from the left."""
        right = np.clip(np.searchsorted(self.s, s, side="left" if from_left else "right"), 1, len(self.s) - 1)
        width = self.s[right] - self.s[right - 1]
        share = np.divide(s - self.s[right - 1], width, out=np.ones_like(s), where=width > 0.0)
        return self.times[right - 1] + share * (self.times[right] - self.times[right - 1]) - self.times[0]

    def accent_at(self, s: np.ndarray) -> np.ndarray:
        """How much the timing matters at s."""
        return np.interp(s, self.s, self.accents)
