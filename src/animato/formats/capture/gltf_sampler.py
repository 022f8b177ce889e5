"""Keyframes of glTF: what lies between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.spatial import quaternions

MODES = ("LINEAR", "STEP", "CUBICSPLINE")


@dataclass(frozen=True, eq=False)
class KeyframeTrack:
    """One animated property of one node.

    Attributes:
        keys: Strictly rising [s], shape [key].
        values: Shape [key, width]; for CUBICSPLINE [3 * key, width]: tangent in, value, tangent out.
        mode: One of `MODES`.
        turns: Whether values are quaternions wxyz.
    """

    keys: np.ndarray
    values: np.ndarray
    mode: str
    turns: bool

    def at(self, times: np.ndarray) -> np.ndarray:
        """Values at the times [s], shape [time, width]; before the first and after the last key those of the key."""
        keys = self.keys
        if self.mode == "STEP" or len(keys) == 1:
            values = self.values[1::3] if self.mode == "CUBICSPLINE" else self.values
            result = values[np.clip(np.searchsorted(keys, times, side="right") - 1, 0, len(keys) - 1)]
            return quaternions.normalized(result) if self.turns else result
        before = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, len(keys) - 2)
        width = keys[before + 1] - keys[before]
        share = np.clip((times - keys[before]) / width, 0.0, 1.0)
        if self.mode == "LINEAR" and self.turns:
            turns = quaternions.normalized(self.values)
            return quaternions.slerp(turns[before], turns[before + 1], share)
        s = share[:, None]
        if self.mode == "LINEAR":
            return (1.0 - s) * self.values[before] + s * self.values[before + 1]
        points, leaving, entering = self.values[1::3], self.values[2::3], self.values[0::3]
        result = (
            (2.0 * s**3 - 3.0 * s**2 + 1.0) * points[before]
            + (s**3 - 2.0 * s**2 + s) * width[:, None] * leaving[before]
            + (3.0 * s**2 - 2.0 * s**3) * points[before + 1]
            + (s**3 - s**2) * width[:, None] * entering[before + 1]
        )
        return quaternions.normalized(result) if self.turns else result
