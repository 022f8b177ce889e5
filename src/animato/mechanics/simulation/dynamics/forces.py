"""Forces of a system at one moment, and their exact first derivatives."""

from __future__ import annotations

import math

import numpy as np

from animato.kernels.compiled import addressed_kernel, inlined_kernel, kernel
from animato.kernels.separate import call_at
from animato.mechanics.simulation.dynamics.closures import add_wrenches, put_gaps
from animato.mechanics.simulation.dynamics.inward import walk_forces_inward
from animato.mechanics.simulation.dynamics.work import (
    ARMS,
    CLOSURES,
    DERIVATIVES,
    FORCES,
    INWARD,
    PART_DERIVATIVES,
    PARTS,
    WALK,
    Work,
)
from animato.mechanics.simulation.system import Drive, PackedSystem, Springs
from animato.mechanics.tree import Walk


@inlined_kernel
def _put_hinges(drive: Drive, walk: Walk, weight: np.ndarray, z: np.ndarray, v: np.ndarray, a: np.ndarray) -> None:
    """Writes position, speed and acceleration of all hinges."""
    for s in range(1, len(drive.curved)):
        position, speed, push = 0.0, 0.0, 0.0
        for e in range(drive.entry_first[s], drive.entry_first[s + 1]):
            i = drive.slot_coordinate[drive.entry_slot[e]]
            position += weight[e] * z[i]
            speed += weight[e] * v[i]
            push += weight[e] * a[i]
        walk.q[s - 1], walk.v[s - 1], walk.a[s - 1] = position, speed, push


@inlined_kernel
def _put_tau(
    drive: Drive, springs: Springs, slot_tau: np.ndarray, z: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray
) -> None:
    """Writes forces of the tree, and adds springs, rotors and friction."""
    for i in range(len(tau)):
        tau[i] = springs.armature[i] * a[i]
        if springs.friction[i] != 0.0:
            tau[i] += springs.friction[i] * math.tanh(v[i] / springs.friction_speed)
    for c in range(len(drive.slot_coordinate)):
        tau[drive.slot_coordinate[c]] += slot_tau[c]
    for e in range(len(springs.row)):
        j = springs.column[e]
        tau[springs.row[e]] += springs.stiffness[e] * z[j] + springs.damping[e] * v[j]


@inlined_kernel
def _add_springs(springs: Springs, v: np.ndarray, by_z: np.ndarray, by_v: np.ndarray, by_a: np.ndarray) -> None:
    """Adds derivatives of what `_put_tau` adds."""
    for e in range(len(springs.row)):
        i, j = springs.row[e], springs.column[e]
        by_z[i, j] += springs.stiffness[e]
        by_v[i, j] += springs.damping[e]
    for i in range(len(v)):
        by_a[i, i] += springs.armature[i]
        if springs.friction[i] != 0.0:
            share = math.tanh(v[i] / springs.friction_speed)
            by_v[i, i] += springs.friction[i] * (1.0 - share * share) / springs.friction_speed


@inlined_kernel
def _add_modal_forces(coordinate: np.ndarray, first_mode: np.ndarray, forces: np.ndarray, tau: np.ndarray) -> None:
    """Adds forces along the modes of reduced parts."""
    for p in range(len(coordinate)):
        for j in range(first_mode[p], first_mode[p + 1]):
            tau[coordinate[p] + j - first_mode[p]] += forces[j]


@inlined_kernel
def walk_from(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray, a: np.ndarray, derivatives: bool) -> None:
    """Walks outward over all steps at coordinates z, speeds v and accelerations a."""
    _put_hinges(system.drive, work.walk, work.sums.weight, z, v, a)
    if len(system.stands.step) > 0:
        call_at(work.calls[ARMS], (system, work, z, v, a, derivatives))
    call_at(work.calls[WALK], (system.tree, system.columns, work.walk, derivatives))
    if len(system.stands.step) > 0:
        call_at(work.calls[PARTS], (system, work, z, v, a, derivatives))


@addressed_kernel
def forces_kernel(
    system: PackedSystem,
    work: Work,
    z: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    lam: np.ndarray,
    tau: np.ndarray,
    gap: np.ndarray,
) -> None:
    """What `put_forces` says."""
    walk_from(system, work, z, v, a, False)
    put_gaps(system.loops, work.walk, work.loops.wrench, gap)
    add_wrenches(system.loops, work.loops.wrench, lam, work.walk.F)
    walk_forces_inward(system.tree.parent, system.drive, work.walk, work.sums)
    _put_tau(system.drive, system.springs, work.sums.tau, z, v, a, tau)
    _add_modal_forces(system.stands.coordinate, system.parts.first_mode, work.parts.forces, tau)


@addressed_kernel
def derivatives_kernel(
    system: PackedSystem,
    work: Work,
    z: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    lam: np.ndarray,
    tau: np.ndarray,
    gap: np.ndarray,
    by_z: np.ndarray,
    by_v: np.ndarray,
    by_a: np.ndarray,
    jac: np.ndarray,
) -> None:
    """What `put_forces_and_derivatives` says."""
    walk_from(system, work, z, v, a, True)
    drive, loops = system.drive, system.loops
    put_gaps(loops, work.walk, work.loops.wrench, gap)
    found = (by_z, by_v, by_a)
    call_at(work.calls[INWARD], (system.tree.parent, drive, work.walk, work.sums, work.modes, *found))
    _put_tau(drive, system.springs, work.sums.tau, z, v, a, tau)
    _add_modal_forces(system.stands.coordinate, system.parts.first_mode, work.parts.forces, tau)
    _add_springs(system.springs, v, by_z, by_v, by_a)
    if len(lam) > 0:
        tied = (system.tree.parent, drive, loops, work.walk, work.sums.weight, work.loops, lam, by_z, jac)
        call_at(work.calls[CLOSURES], tied)
        for r in range(len(lam)):
            for i in range(len(tau)):
                tau[i] += lam[r] * jac[r, i]
    if len(system.stands.step) > 0:
        call_at(work.calls[PART_DERIVATIVES], (system, work, z, lam, by_z, by_v, by_a))


@kernel
def put_forces(
    system: PackedSystem,
    work: Work,
    z: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    lam: np.ndarray,
    tau: np.ndarray,
    gap: np.ndarray,
) -> None:
    """Writes tau(z, v, a, lambda) [n] and gap(z) [m] at one moment.

    Args:
        system: What moves.
        work: Memory of `build_work`.
        z: Coordinates [rad, m, 1/m], [n].
        v: dz/dt, [n].
        a: d2z/dt2, [n].
        lam: Multipliers of the loops' rows [N or N m], [m].
        tau: Written: forces along the coordinates; zero where nothing drives them, [n].
        gap: Written: by how much the loops are open [m, or a cosine], [m].
    """
    call_at(work.calls[FORCES], (system, work, z, v, a, lam, tau, gap))


@kernel
def put_forces_and_derivatives(
    system: PackedSystem,
    work: Work,
    z: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    lam: np.ndarray,
    tau: np.ndarray,
    gap: np.ndarray,
    by_z: np.ndarray,
    by_v: np.ndarray,
    by_a: np.ndarray,
    jac: np.ndarray,
) -> None:
    """Writes the same and the derivatives of tau by z, v, a [n, n] and of gap by z [m, n], all C-contiguous."""
    call_at(work.calls[DERIVATIVES], (system, work, z, v, a, lam, tau, gap, by_z, by_v, by_a, jac))
