"""Reduced parts at one moment: their arms, their inertia and elasticity, and what the bend of their arms adds.

The six hinges of an arm are functions phi(a) of the part's modes, so W = dphi/da changes. With the forces f of the
hinges the modal forces are W^T f, whose derivative by a has the sum of f_h d2phi_h/da2 beside what the tree gives.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import addressed_kernel, kernel
from animato.kernels.spatial_algebra import six_at, six_dot, six_plus
from animato.mechanics.flexible.interface import put_interface_motion
from animato.mechanics.flexible.reduction import (
    add_part_elasticity,
    part_elastic_energy,
    part_energy,
    put_modal_inertia,
    put_part_interfaces,
)
from animato.mechanics.simulation.dynamics.work import Work
from animato.mechanics.simulation.system import PackedSystem


@addressed_kernel
def put_arms(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray, a: np.ndarray, derivatives: bool) -> None:
    """Writes hinges and weights of all arms, before the outward walk."""
    parts, found, walk = system.parts, work.parts, work.walk
    for p in range(len(system.stands.step)):
        first = system.stands.coordinate[p]
        r = parts.first_mode[p + 1] - parts.first_mode[p]
        last = first + r
        put_part_interfaces(parts, found, p, z[first:last], v[first:last], a[first:last], derivatives)
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
        put_modal_inertia(
            system.parts,
            work.parts,
            p,
            z[first:last],
            v[first:last],
            a[first:last],
            derivatives,
            system.stands.step[p],
            walk.rotation,
            walk.position,
            walk.V,
            walk.A,
            walk.F,
            walk.inertia,
            walk.coriolis,
        )
        add_part_elasticity(system.parts, work.parts, p, z[first:last], v[first:last], derivatives)


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
    _put_pulls(system, work, lam)
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
            _add_arm_bend(system, work, i, first, r, z, by_z)


@kernel
def _put_pulls(system: PackedSystem, work: Work, lam: np.ndarray) -> None:
    """Writes the wrenches of the loops on all that is behind each step."""
    pull, tree = work.loops.pull, system.tree
    for k in range(len(pull)):
        pull[k] = 0.0
    for q in range(len(system.loops.common)):
        first, second = 6 * system.loops.steps[q, 0], 6 * system.loops.steps[q, 1]
        for r in range(system.loops.first[q], system.loops.first[q + 1]):
            for k in range(6):
                pull[second + k] += lam[r] * work.loops.wrench[r, k]
                pull[first + k] -= lam[r] * work.loops.wrench[r, k]
    for s in range(len(tree.parent) - 1, 0, -1):
        for k in range(6):
            pull[6 * tree.parent[s] + k] += pull[6 * s + k]


@kernel
def _add_arm_bend(
    system: PackedSystem, work: Work, i: int, first: int, r: int, z: np.ndarray, by_z: np.ndarray
) -> None:
    """Adds the sum of f_h d2phi_h/da2 of an arm: dW along each mode, one after the other."""
    size, sign, walk = 6 * r, system.stands.arm_sign[i], work.walk
    jac, jac_v = work.arms.jac[:size].reshape(6, r), work.arms.jac[size : 2 * size].reshape(6, r)
    jac_a = work.arms.jac[2 * size : 3 * size].reshape(6, r)
    along, still = work.arms.modes[0, :r], work.arms.modes[1, :r]
    for k in range(r):
        along[k], still[k] = 0.0, 0.0
    for k in range(r):
        along[k] = 1.0
        put_interface_motion(
            system.parts.interfaces,
            i,
            z[first : first + r],
            along,
            still,
            False,
            work.arms.phi[0],
            work.arms.phi[1],
            work.arms.phi[2],
            jac,
            jac_v,
            jac_a,
        )
        along[k] = 0.0
        for h in range(6):
            s = system.stands.arm_step[i] + (h if sign > 0.0 else 5 - h)
            behind = six_plus(six_at(walk.F, 6 * s), six_at(work.loops.pull, 6 * s))
            force = sign * six_dot(six_at(walk.S, 6 * (s - 1)), behind)
            for j in range(r):
                by_z[first + j, first + k] += force * jac_v[h, j]


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
