"""What people see: named points, where things point, and angles of joints, each with its weight over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Visible:
    """The objective: half the weighted squares of what changes visibly, summed over frames [m^2].

    Attributes:
        weights: Of each point's square at each frame, [frame, point].
        angles: Of each coordinate's square at each frame [m^2/rad^2, or 1], [frame, column].
        targets: Where the points should be [m], [frame, point, 3].
        wanted: Where the coordinates should be [rad or m], [frame, column].
    """

    weights: np.ndarray
    angles: np.ndarray
    targets: np.ndarray
    wanted: np.ndarray

    def part(self, frames: slice) -> Visible:
        """Of some frames."""
        return Visible(self.weights[frames], self.angles[frames], self.targets[frames], self.wanted[frames])

    def cost(self, places: np.ndarray, q: np.ndarray) -> float:
        """Its value for points [frame, point, 3] and coordinates [frame, column]."""
        off = np.sum((places - self.targets) ** 2, axis=2)
        return 0.5 * float(np.sum(self.weights * off) + np.sum(self.angles * (q - self.wanted) ** 2))

    def derivatives(self, places: np.ndarray, jacobians: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The derivative by coordinates, [frame, column], and that of it by Gauss and Newton, [frame, column, column].

        Args:
            places: Of the points [m], [frame, point, 3].
            jacobians: Of the points by coordinates, [frame, column, point, 3].
            q: Coordinates, [frame, column].
        """
        count, columns = q.shape
        weighted = self.weights[..., None] * (places - self.targets)
        flat = jacobians.reshape(count, columns, -1)
        pull = np.matmul(flat, weighted.reshape(count, -1, 1))[..., 0] + self.angles * (q - self.wanted)
        scaled = flat * np.repeat(self.weights, 3, axis=1)[:, None, :]
        squares = np.matmul(scaled, flat.transpose(0, 2, 1))
        diagonal = np.arange(columns)
        squares[:, diagonal, diagonal] += self.angles
        return pull, squares
