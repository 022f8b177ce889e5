"""Normal matrices of blocks, J^T S J + curvature, in the storage that fits what the blocks touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from animato.algebra.banded import BandedMatrix
from animato.algebra.condensed import CondensedMatrix
from animato.algebra.symmetric import DenseMatrix, SymmetricMatrix
from animato.solvers.blocks import RowBlock
from animato.spatial.compiled import inlined_kernel, released_kernel

_NARROW = 0.5  # of the unknowns: a wider band is stored as a dense matrix


@dataclass(frozen=True)
class LocalGroups:
    """Unknowns that are eliminated first, because none of a group meets one of another: forces at a frame.

    Attributes:
        first: Unknowns from here on are local.
        length: Of a group.
    """

    first: int
    length: int


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


def normal_layout(blocks: Sequence[RowBlock], size: int, groups: LocalGroups | None = None) -> NormalLayout:
    """The storage for the normal matrix of blocks of `size` unknowns: condensed, banded or dense."""
    columns = [block.columns for block in blocks]
    if groups is not None:
        return CondensedLayout(columns, size, groups)
    width = _width(columns)
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


class CondensedLayout:
    """A band with local groups; see `NormalLayout`."""

    def __init__(self, columns: Sequence[np.ndarray], size: int, groups: LocalGroups) -> None:
        """For copies that see unknowns `columns` [c, w] each, of one group at most."""
        self.groups = groups
        count = -(-(size - groups.first) // groups.length)
        if groups.first + count * groups.length != size:
            raise ValueError(f"{size - groups.first} local unknowns are no whole number of groups of {groups.length}.")
        low, high = np.full(count, groups.first), np.full(count, -1)
        width = 1
        for each in columns:
            shared = each < groups.first
            group = np.where(shared, -1, (each - groups.first) // groups.length)
            own = group.max(axis=1, initial=-1)
            if np.any(~shared & (group != own[:, None])):
                raise ValueError("A copy of a block sees local unknowns of two groups.")
            first = np.where(shared, each, groups.first).min(axis=1)
            last = np.where(shared, each, -1).max(axis=1)
            width = max(width, int((last - first).max(initial=0)) + 1)
            met = (own >= 0) & (last >= 0)
            np.minimum.at(low, own[met], first[met])
            np.maximum.at(high, own[met], last[met])
        window = max(1, int((high - low).max(initial=0)) + 1)
        self.starts = np.clip(low, 0, groups.first - window)
        self._shapes = (groups.first, max(width, window)), (count, groups.length, window)

    def assembled(self, rows: Sequence[NormalRows]) -> CondensedMatrix:
        """The sum."""
        band, coupling = (np.zeros(shape) for shape in self._shapes)
        own = np.zeros((*coupling.shape[:2], self.groups.length))
        for each in rows:
            _add_to_groups(*each.packed, self.groups.first, self.starts, band, own, coupling)
        return CondensedMatrix(band, own + np.tril(own, -1).transpose(0, 2, 1), coupling, self.starts)


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


@released_kernel
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


@released_kernel
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


@released_kernel
def _add_to_groups(
    columns: np.ndarray,
    jacobians: np.ndarray,
    stiffness: np.ndarray,
    bends: np.ndarray,
    negligible: float,
    first: int,
    starts: np.ndarray,
    band: np.ndarray,
    groups: np.ndarray,
    coupling: np.ndarray,
) -> None:
    """Adds all copies to a band, to the lower triangles of groups, and to what couples them."""
    copies, width = columns.shape
    local, last, length = np.empty((width, width)), band.shape[1] - 1, groups.shape[1]
    for c in range(copies):
        _put_copy(jacobians, stiffness, bends, negligible, c, local)
        for i in range(width):
            for j in range(i + 1):
                high, low = max(columns[c, i], columns[c, j]), min(columns[c, i], columns[c, j])
                if high < first:
                    band[high, last - high + low] += local[i, j]
                    continue
                group, own = (high - first) // length, (high - first) % length
                if low < first:
                    coupling[group, own, low - starts[group]] += local[i, j]
                else:
                    groups[group, own, (low - first) % length] += local[i, j]
