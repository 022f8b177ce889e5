"""Builds the memory of a system, and finds the kernels that work in it."""

from __future__ import annotations

import numpy as np

from animato.kernels.lanes import LANES
from animato.kernels.separate import address_of
from animato.mechanics.flexible.reduction import build_parts_work
from animato.mechanics.simulation.dynamics.closures import add_closures
from animato.mechanics.simulation.dynamics.forces import derivatives_kernel, forces_kernel
from animato.mechanics.simulation.dynamics.inward import walk_inward
from animato.mechanics.simulation.dynamics.parts import add_part_derivatives, add_parts, put_arms, put_part_energies
from animato.mechanics.simulation.dynamics.work import (
    ARMS,
    CLOSURES,
    COLUMN_ROWS,
    DERIVATIVES,
    FORCES,
    INWARD,
    PART_DERIVATIVES,
    PART_ENERGIES,
    PARTS,
    WALK,
    Work,
)
from animato.mechanics.simulation.system import PackedSystem
from animato.mechanics.tree import build_moment_walk, walk_moment_outward


def build_work(system: PackedSystem) -> Work:
    """Memory for a system."""
    steps, slots, rows = len(system.tree.parent), len(system.slot_coordinate), len(system.row_kind)
    stride = slots + LANES
    walk = build_moment_walk(steps - 1, steps - 1, steps, steps - 1)
    walk.root[3] = 1.0
    square, most = slots * stride, int(np.diff(system.parts.first_mode).max(initial=0))
    work = Work(
        walk,
        system.entry_weight.copy(),
        np.zeros(len(system.entry_weight)),
        np.zeros(len(system.entry_weight)),
        np.zeros(COLUMN_ROWS * stride),
        np.zeros(square),
        np.zeros(square),
        np.zeros(square),
        np.zeros(square),
        np.zeros(square),
        np.repeat([1.0, 0.0], LANES),
        np.zeros(slots),
        np.zeros((rows, 6)),
        np.zeros((2, 6, slots)),
        np.zeros((2, 3, slots)),
        build_parts_work(system.parts),
        np.zeros(6 * steps),
        np.zeros(3 * 6 * most),
        np.zeros(3),
        np.zeros((3, 6)),
        np.zeros((2, most)),
        np.zeros(9, dtype=np.int64),
    )
    _put_addresses(system, work)
    return work


def _put_addresses(system: PackedSystem, work: Work) -> None:
    """Compiles what the system needs, or takes it from disk."""
    n, m, calls = system.coordinate_count, len(system.row_kind), work.calls
    vector, rows, square, jac = np.zeros(n), np.zeros(m), np.zeros((n, n)), np.zeros((m, n))
    state = (vector, vector, vector)
    calls[WALK] = address_of(walk_moment_outward, system.tree, system.columns, work.walk, True)
    calls[INWARD] = address_of(walk_inward, system, work, square, square, square)
    if m > 0:
        calls[CLOSURES] = address_of(add_closures, system, work, rows, square, jac)
    if len(system.part_step) > 0:
        calls[ARMS] = address_of(put_arms, system, work, *state, True)
        calls[PARTS] = address_of(add_parts, system, work, *state, True)
        calls[PART_DERIVATIVES] = address_of(add_part_derivatives, system, work, vector, rows, square, square, square)
        calls[PART_ENERGIES] = address_of(put_part_energies, system, work, vector, vector)
    calls[FORCES] = address_of(forces_kernel, system, work, *state, rows, vector, rows)
    out = (vector, rows, square, square, square, jac)
    calls[DERIVATIVES] = address_of(derivatives_kernel, system, work, *state, rows, *out)
