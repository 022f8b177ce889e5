"""Reduced parts at one moment: their arms, their inertia and elasticity, and what the bend of their arms adds.

The six hinges of an arm are functions phi(a) of the part's modes, so W = dphi/da changes. With the forces f of the
hinges the modal forces are W^T f, whose derivative by a has the sum of f_h d2phi_h/da2 beside what the tree gives.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import addressed_kernel, inlined_kernel, kernel
from animato.kernels.separate import call_at
from animato.kernels.spatial_algebra import six_at, six_dot, six_plus
from animato.mechanics.flexible.interface import PackedInterfaces
from animato.mechanics.flexible.reduction import part_elastic_energy, part_energy
from animato.mechanics.simulation.dynamics.closures import add_wrenches
from animato.mechanics.simulation.dynamics.work import (
    ELASTICITY,
    INTERFACE,
    INTERFACES,
    MODES,
    ArmMemory,
    LoopMemory,
    Work,
)
from animato.mechanics.simulation.system import Loops, PackedSystem, PartStands
from animato.mechanics.tree import Walk


@addressed_kernel
def put_arms(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray, a: np.ndarray, derivatives: bool) -> None:
    """Writes hinges and weights of all arms, before the outward walk."""
    parts, found, walk = system.parts, work.parts, work.walk
    for p in range(len(system.stands.step)):
        first = system.stands.coordinate[p]
        r = parts.first_mode[p + 1] - parts.first_mode[p]
        last = first + r
        state = (z[first:last], v[first:last], a[first:last])
        call_at(work.calls[INTERFACES], (parts, found, p, *state, derivatives))
        for i in range(parts.first_interface[p], parts.first_interface[p + 1]):
            sign = system.stands.arm_sign[i]
            for h in range(6):
                s = system.stands.arm_step[i] + (h if sign > 0.0 else 5 - h)
                walk.q[s - 1], walk.v[s - 1] = sign * found.phi[i, h], sign * found.phi_v[i, h]
                walk.a[s - 1] = sign * found.phi_a[i, h]
                e, row = system.drive.entry_first[s], 6 * parts.interfaces.first[i] + h * r
                for k in range(r):
                    work.sums.weight[e + k] = sign * found.jac[row + k]
                    work.sums.weight_v[e + k] = sign * found.jac_v[row + k]
                    work.sums.weight_a[e + k] = sign * found.jac_a[row + k]


@addressed_kernel
def add_parts(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray, a: np.ndarray, derivatives: bool) -> None:
    """Adds the parts' inertia to their steps, between the walks, and writes their modal forces to the memory."""
    walk = work.walk
    for p in range(len(system.stands.step)):
        first = system.stands.coordinate[p]
        last = first + system.parts.first_mode[p + 1] - system.parts.first_mode[p]
        state, step = (z[first:last], v[first:last], a[first:last]), system.stands.step[p]
        moving = (walk.rotation, walk.position, walk.V, walk.A, walk.F, walk.inertia, walk.coriolis)
        call_at(work.calls[MODES], (system.parts, work.parts, p, *state, derivatives, step, *moving))
        call_at(work.calls[ELASTICITY], (system.parts, work.parts, p, state[0], state[1], derivatives))


@addressed_kernel
def add_part_derivatives(
    system: PackedSystem,
    work: Work,
    z: np.ndarray,
    lam: np.ndarray,
    by_z: np.ndarray,
    by_v: np.ndarray,
    by_a: np.ndarray,
) -> None:
    """Adds derivatives of modal forces by modes of the same part, after the inward walk."""
    parts, found = system.parts, work.parts
    _put_pulls(system.tree.parent, system.loops, work.loops, lam)
    for p in range(len(system.stands.step)):
        first, square = system.stands.coordinate[p], parts.first_square[p]
        r = parts.first_mode[p + 1] - parts.first_mode[p]
        for j in range(r):
            for k in range(r):
                at = square + r * j + k
                by_z[first + j, first + k] += found.forces_by_a[at]
                by_v[first + j, first + k] += found.forces_by_v[at]
                by_a[first + j, first + k] += found.forces_by_acc[at]
        for i in range(parts.first_interface[p], parts.first_interface[p + 1]):
            _put_hinge_forces(work.walk, work.loops.pull, system.stands, i, work.arms.force)
            modes = z[first : first + r]
            _add_arm_bend(parts.interfaces, work.arms, work.calls[INTERFACE], i, modes, by_z, first)


@inlined_kernel
def _put_pulls(parent: np.ndarray, loops: Loops, memory: LoopMemory, lam: np.ndarray) -> None:
    """Writes the wrenches of the loops on all that is behind each step."""
    pull = memory.pull
    for k in range(len(pull)):
        pull[k] = 0.0
    add_wrenches(loops, memory.wrench, lam, pull)
    for s in range(len(parent) - 1, 0, -1):
        for k in range(6):
            pull[6 * parent[s] + k] += pull[6 * s + k]


@inlined_kernel
def _put_hinge_forces(walk: Walk, pull: np.ndarray, stands: PartStands, i: int, force: np.ndarray) -> None:
    """Writes the forces of the six hinges of an arm, in the order of phi and with its sign."""
    sign = stands.arm_sign[i]
    for h in range(6):
        s = stands.arm_step[i] + (h if sign > 0.0 else 5 - h)
        behind = six_plus(six_at(walk.F, 6 * s), six_at(pull, 6 * s))
        force[h] = sign * six_dot(six_at(walk.S, 6 * (s - 1)), behind)


@kernel
def _add_arm_bend(
    interfaces: PackedInterfaces,
    arms: ArmMemory,
    address: int,
    i: int,
    modes: np.ndarray,
    by_z: np.ndarray,
    first: int,
) -> None:
    """Adds the sum of f_h d2phi_h/da2 of an arm: dW along each mode, one after the other."""
    r = len(modes)
    size = 6 * r
    jac, jac_v = arms.jac[:size].reshape(6, r), arms.jac[size : 2 * size].reshape(6, r)
    jac_a = arms.jac[2 * size : 3 * size].reshape(6, r)
    along, still = arms.modes[0, :r], arms.modes[1, :r]
    for k in range(r):
        along[k], still[k] = 0.0, 0.0
    for k in range(r):
        along[k] = 1.0
        found = (arms.phi[0], arms.phi[1], arms.phi[2], jac, jac_v, jac_a)
        call_at(address, (interfaces, i, modes, along, still, False, *found))
        along[k] = 0.0
        for h in range(6):
            for j in range(r):
                by_z[first + j, first + k] += arms.force[h] * jac_v[h, j]


@addressed_kernel
def put_part_energies(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray) -> None:
    """Adds kinetic, gravitational and elastic energy of all parts to the memory, after the outward walk."""
    walk, energies = work.walk, work.energies
    for p in range(len(system.stands.step)):
        first = system.stands.coordinate[p]
        last = first + system.parts.first_mode[p + 1] - system.parts.first_mode[p]
        moving, lifted = part_energy(
            system.parts,
            work.parts,
            p,
            z[first:last],
            v[first:last],
            system.stands.step[p],
            walk.rotation,
            walk.position,
            walk.V,
            system.tree.gravity,
        )
        energies[0] += moving
        energies[1] += lifted
        energies[2] += part_elastic_energy(system.parts, work.parts, p, z[first:last])
