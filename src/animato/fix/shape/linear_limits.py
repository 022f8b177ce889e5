"""Range, speed, acceleration and jerk of every moment as rows over control points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.fix.shape.moving import Moving
from animato.fix.shape.spline_space import SplineSpace, Stencils
from animato.solvers.band_qp import NarrowRows

ROOM = 1e-7
"""Share of a limit that is left to rounding."""


@dataclass(frozen=True, eq=False)
class LinearLimits:
    """Limits that are linear in the motion, each as a share of itself.

    Attributes:
        stencils: By kind, what is limited.
        lower, upper: By kind, for the motion itself, [row, column].
        size: By kind, what 1 stands for: half a range, or the limit, [column].
    """

    stencils: dict[str, Stencils]
    lower: dict[str, np.ndarray]
    upper: dict[str, np.ndarray]
    size: dict[str, np.ndarray]

    @staticmethod
    def of(space: SplineSpace, moving: Moving) -> LinearLimits:
        """Those of some coordinates."""
        kinds = [kind for kind in space.bounds if np.any(np.isfinite(moving.upper[kind] - moving.lower[kind]))]
        kinds += [
            kind
            for kind in space.bounds
            if kind not in kinds and np.any(np.isfinite(moving.upper[kind]) | np.isfinite(moving.lower[kind]))
        ]
        size = {}
        for kind in kinds:
            half = 0.5 * (moving.upper[kind] - moving.lower[kind])
            size[kind] = np.where(np.isfinite(half), np.maximum(half, 1e-9), 1.0)
        lower = {kind: moving.lower[kind] + ROOM * size[kind] for kind in kinds}
        upper = {kind: moving.upper[kind] - ROOM * size[kind] for kind in kinds}
        return LinearLimits({kind: space.bounds[kind] for kind in kinds}, lower, upper, size)

    def excess(self, control_points: np.ndarray) -> dict[str, np.ndarray]:
        """By kind, how far beyond its limit each number is, in shares; below 0 within it, [row, column]."""
        found = {}
        for kind, stencils in self.stencils.items():
            values = stencils.of(control_points)
            found[kind] = np.maximum(values - self.upper[kind], self.lower[kind] - values) / self.size[kind]
        return found

    def rows(self, control_points: np.ndarray, near: float, also: dict[str, np.ndarray]) -> NarrowRows:
        """Rows for steps from control points [n, column]: those that leave less than some shares of room.

        Args:
            control_points: Of the motion as it is.
            near: Shares of room within which a limit is a row.
            also: By kind, what else is one, both of its sides, [row, column].
        """
        parts = []
        for kind, stencils in self.stencils.items():
            values, size = stencils.of(control_points), self.size[kind]
            for sign, room in ((1.0, self.upper[kind] - values), (-1.0, values - self.lower[kind])):
                row, column = np.nonzero((room < near * size) | (also[kind] & np.isfinite(room)))
                scale = sign / size[column]
                parts.append(
                    (
                        stencils.first[row],
                        column,
                        stencils.values[row] * scale[:, None],
                        room[row, column] / size[column],
                    )
                )
        if not parts:
            return NarrowRows.none()
        first, columns, coefficients, upper = (np.concatenate(group) for group in zip(*parts, strict=True))
        return NarrowRows(first, columns, np.ascontiguousarray(coefficients), upper, np.full(len(upper), np.inf))
