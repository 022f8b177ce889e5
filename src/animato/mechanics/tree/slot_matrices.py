"""Square matrices over the slots of `StepColumns` at eight moments: entry (i, j) is row size i + j of lanes."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.lanes import lanes, put_lanes
from animato.kernels.spatial_algebra import (
    Inertia,
    Six,
    angular_of,
    inertia_times,
    linear_of,
    six,
    unit_triple,
    zero_triple,
)
from animato.kernels.vectors import put_triple
from animato.mechanics.tree.step_columns import StepColumns


@inlined_kernel
def put_root_rows(rows: np.ndarray, size: int, slot: int, x: Six) -> None:
    """Writes what a column does to the six of a free root, linear before angular."""
    put_lanes(rows, slot, x[3])
    put_lanes(rows, size + slot, x[4])
    put_lanes(rows, 2 * size + slot, x[5])
    put_lanes(rows, 3 * size + slot, x[0])
    put_lanes(rows, 4 * size + slot, x[1])
    put_lanes(rows, 5 * size + slot, x[2])


@inlined_kernel
def put_root_columns(rows: np.ndarray, size: int, slot: int, x: Six) -> None:
    """Writes what the six of a free root, linear before angular, do to a column."""
    put_triple(rows, size * slot, linear_of(x))
    put_triple(rows, size * slot + 3, angular_of(x))


@inlined_kernel
def put_root_inertia(rows: np.ndarray, size: int, inertia: Inertia) -> None:
    """Writes the mass matrix of the six of a free root."""
    for k in range(3):
        put_root_rows(rows, size, k, inertia_times(inertia, six(zero_triple(), unit_triple(k))))
        put_root_rows(rows, size, 3 + k, inertia_times(inertia, six(unit_triple(k), zero_triple())))


@kernel
def clear_followers(rows: np.ndarray, columns: StepColumns) -> None:
    """Prepares for another eight moments, where followers had been added to entries that nothing else writes."""
    if len(columns.leader) > 0:
        rows[:] = 0.0


@kernel
def add_followers(rows: np.ndarray, size: int, columns: StepColumns) -> None:
    """Adds the rows and columns of slots that follow another to those of their leaders."""
    dofs = size - len(columns.leader)
    for n, leader in enumerate(columns.leader):
        for j in range(size):
            at = size * leader + j
            put_lanes(rows, at, lanes(rows, at) + lanes(rows, size * (dofs + n) + j))
    for n, leader in enumerate(columns.leader):
        for i in range(dofs):
            at = size * i + leader
            put_lanes(rows, at, lanes(rows, at) + lanes(rows, size * i + dofs + n))


@kernel
def add_diagonal(rows: np.ndarray, size: int, diagonal: np.ndarray) -> None:
    """Adds numbers [dof] that are the same at all moments."""
    for i in range(len(diagonal)):
        put_lanes(rows, (size + 1) * i, lanes(rows, (size + 1) * i) + diagonal[i])
