"""A barrier at limits that is finite everywhere, so that a motion that breaks them can still be a start.

For a row y whose limits are -1 and 1 the slacks are s = 1 - y and s = 1 + y, and

    beta(s) = -log s                                    for s >= d,
              ((s - 2 d)^2 / d^2 - 1) / 2 - log d       below:

twice continuously differentiable and convex (Hauser and Saccon: A barrier function method for the optimization of
trajectory functionals with constraints, 2006).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Barrier:
    """The barrier of rows within -1 and 1.

    Attributes:
        weight: On every row.
        relaxed: d, the slack below which it is a parabola.
    """

    weight: float
    relaxed: float

    def value(self, y: np.ndarray, measure: np.ndarray | float = 1.0) -> float:
        """Sum over rows, each with its measure."""
        return self.weight * float(np.sum((self._beta(1.0 - y) + self._beta(1.0 + y)) * measure))

    def derivatives(self, y: np.ndarray, measure: np.ndarray | float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """First and second derivative of each row's share."""
        up, down = self._slopes(1.0 - y), self._slopes(1.0 + y)
        return self.weight * (down[0] - up[0]) * measure, self.weight * (down[1] + up[1]) * measure

    def _beta(self, s: np.ndarray) -> np.ndarray:
        d = self.relaxed
        return np.where(s >= d, -np.log(np.maximum(s, d)), 0.5 * (((s - 2.0 * d) / d) ** 2 - 1.0) - np.log(d))

    def _slopes(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        d = self.relaxed
        far = np.maximum(s, d)
        return np.where(s >= d, -1.0 / far, (s - 2.0 * d) / d**2), np.where(s >= d, 1.0 / far**2, 1.0 / d**2)
