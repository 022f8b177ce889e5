"""What is asked of a system at one moment beside its forces: where tracked bodies are, and its energy."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import addressed_kernel, kernel
from animato.kernels.separate import call_at
from animato.kernels.spatial_algebra import angular_of, inertia_times, linear_of, six_at, six_dot, triple_dot
from animato.kernels.vectors import cross, matrix, matrix_at, plus, product, triple, triple_at, turned
from animato.mechanics.simulation.dynamics.forces import walk_from
from animato.mechanics.simulation.dynamics.work import ENERGY, OUTPUTS, PART_ENERGIES, Work
from animato.mechanics.simulation.system import Drive, Outputs, PackedSystem
from animato.mechanics.tree import PackedTree, Walk, step_inertia


@addressed_kernel
def outputs_kernel(
    tree: PackedTree,
    drive: Drive,
    outputs: Outputs,
    walk: Walk,
    weight: np.ndarray,
    points: np.ndarray,
    rotations: np.ndarray,
    point_jac: np.ndarray,
    rotation_jac: np.ndarray,
) -> None:
    """What `put_outputs` says."""
    point_jac[:] = 0.0
    rotation_jac[:] = 0.0
    for k in range(len(outputs.step)):
        s = outputs.step[k]
        R = matrix_at(walk.rotation, 9 * s)
        x = plus(triple_at(walk.position, 3 * s), turned(R, triple(outputs.point, k)))
        turn = product(R, matrix(outputs.rotation, k))
        for i in range(3):
            points[k, i] = x[i]
            for j in range(3):
                rotations[k, i, j] = turn[3 * i + j]
        while s > 0:
            S = six_at(walk.S, 6 * (s - 1))
            spin, speed = angular_of(S), plus(linear_of(S), cross(angular_of(S), x))
            for e in range(drive.entry_first[s], drive.entry_first[s + 1]):
                n = drive.slot_coordinate[drive.entry_slot[e]]
                for i in range(3):
                    point_jac[k, i, n] += weight[e] * speed[i]
                    rotation_jac[k, i, n] += weight[e] * spin[i]
            s = tree.parent[s]


@kernel
def put_outputs(
    system: PackedSystem,
    work: Work,
    points: np.ndarray,
    rotations: np.ndarray,
    point_jac: np.ndarray,
    rotation_jac: np.ndarray,
) -> None:
    """Writes where the tracked bodies are, after `put_forces` or `put_forces_and_derivatives`; in the world.

    Args:
        system: What moves.
        work: As the last call left it.
        points: Written: centres of mass [m], [k, 3].
        rotations: Written, [k, 3, 3].
        point_jac: Written: velocities of the points per unit of v, [k, 3, n].
        rotation_jac: Written: angular velocities per unit of v, [k, 3, n].
    """
    found = (points, rotations, point_jac, rotation_jac)
    call_at(work.calls[OUTPUTS], (system.tree, system.drive, system.outputs, work.walk, work.sums.weight, *found))


@addressed_kernel
def energy_kernel(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray) -> None:
    """Writes kinetic, gravitational and elastic energy to the memory."""
    walk, springs, energies = work.walk, system.springs, work.energies
    walk_from(system, work, z, v, work.still, False)
    energies[0], energies[1], energies[2] = 0.0, 0.0, 0.0
    if len(system.stands.step) > 0:
        call_at(work.calls[PART_ENERGIES], (system, work, z, v))
    pull = triple_at(system.tree.gravity, 0)
    for s in range(len(system.tree.parent)):
        V, inertia = six_at(walk.V, 6 * s), step_inertia(system.tree, s, walk.rotation, walk.position)
        energies[0] += 0.5 * six_dot(V, inertia_times(inertia, V))
        energies[1] -= triple_dot(pull, (inertia[1], inertia[2], inertia[3]))
    for i in range(len(z)):
        energies[0] += 0.5 * springs.armature[i] * v[i] * v[i]
    for e in range(len(springs.row)):
        i, j = springs.row[e], springs.column[e]
        energies[2] += 0.5 * springs.stiffness[e] * z[i] * z[j]


@kernel
def put_energy(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray) -> tuple[float, float, float]:
    """Kinetic, gravitational and elastic energy [J] at coordinates z [n] and speeds v [n]; overwrites the memory."""
    call_at(work.calls[ENERGY], (system, work, z, v))
    return work.energies[0], work.energies[1], work.energies[2]
