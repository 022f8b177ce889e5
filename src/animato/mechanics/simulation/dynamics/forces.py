"""Forces of a system at one moment, and their exact first derivatives."""

from __future__ import annotations

import math

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.mechanics.simulation.dynamics.closures import add_closures, add_wrenches, put_gaps
from animato.mechanics.simulation.dynamics.inward import give_slots, walk_forces_inward, walk_inward
from animato.mechanics.simulation.dynamics.work import Work
from animato.mechanics.simulation.system import PackedSystem
from animato.mechanics.tree import walk_moment_outward


@inlined_kernel
def put_hinges(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray, a: np.ndarray) -> None:
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
    """Writes forces of the tree, and adds springs, rotors and friction."""
    for i in range(system.coordinate_count):
        tau[i] = system.armature[i] * a[i]
        if system.friction[i] != 0.0:
            tau[i] += system.friction[i] * math.tanh(v[i] / system.friction_speed)
    for c in range(len(system.slot_coordinate)):
        tau[system.slot_coordinate[c]] += work.slot_tau[c]
    for e in range(len(system.spring_row)):
        j = system.spring_column[e]
        force = system.spring_stiffness[e] * z[j] + system.spring_damping[e] * v[j] + system.spring_inertia[e] * a[j]
        tau[system.spring_row[e]] += force


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
    put_hinges(system, work, z, v, a)
    walk_moment_outward(system.tree, system.columns, work.walk, False)
    put_gaps(system, work, gap)
    add_wrenches(system, work, lam)
    walk_forces_inward(system, work)
    _put_tau(system, work, z, v, a, tau)


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
    put_hinges(system, work, z, v, a)
    walk_moment_outward(system.tree, system.columns, work.walk, True)
    put_gaps(system, work, gap)
    walk_inward(system, work)
    _put_tau(system, work, z, v, a, tau)
    give_slots(system, work, by_z, by_v, by_a)
    add_closures(system, work, lam, by_z, jac)
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
