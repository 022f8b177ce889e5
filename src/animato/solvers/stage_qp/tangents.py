"""Unit quaternions taken out of the variables: d = y + Z d', with three columns of Z for each quaternion.

Across a quaternion n of unit length lie n i, n j and n k, which are of unit length too and at right
angles. They take the place of the singular vectors of the unit rows, and change smoothly with n.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.solvers.stage_qp.kernels import add_products, project_values
from animato.solvers.stage_qp.program import UnitRows


@dataclass(frozen=True, eq=False)
class Tangents:
    """A sparse Z with orthonormal columns, and the special solution y.

    Attributes:
        full_count: Variables, quaternions with four.
        count: Reduced variables, quaternions with three.
        rows: Full variable of every entry of Z, shape [entry].
        cols: Reduced variable of every entry, shape [entry].
        source: What the entry is: 0 for a one, else 1 + 12 quaternion + 3 component + direction.
        values: Shape [1, entry] or [step, entry].
        special: y, shape [1, full] or [step, full].
    """

    full_count: int
    count: int
    rows: np.ndarray
    cols: np.ndarray
    source: np.ndarray
    values: np.ndarray
    special: np.ndarray

    @property
    def whole(self) -> bool:
        """Whether Z is the identity and y is zero: there is no quaternion, and the order is the given one."""
        return self.count == self.full_count and bool(np.all(self.rows == self.cols))

    def dense(self) -> np.ndarray:
        """Z in full, shape [1 or step, full, reduced]."""
        result = np.zeros((len(self.values), self.full_count, self.count))
        result[:, self.rows, self.cols] = self.values
        return result

    def expanded(self, reduced: np.ndarray) -> np.ndarray:
        """The full y + Z d' for d' of shape [1 or step, reduced]."""
        if self.whole:
            return reduced
        result = np.broadcast_to(self.special, (len(reduced), self.full_count)).copy()
        add_products(self.rows, self.cols, self.values, reduced, result)
        return result

    def contracted(self, full: np.ndarray) -> np.ndarray:
        """Z^T g for g of shape [1 or step, full]."""
        if self.whole:
            return full
        result = np.zeros((len(full), self.count))
        add_products(self.cols, self.rows, self.values, full, result)
        return result

    def at(self, units: UnitRows) -> Tangents:
        """The same pattern at other quaternions."""
        gradients = np.asarray(units.gradients, dtype=float)
        gradients = gradients[None] if gradients.ndim == 2 else gradients
        residuals = np.atleast_2d(np.asarray(units.residuals, dtype=float))
        numbers = np.concatenate([np.ones((len(gradients), 1)), _bases(gradients).reshape(len(gradients), -1)], axis=1)
        special = np.zeros((len(gradients), self.full_count))
        if units.count:
            steps = -gradients * (residuals / (gradients**2).sum(axis=-1))[..., None]
            special[:, units.columns.ravel()] = steps.reshape(len(gradients), -1)
        return replace(self, values=numbers[:, self.source], special=special)


def tangents(units: UnitRows, full_count: int) -> Tangents:
    """The reduced variables of a set of which some are quaternions."""
    member = np.full(full_count, -1)
    member[units.columns.ravel()] = np.repeat(np.arange(units.count), 4)
    entries: list[tuple[int, int, int]] = []
    seen: set[int] = set()
    reduced = 0
    for variable, quaternion in enumerate(member.tolist()):
        if quaternion < 0:
            entries.append((variable, reduced, 0))
            reduced += 1
        elif quaternion not in seen:
            seen.add(quaternion)
            own = units.columns[quaternion].tolist()
            entries += [
                (own[i], reduced + j, 1 + 12 * quaternion + 3 * i + j) for i in range(4) for j in range(3)
            ]  # fmt: skip
            reduced += 3
    rows, cols, source = np.array(entries, dtype=np.int64).reshape(-1, 3).T.copy()
    none = np.empty((0, 0))
    return Tangents(full_count, reduced, rows, cols, source, none, none).at(units)


def _bases(gradients: np.ndarray) -> np.ndarray:
    """Columns n i, n j, n k for gradients along n, shape [step, quaternion, 4, 3]."""
    n = gradients / np.linalg.norm(gradients, axis=-1, keepdims=True)
    w, x, y, z = np.moveaxis(n, -1, 0)
    i, j, k = np.stack([-x, w, z, -y], -1), np.stack([-y, -z, w, x], -1), np.stack([-z, y, -x, w], -1)
    return np.stack([i, j, k], axis=-1)


@dataclass(frozen=True, eq=False)
class Projection:
    """The pattern of A Z from that of A: which products add up to which entry.

    Attributes:
        rows: Row of every entry of A Z, shape [entry].
        cols: Its column, shape [entry].
        source: Entry of A in every product.
        weight: Entry of Z in every product.
        target: Entry of A Z that it adds to.
    """

    rows: np.ndarray
    cols: np.ndarray
    source: np.ndarray
    weight: np.ndarray
    target: np.ndarray

    def values(self, given: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Entries of A Z, shape [step, entry], from those of A and of Z."""
        result = np.zeros((len(given), len(self.rows)))
        project_values(self.source, self.weight, self.target, given, weights, result)
        return result


def projection(rows: np.ndarray, cols: np.ndarray, by: Tangents) -> Projection:
    """The products of A Z, for A given by the rows and columns of its entries."""
    of_column: list[list[int]] = [[] for _ in range(by.full_count)]
    for entry, row in enumerate(by.rows.tolist()):
        of_column[row].append(entry)
    places: dict[tuple[int, int], int] = {}
    products = [
        (source, weight, places.setdefault((row, int(by.cols[weight])), len(places)))
        for source, (row, col) in enumerate(zip(rows.tolist(), cols.tolist(), strict=True))
        for weight in of_column[col]
    ]
    table = np.array(products, dtype=np.int64).reshape(-1, 3)
    where = np.array(list(places), dtype=np.int64).reshape(-1, 2)
    source, weight, target = (np.ascontiguousarray(column) for column in table.T)
    return Projection(where[:, 0].copy(), where[:, 1].copy(), source, weight, target)
