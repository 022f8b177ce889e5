"""Motor profiles as B-splines: what is optimized (Sec. 6, "Parameterization").

Cubic splines have continuous accelerations, so that torques are finite. The first three control points of each motor
are held: the profile starts at the artist's first pose, at rest and without acceleration.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import splu

from animato.motion import Clip
from animato.spatial.basis import DEGREE, basis_matrix, clamped_knots

HELD = 3
"""Control points at the start that do not change."""


@dataclass(frozen=True, eq=False)
class ProfileBasis:
    """The splines of all motors over a clip; each motor has its own control points on the same knots.

    Unknowns x are all control points, those of the first motor first, [size].

    Attributes:
        names: Of the motors' coordinates.
        start: Where the clip begins [s]; times of a profile count from 0.
        duration: [s].
        knots: Clamped, [control points + 4].
    """

    names: tuple[str, ...]
    start: float
    duration: float
    knots: np.ndarray

    @classmethod
    def over(cls, names: tuple[str, ...], start: float, duration: float, control_points: int) -> ProfileBasis:
        """Evenly spaced knots over a duration [s]."""
        return cls(names, start, duration, clamped_knots(np.linspace(0.0, duration, control_points - DEGREE + 1)))

    @property
    def count(self) -> int:
        """Control points of each motor."""
        return len(self.knots) - DEGREE - 1

    @property
    def size(self) -> int:
        """All control points of all motors."""
        return self.count * len(self.names)

    @property
    def held(self) -> np.ndarray:
        """Which unknowns do not change, [size]."""
        held = np.zeros((len(self.names), self.count), dtype=bool)
        held[:, :HELD] = True
        return held.ravel()

    def matrix(self, times: np.ndarray, derivative: int = 0) -> csr_array:
        """B with B @ control points = the profile, or a derivative, at times from 0 [s], [time, control point]."""
        return basis_matrix(self.knots, np.clip(times, 0.0, self.duration), derivative=derivative)

    def control_points(self, x: np.ndarray) -> np.ndarray:
        """Unknowns as a table [control point, motor]."""
        return np.ascontiguousarray(x.reshape(len(self.names), self.count).T)

    def unknowns(self, control_points: np.ndarray) -> np.ndarray:
        """The other way round."""
        return np.ascontiguousarray(control_points.T).ravel()

    def difference_matrix(self, derivative: int) -> csr_array:
        """Control points of a derivative of the spline from its own.

        The derivative lies between the least and the most of them, so bounds on them hold between frames too.
        """
        matrix, knots = csr_array(np.eye(self.count)), self.knots
        for order in range(DEGREE, DEGREE - derivative, -1):
            knots, rows = knots[1:-1], matrix.shape[0] - 1
            scale = order / (knots[order : order + rows] - knots[:rows])
            step = csr_array(
                (
                    np.concatenate([-scale, scale]),
                    (np.tile(np.arange(rows), 2), np.concatenate([np.arange(rows), np.arange(1, rows + 1)])),
                ),
                shape=(rows, rows + 1),
            )
            matrix = step @ matrix
        return csr_array(matrix)

    def fitted(self, clip: Clip, samples_per_piece: int = 8) -> np.ndarray:
        """Unknowns of the spline nearest to a clip, from its first pose at rest, [size].

        Corners of the clip are rounded by the width of a piece, as no motor can follow them.
        """
        times = np.linspace(0.0, self.duration, samples_per_piece * self.count + 1)
        wanted = piecewise_linear(clip.selected(self.names), self.start + times)
        basis = self.matrix(times)
        free = basis[:, HELD:]
        points = np.empty((self.count, len(self.names)))
        points[:HELD] = wanted[0]
        rest = wanted - basis[:, :HELD] @ points[:HELD]
        points[HELD:] = splu((free.T @ free).tocsc()).solve(np.asarray(free.T @ rest))
        return self.unknowns(points)


def piecewise_linear(clip: Clip, times: np.ndarray) -> np.ndarray:
    """The clip's frames with straight lines between them, at times [s], [time, coordinate].

    A cubic through frames would swing about a corner; the artist did not draw that.
    """
    return np.column_stack([np.interp(times, clip.times, column) for column in clip.positions.T])
