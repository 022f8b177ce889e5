"""Forces of a system at one moment, and their exact first derivatives."""

from __future__ import annotations

import math

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
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
from animato.mechanics.simulation.system import PackedSystem


@inlined_kernel
def _put_hinges(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray, a: np.ndarray) -> None:
    """Writes position, speed and acceleration of all hinges."""
    walk, coordinate = work.walk, system.slot_coordinate
    for s in range(1, len(system.tree.parent)):
        position, speed, push = 0.0, 0.0, 0.0
        for e in range(system.entry_first[s], system.entry_first[s + 1]):
            i, weight = coordinate[system.entry_slot[e]], work.weight[e]
            position += weight * z[i]
            speed += weight * v[i]
            push += weight * a[i]
        walk.q[s - 1], walk.v[s - 1], walk.a[s - 1] = position, speed, push


@inlined_kernel
def _put_tau(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray, a: np.ndarray, tau: np.ndarray) -> None:
    """Writes forces of the tree, and adds modes, springs, rotors and friction."""
    for i in range(system.coordinate_count):
        tau[i] = system.armature[i] * a[i]
        if system.friction[i] != 0.0:
            tau[i] += system.friction[i] * math.tanh(v[i] / system.friction_speed)
    for c in range(len(system.slot_coordinate)):
        tau[system.slot_coordinate[c]] += work.slot_tau[c]
    for p in range(len(system.part_step)):
        for j in range(system.parts.first_mode[p], system.parts.first_mode[p + 1]):
            tau[system.part_coordinate[p] + j - system.parts.first_mode[p]] += work.parts.forces[j]
    for e in range(len(system.spring_row)):
        j = system.spring_column[e]
        force = system.spring_stiffness[e] * z[j] + system.spring_damping[e] * v[j] + system.spring_inertia[e] * a[j]
        tau[system.spring_row[e]] += force


@inlined_kernel
def walk_from(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray, a: np.ndarray, derivatives: bool) -> None:
    """Walks outward over all steps at coordinates z, speeds v and accelerations a."""
    _put_hinges(system, work, z, v, a)
    if len(system.part_step) > 0:
        call_at(work.calls[ARMS], (system, work, z, v, a, derivatives))
    call_at(work.calls[WALK], (system.tree, system.columns, work.walk, derivatives))
    if len(system.part_step) > 0:
        call_at(work.calls[PARTS], (system, work, z, v, a, derivatives))


@kernel
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
    put_gaps(system, work, gap)
    add_wrenches(system, work, lam)
    walk_forces_inward(system, work)
    _put_tau(system, work, z, v, a, tau)


@kernel
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
    put_gaps(system, work, gap)
    call_at(work.calls[INWARD], (system, work, by_z, by_v, by_a))
    _put_tau(system, work, z, v, a, tau)
    if len(lam) > 0:
        call_at(work.calls[CLOSURES], (system, work, lam, by_z, jac))
    if len(system.part_step) > 0:
        call_at(work.calls[PART_DERIVATIVES], (system, work, z, lam, by_z, by_v, by_a))
    for r in range(len(lam)):
        for i in range(system.coordinate_count):
            tau[i] += lam[r] * jac[r, i]
    for e in range(len(system.spring_row)):
        i, j = system.spring_row[e], system.spring_column[e]
        by_z[i, j] += system.spring_stiffness[e]
        by_v[i, j] += system.spring_damping[e]
        by_a[i, j] += system.spring_inertia[e]
    for i in range(system.coordinate_count):
        by_a[i, i] += system.armature[i]
        if system.friction[i] != 0.0:
            share = math.tanh(v[i] / system.friction_speed)
            by_v[i, i] += system.friction[i] * (1.0 - share * share) / system.friction_speed


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
