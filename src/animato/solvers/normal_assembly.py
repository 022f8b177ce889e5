"""Normal matrices of blocks, J^T S J + curvature, in the storage that fits what the blocks touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from animato.algebra.banded import BandedMatrix
from animato.algebra.symmetric import DenseMatrix, SymmetricMatrix
from animato.kernels.compiled import inlined_kernel, kernel
from animato.solvers.blocks import RowBlock

_NARROW = 0.5  # of the unknowns: a wider band is stored as a dense matrix


@dataclass(frozen=True, eq=False)
class NormalRows:
    """What a block adds to a normal matrix: sum over rows of stiffness J^T J, and curvature.

    Attributes:
        columns: Unknowns of each copy, [c, w].
        jacobians: J, [c, r, w].
        stiffness: [c, r].
        curvatures: [c, w, w], or None.
        negligible: A stiffness up to this is left out.
    """

    columns: np.ndarray
    jacobians: np.ndarray
    stiffness: np.ndarray
    curvatures: np.ndarray | None = None
    negligible: float = 0.0

    @property
    def packed(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, float]:
        """The same as kernels want it; without curvature its array is empty."""
        bends = np.zeros((0, 1, 1)) if self.curvatures is None else np.ascontiguousarray(self.curvatures)
        J = np.ascontiguousarray(self.jacobians)
        stiffness = np.ascontiguousarray(np.broadcast_to(self.stiffness, J.shape[:2]))
        return np.ascontiguousarray(self.columns), J, stiffness, bends, self.negligible


class NormalLayout(Protocol):
    """A storage for the normal matrix of certain blocks."""

    def assembled(self, rows: Sequence[NormalRows]) -> SymmetricMatrix:
        """The sum of what blocks add."""
        ...


def normal_layout(blocks: Sequence[RowBlock], size: int) -> NormalLayout:
    """The storage for the normal matrix of blocks of `size` unknowns: a band where it is narrow, else dense."""
    width = _width([block.columns for block in blocks])
    return BandedLayout(size, width) if width <= max(1.0, _NARROW * size) else DenseLayout(size)


def _width(columns: Sequence[np.ndarray]) -> int:
    """The width of the band that holds all pairs of unknowns that meet."""
    return max((int(np.ptp(each, axis=1).max(initial=0)) + 1 for each in columns), default=1)


@dataclass(frozen=True)
class BandedLayout:
    """A band; see `NormalLayout`."""

    size: int
    width: int

    def assembled(self, rows: Sequence[NormalRows]) -> BandedMatrix:
        """The sum."""
        band = np.zeros((self.size, self.width))
        for each in rows:
            _add_to_band(*each.packed, band)
        return BandedMatrix(band)


@dataclass(frozen=True)
class DenseLayout:
    """A matrix in full; see `NormalLayout`."""

    size: int

    def assembled(self, rows: Sequence[NormalRows]) -> DenseMatrix:
        """The sum."""
        lower = np.zeros((self.size, self.size))
        for each in rows:
            _add_to_dense(*each.packed, lower)
        return DenseMatrix(lower)


@inlined_kernel
def _put_copy(
    jacobians: np.ndarray, stiffness: np.ndarray, bends: np.ndarray, negligible: float, c: int, local: np.ndarray
) -> None:
    """Writes the lower triangle of one copy's own normal matrix."""
    _, rows, width = jacobians.shape
    for i in range(width):
        for j in range(i + 1):
            local[i, j] = bends[c, i, j] if len(bends) > 0 else 0.0
    for r in range(rows):
        weight = stiffness[c, r]
        if abs(weight) <= negligible:
            continue
        for i in range(width):
            value = weight * jacobians[c, r, i]
            if value != 0.0:
                for j in range(i + 1):
                    local[i, j] += value * jacobians[c, r, j]


@kernel
def _add_to_band(
    columns: np.ndarray,
    jacobians: np.ndarray,
    stiffness: np.ndarray,
    bends: np.ndarray,
    negligible: float,
    band: np.ndarray,
) -> None:
    """Adds all copies to a band."""
    copies, width = columns.shape
    local, last = np.empty((width, width)), band.shape[1] - 1
    for c in range(copies):
        _put_copy(jacobians, stiffness, bends, negligible, c, local)
        for i in range(width):
            for j in range(i + 1):
                high, low = max(columns[c, i], columns[c, j]), min(columns[c, i], columns[c, j])
                band[high, last - high + low] += local[i, j]


@kernel
def _add_to_dense(
    columns: np.ndarray,
    jacobians: np.ndarray,
    stiffness: np.ndarray,
    bends: np.ndarray,
    negligible: float,
    lower: np.ndarray,
) -> None:
    """Adds all copies to a lower triangle."""
    copies, width = columns.shape
    local = np.empty((width, width))
    for c in range(copies):
        _put_copy(jacobians, stiffness, bends, negligible, c, local)
        for i in range(width):
            for j in range(i + 1):
                high, low = max(columns[c, i], columns[c, j]), min(columns[c, i], columns[c, j])
                lower[high, low] += local[i, j]
