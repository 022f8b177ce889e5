"""Builds the memory of a system, and finds the kernels that work in it."""

from __future__ import annotations

import numpy as np

from animato.kernels.lanes import LANES
from animato.kernels.separate import address_of
from animato.mechanics.flexible.interface import put_interface_motion
from animato.mechanics.flexible.reduction import (
    add_part_elasticity,
    build_parts_work,
    put_modal_inertia,
    put_part_interfaces,
)
from animato.mechanics.simulation.dynamics.closures import add_closures
from animato.mechanics.simulation.dynamics.forces import derivatives_kernel, forces_kernel
from animato.mechanics.simulation.dynamics.inward import walk_inward
from animato.mechanics.simulation.dynamics.outputs import energy_kernel, outputs_kernel
from animato.mechanics.simulation.dynamics.parts import add_part_derivatives, add_parts, put_arms, put_part_energies
from animato.mechanics.simulation.dynamics.work import (
    ARMS,
    CALLS,
    CLOSURES,
    COLUMN_ROWS,
    DERIVATIVES,
    ELASTICITY,
    ENERGY,
    FORCES,
    INTERFACE,
    INTERFACES,
    INWARD,
    MODES,
    OUTPUTS,
    PART_CALLS,
    PART_DERIVATIVES,
    PART_ENERGIES,
    PARTS,
    WALK,
    ArmMemory,
    LoopMemory,
    ModeColumns,
    Sums,
    Work,
)
from animato.mechanics.simulation.system import PackedSystem
from animato.mechanics.tree import build_moment_walk, walk_moment_outward


def build_work(system: PackedSystem) -> Work:
    """Memory for a system; kernels are compiled where they are not on disk."""
    steps = len(system.tree.parent)
    slots, rows = len(system.drive.slot_coordinate), len(system.loops.row_kind)
    walk = build_moment_walk(steps - 1, steps - 1, steps, steps - 1)
    walk.root[3] = 1.0
    parts, stands = build_parts_work(system.parts), system.stands
    most = int(np.diff(system.parts.first_mode).max(initial=0))
    work = Work(
        walk,
        _build_sums(system),
        ModeColumns(
            stands.step, stands.slot, system.parts.first_mode, parts.by_acc, parts.turn, parts.by_a, parts.by_v
        ),
        LoopMemory(
            np.zeros((rows, 6)),
            np.zeros(6 * steps),
            np.zeros((2, 6, slots)),
            np.zeros((2, 3, slots)),
            np.zeros(slots, dtype=np.int64),
            np.zeros((slots, slots)),
        ),
        parts,
        ArmMemory(np.zeros(3 * 6 * most), np.zeros((3, 6)), np.zeros((2, most)), np.zeros(6)),
        np.zeros(3),
        np.zeros(system.coordinate_count),
        np.zeros(len(CALLS) + len(PART_CALLS), dtype=np.int64),
    )
    _put_addresses(system, work)
    return work


def _build_sums(system: PackedSystem) -> Sums:
    slots, entries = len(system.drive.slot_coordinate), len(system.drive.entry_weight)
    stride = slots + LANES
    square = slots * stride
    return Sums(
        system.drive.entry_weight.copy(),
        np.zeros(entries),
        np.zeros(entries),
        np.zeros(COLUMN_ROWS * stride),
        np.zeros(square),
        np.zeros(square),
        np.zeros(square),
        np.zeros(square),
        np.zeros(square),
        np.repeat([1.0, 0.0], LANES),
        np.zeros(slots),
    )


def _put_addresses(system: PackedSystem, work: Work) -> None:
    """Compiles what the system needs, or takes it from disk."""
    n, m, k, calls = system.coordinate_count, len(system.loops.row_kind), len(system.outputs.step), work.calls
    vector, rows, square, jac = np.zeros(n), np.zeros(m), np.zeros((n, n)), np.zeros((m, n))
    state, squares, parent = (vector, vector, vector), (square, square, square), system.tree.parent
    calls[WALK] = address_of(walk_moment_outward, system.tree, system.columns, work.walk, True)
    calls[INWARD] = address_of(walk_inward, parent, system.drive, work.walk, work.sums, work.modes, *squares)
    if m > 0:
        tied = (work.walk, work.sums.weight, work.loops, rows, square, jac)
        calls[CLOSURES] = address_of(add_closures, parent, system.drive, system.loops, *tied)
    if len(system.stands.step) > 0:
        _put_part_addresses(system, work)
    calls[FORCES] = address_of(forces_kernel, system, work, *state, rows, vector, rows)
    calls[DERIVATIVES] = address_of(derivatives_kernel, system, work, *state, rows, vector, rows, *squares, jac)
    found = (np.zeros((k, 3)), np.zeros((k, 3, 3)), np.zeros((k, 3, n)), np.zeros((k, 3, n)))
    tracked = (system.drive, system.outputs, work.walk, work.sums.weight)
    calls[OUTPUTS] = address_of(outputs_kernel, system.tree, *tracked, *found)
    calls[ENERGY] = address_of(energy_kernel, system, work, vector, vector)


def _put_part_addresses(system: PackedSystem, work: Work) -> None:
    """The same for reduced parts."""
    n, m, calls, walk = system.coordinate_count, len(system.loops.row_kind), work.calls, work.walk
    vector, rows, square = np.zeros(n), np.zeros(m), np.zeros((n, n))
    state, six = (vector, vector, vector), np.zeros(6)
    parts = (system.parts, work.parts, 0)
    moving = (walk.rotation, walk.position, walk.V, walk.A, walk.F, walk.inertia, walk.coriolis)
    matrices = (np.zeros((6, 1)), np.zeros((6, 1)), np.zeros((6, 1)))
    calls[INTERFACE] = address_of(
        put_interface_motion, system.parts.interfaces, 0, *state, True, six, six, six, *matrices
    )
    calls[INTERFACES] = address_of(put_part_interfaces, *parts, *state, True)
    calls[MODES] = address_of(put_modal_inertia, *parts, *state, True, 0, *moving)
    calls[ELASTICITY] = address_of(add_part_elasticity, *parts, vector, vector, True)
    calls[ARMS] = address_of(put_arms, system, work, *state, True)
    calls[PARTS] = address_of(add_parts, system, work, *state, True)
    calls[PART_DERIVATIVES] = address_of(add_part_derivatives, system, work, vector, rows, square, square, square)
    calls[PART_ENERGIES] = address_of(put_part_energies, system, work, vector, vector)
