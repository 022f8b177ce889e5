"""What is asked of a system at one moment beside its forces: where tracked bodies are, and its energy."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.kernels.separate import call_at
from animato.kernels.spatial_algebra import angular_of, inertia_times, linear_of, six_at, six_dot, triple_dot
from animato.kernels.vectors import cross, matrix, matrix_at, plus, product, triple, triple_at, turned
from animato.mechanics.simulation.dynamics.forces import walk_from
from animato.mechanics.simulation.dynamics.work import PART_ENERGIES, Work
from animato.mechanics.simulation.system import PackedSystem
from animato.mechanics.tree import step_inertia


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
    point_jac[:] = 0.0
    rotation_jac[:] = 0.0
    for k in range(len(system.output_step)):
        s = system.output_step[k]
        R = matrix_at(work.walk.rotation, 9 * s)
        x = plus(triple_at(work.walk.position, 3 * s), turned(R, triple(system.output_point, k)))
        turn = product(R, matrix(system.output_rotation, k))
        for i in range(3):
            points[k, i] = x[i]
            for j in range(3):
                rotations[k, i, j] = turn[3 * i + j]
        while s > 0:
            S = six_at(work.walk.S, 6 * (s - 1))
            spin, speed = angular_of(S), plus(linear_of(S), cross(angular_of(S), x))
            for e in range(system.entry_first[s], system.entry_first[s + 1]):
                n, weight = system.slot_coordinate[system.entry_slot[e]], work.weight[e]
                for i in range(3):
                    point_jac[k, i, n] += weight * speed[i]
                    rotation_jac[k, i, n] += weight * spin[i]
            s = system.tree.parent[s]


@kernel
def put_energy(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray) -> tuple[float, float, float]:
    """Kinetic, gravitational and elastic energy [J] at coordinates z [n] and speeds v [n]; overwrites the memory."""
    still = np.zeros(len(z))
    walk_from(system, work, z, v, still, False)
    kinetic, potential, elastic = 0.0, 0.0, 0.0
    pull = triple_at(system.tree.gravity, 0)
    for s in range(len(system.tree.parent)):
        V, inertia = (
            six_at(work.walk.V, 6 * s),
            step_inertia(system.tree, s, work.walk.rotation, work.walk.position),
        )
        kinetic += 0.5 * six_dot(V, inertia_times(inertia, V))
        potential -= triple_dot(pull, (inertia[1], inertia[2], inertia[3]))
    if len(system.part_step) > 0:
        call_at(work.calls[PART_ENERGIES], (system, work, z, v))
        kinetic += work.energies[0]
        potential += work.energies[1]
        elastic += work.energies[2]
    for i in range(len(z)):
        kinetic += 0.5 * system.armature[i] * v[i] * v[i]
    for e in range(len(system.spring_row)):
        i, j = system.spring_row[e], system.spring_column[e]
        elastic += 0.5 * system.spring_stiffness[e] * z[i] * z[j]
        kinetic += 0.5 * system.spring_inertia[e] * v[i] * v[j]
    return kinetic, potential, elastic
