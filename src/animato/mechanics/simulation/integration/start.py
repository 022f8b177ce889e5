"""The first moment of a run: at rest by statics, or any other with accelerations that fit."""

from __future__ import annotations

import numpy as np

from animato.errors import MechanismError
from animato.mechanics.simulation.integration.memory import OPEN
from animato.mechanics.simulation.integration.preparation import Prepared, derivatives
from animato.mechanics.simulation.integration.statics import settle_at
from animato.mechanics.simulation.integration.trajectory import State


def put_start(prepared: Prepared, motors: np.ndarray, start: State | None) -> None:
    """Leaves in memory the first moment of a run.

    Args:
        prepared: System and memory.
        motors: theta, its velocity and acceleration, [3, n_p].
        start: Unknowns and velocities; the static equilibrium, at rest, where not given.
    """
    memory, system = prepared.memory, prepared.system
    n_u = system.unknown_count
    if start is None:
        settle_at(prepared, motors[0])
    else:
        memory.u_old[:], memory.v_old[:], memory.lam_old[:] = start.u, start.v, start.lam
        memory.numbers[:] = 0.0
    memory.z[:n_u], memory.v[:n_u] = memory.u_old[0], memory.v_old[0]
    memory.z[n_u:], memory.v[n_u:], memory.a[n_u:] = motors
    a, lam, tau = accelerations(prepared, memory.z, memory.v, memory.a[n_u:])
    memory.a[:n_u], memory.lam[:], memory.tau[:] = a, lam, tau
    memory.a_old[:] = a
    memory.a_smooth[:] = a
    memory.lam_old[:] = lam


def accelerations(
    prepared: Prepared, z: np.ndarray, v: np.ndarray, motor_accelerations: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Accelerations of the unknowns [n_u], multipliers [m] and forces [n] at given positions and velocities.

    From M a + J^T lambda = -h and J a = -d(J)/dt v, with least multipliers where loops are redundant.

    Args:
        prepared: System and its memory.
        z: Coordinates that close the loops, [n].
        v: Velocities that keep them closed, [n].
        motor_accelerations: [n_p].

    Raises:
        MechanismError: The loops are open.
    """
    system, work = prepared.system, prepared.work
    n_u, n = system.unknown_count, system.coordinate_count
    none = np.zeros(system.row_count)
    a = np.zeros(n)
    a[n_u:] = motor_accelerations
    still = derivatives(system, work, z, v, a, none)
    if np.max(np.abs(still.gap), initial=0.0) > OPEN:
        raise MechanismError(
            f"The loops of '{system.character.name}' are open by {np.max(np.abs(still.gap)):.2g} m at the start; "
            "begin from a pose that closes them."
        )
    curvature = gap_curvature(prepared, z, v)
    rows = prepared.memory.rows
    J = still.jac[rows]
    size = n_u + len(rows)
    matrix = np.zeros((size, size))
    matrix[:n_u, :n_u] = still.by_a[:n_u, :n_u]
    matrix[n_u:, :n_u] = J[:, :n_u]
    matrix[:n_u, n_u:] = J[:, :n_u].T
    right = np.concatenate([-still.tau[:n_u], -curvature[rows] - J[:, n_u:] @ motor_accelerations])
    found = np.linalg.solve(matrix, right) if size else right
    lam = none.copy()
    lam[rows] = found[n_u:]
    a[:n_u] = found[:n_u]
    tau = still.tau + still.by_a[:, :n_u] @ found[:n_u] + still.jac.T @ lam
    return found[:n_u], lam, tau


def gap_curvature(prepared: Prepared, z: np.ndarray, v: np.ndarray) -> np.ndarray:
    """d2(gap)/dt2 without accelerations, v^T d2(gap)/dz2 v, [m].

    The second derivative of a row is what its multiplier adds to the derivative of the forces by z.
    """
    system, m = prepared.system, prepared.system.row_count
    found = np.zeros(m)
    if m == 0 or not np.any(v):
        return found
    still = np.zeros(len(z))
    base = derivatives(system, prepared.work, z, still, still, np.zeros(m)).by_z
    for r, unit in enumerate(np.eye(m)):
        by_z = derivatives(system, prepared.work, z, still, still, unit).by_z
        found[r] = v @ (by_z - base) @ v
    return found
