"""Motors and passive joints at closed poses: velocities, accelerations, torques and how these change.

With z = (u, theta), B = dz_u / dtheta and rows gap(z) = 0 of the loops, whose Jacobian is J,

    v = B theta',      J a = -v^T gap'' v,      tau = B^T f(z, v, a),

f the forces of the tree. With multipliers lambda for which f_u + J_u^T lambda = 0 and F = f + J^T lambda,

    dtau = B^T (F_z dz + F_v dv + F_a da),      J dv = -J'[v] dz,
    J da = -(J'[a] + J''[v, v]) dz - 2 J'[v] dv,

because B^T J^T = 0. J' and J'' along one direction are differences of the exact Jacobian over five poses, of fourth
order: their error is 1e-10.
"""

from __future__ import annotations

import numpy as np

from animato.algebra.lu_vectors import solve_vector
from animato.kernels.compiled import addressed_kernel, kernel
from animato.mechanics.simulation.closed.following_kernel import evaluate, put_follow, put_load, solve_loops
from animato.mechanics.simulation.closed.memory import ClosedMemory
from animato.mechanics.simulation.dynamics import Work, put_outputs
from animato.mechanics.simulation.system import PackedSystem

_STEP = 4e-3  # [rad or m] of the fastest coordinate, between poses that are compared
_PLACES = (-2.0, -1.0, 1.0, 2.0)
_FIRST = (1.0 / 12.0, -8.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0)
_SECOND = (-1.0 / 12.0, 16.0 / 12.0, 16.0 / 12.0, -1.0 / 12.0)
_MIDDLE = -30.0 / 12.0


@kernel
def _largest(values: np.ndarray) -> float:
    found = 0.0
    for i in range(len(values)):
        found = max(found, abs(values[i]))
    return found


@addressed_kernel
def _put_motion(
    system: PackedSystem, work: Work, memory: ClosedMemory, z: np.ndarray, v: np.ndarray, a: np.ndarray
) -> None:
    """Fills in velocities and accelerations of the passive joints; leaves in memory what `put_follow` does."""
    n_u, n, rows = len(memory.follow), len(memory.zero), memory.rows
    put_follow(system, work, memory, z)
    for i in range(n_u):
        v[i] = 0.0
        for p in range(n - n_u):
            v[i] += memory.follow[i, p] * v[n_u + p]
    for r in range(len(rows)):
        row = memory.jac[rows[r]]
        memory.right[n_u + r] = 0.0
        for p in range(n_u, n):
            memory.right[n_u + r] -= row[p] * a[p]
    speed = _largest(v)
    if speed > 0.0:
        for r in range(len(rows)):
            memory.lam[r] = _MIDDLE * memory.gap[rows[r]]
        gap = memory.gap
        for s in range(4):
            for i in range(n):
                memory.trial[i] = z[i] + _PLACES[s] * _STEP * v[i] / speed
            put_load(system, work, memory, memory.trial, memory.zero, memory.zero)
            for r in range(len(rows)):
                memory.lam[r] += _SECOND[s] * gap[rows[r]]
        for r in range(len(rows)):
            memory.right[n_u + r] -= memory.lam[r] * (speed / _STEP) ** 2
    solve_loops(memory)
    for i in range(n_u):
        a[i] = memory.change[i]


@addressed_kernel
def _put_motor_torques(memory: ClosedMemory, tau: np.ndarray, torques: np.ndarray) -> None:
    """Writes B^T tau, [n_p]."""
    n_u = len(memory.follow)
    for p in range(len(torques)):
        torques[p] = tau[n_u + p]
        for i in range(n_u):
            torques[p] += memory.follow[i, p] * tau[i]


@addressed_kernel
def put_moments(
    system: PackedSystem,
    work: Work,
    memory: ClosedMemory,
    z: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    torques: np.ndarray,
    forces: np.ndarray,
    jacobians: np.ndarray,
) -> None:
    """Motion and torques at closed poses.

    Args:
        system: What moves.
        work: Its memory.
        memory: Of one moment.
        z: Closed poses, [k, n].
        v: Velocities of the motors; written: of the passive joints, [k, n].
        a: The same of accelerations, [k, n].
        torques: Written: of the motors [N m or N], [k, n_p].
        forces: Written: along all coordinates, were the loops cut [N m or N], [k, n]; left out where it has no moment.
        jacobians: Written: of the gaps, [k, m, n]; left out with the forces.
    """
    for k in range(len(z)):
        _put_motion(system, work, memory, z[k], v[k], a[k])
        put_load(system, work, memory, z[k], v[k], a[k])
        _put_motor_torques(memory, memory.tau, torques[k])
        if len(forces) > 0:
            forces[k] = memory.tau
            jacobians[k] = memory.jac


@addressed_kernel
def _put_changes_along(
    system: PackedSystem,
    work: Work,
    memory: ClosedMemory,
    z: np.ndarray,
    way: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
) -> None:
    """How the kept rows of the Jacobian change along a way, once [r, n] and twice [r, n]; needs it in memory."""
    rows, n = memory.rows, len(z)
    size = _largest(way)
    for r in range(len(rows)):
        for i in range(n):
            first[r, i] = 0.0
            second[r, i] = _MIDDLE * memory.jac[rows[r], i]
    if size == 0.0:
        second[:] = 0.0
        return
    for s in range(4):
        for i in range(n):
            memory.trial[i] = z[i] + _PLACES[s] * _STEP * way[i] / size
        evaluate(system, work, memory, memory.trial, memory.zero, memory.zero, memory.none, memory.other)
        for r in range(len(rows)):
            for i in range(n):
                first[r, i] += _FIRST[s] * memory.other[rows[r], i]
                second[r, i] += _SECOND[s] * memory.other[rows[r], i]
    for r in range(len(rows)):
        for i in range(n):
            first[r, i] *= size / _STEP
            second[r, i] *= (size / _STEP) ** 2


@addressed_kernel
def _put_multipliers(memory: ClosedMemory) -> None:
    """Multipliers with which the forces in memory leave nothing to the passive joints."""
    n_u, rows = len(memory.follow), memory.rows
    for i in range(n_u):
        memory.right[i] = -memory.tau[i]
    for r in range(len(rows)):
        memory.right[n_u + r] = 0.0
    solve_vector(memory.matrix, memory.order, memory.right, memory.change)
    memory.lam[:] = 0.0
    for r in range(len(rows)):
        memory.lam[rows[r]] = memory.change[n_u + r]


@addressed_kernel
def _row_by_motor(memory: ClosedMemory, row: np.ndarray, p: int) -> float:
    """A row over coordinates [n] times column p of (B, 1)."""
    n_u = len(memory.follow)
    found = row[n_u + p]
    for i in range(n_u):
        found += row[i] * memory.follow[i, p]
    return float(found)


@addressed_kernel
def _put_motion_changes(memory: ClosedMemory, v_by_q: np.ndarray, a_by_q: np.ndarray) -> None:
    """How velocities and accelerations of the passive joints change with the motors' positions, [n_u, n_p] each."""
    n_u, r_count = len(memory.follow), len(memory.rows)
    for p in range(v_by_q.shape[1]):
        for r in range(r_count):
            memory.right[n_u + r] = -_row_by_motor(memory, memory.along_v[r], p)
        solve_loops(memory)
        for i in range(n_u):
            v_by_q[i, p] = memory.change[i]
        for r in range(r_count):
            value = _row_by_motor(memory, memory.along_a[r], p) + _row_by_motor(memory, memory.bend[r], p)
            for i in range(n_u):
                value += 2.0 * memory.along_v[r, i] * v_by_q[i, p]
            memory.right[n_u + r] = -value
        solve_loops(memory)
        for i in range(n_u):
            a_by_q[i, p] = memory.change[i]


@addressed_kernel
def _put_projected(memory: ClosedMemory, out: np.ndarray) -> None:
    """Writes B^T push, [n_p, n_p]."""
    n_u, count = len(memory.follow), len(out)
    for p in range(count):
        for c in range(count):
            value = memory.push[n_u + p, c]
            for i in range(n_u):
                value += memory.follow[i, p] * memory.push[i, c]
            out[p, c] = value


@addressed_kernel
def _put_torque_changes(
    memory: ClosedMemory,
    v_by_q: np.ndarray,
    a_by_q: np.ndarray,
    by_q: np.ndarray,
    by_v: np.ndarray,
    by_a: np.ndarray,
) -> None:
    """Derivatives of the motors' torques from those of all forces in memory, [n_p, n_p] each."""
    n, n_u, push = len(memory.zero), len(memory.follow), memory.push
    for i in range(n):
        for p in range(n - n_u):
            push[i, p] = _row_by_motor(memory, memory.by_z[i], p)
            for j in range(n_u):
                push[i, p] += memory.by_v[i, j] * v_by_q[j, p] + memory.by_a[i, j] * a_by_q[j, p]
    _put_projected(memory, by_q)
    for i in range(n):
        for p in range(n - n_u):
            push[i, p] = _row_by_motor(memory, memory.by_v[i], p)
            for j in range(n_u):
                push[i, p] += 2.0 * memory.by_a[i, j] * v_by_q[j, p]
    _put_projected(memory, by_v)
    for i in range(n):
        for p in range(n - n_u):
            push[i, p] = _row_by_motor(memory, memory.by_a[i], p)
    _put_projected(memory, by_a)


@addressed_kernel
def put_moment_derivatives(
    system: PackedSystem,
    work: Work,
    memory: ClosedMemory,
    z: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    torques: np.ndarray,
    follow: np.ndarray,
    v_by_q: np.ndarray,
    a_by_q: np.ndarray,
    by_q: np.ndarray,
    by_v: np.ndarray,
    by_a: np.ndarray,
) -> None:
    """The same as `put_moments`, with derivatives by positions, velocities and accelerations of the motors.

    Args:
        system: What moves.
        work: Its memory.
        memory: Of one moment.
        z: Closed poses, [k, n].
        v: Velocities of the motors; written: of the passive joints, [k, n].
        a: The same of accelerations, [k, n].
        torques: Written: of the motors [N m or N], [k, n_p].
        follow: Written: positions of the passive joints by those of the motors, [k, n_u, n_p]; the same holds for
            velocities by velocities and accelerations by accelerations.
        v_by_q: Written: velocities of the passive joints by positions, [k, n_u, n_p]; accelerations by velocities are
            twice as much.
        a_by_q: Written: accelerations of the passive joints by positions, [k, n_u, n_p].
        by_q: Written: torques by positions, [k, n_p, n_p].
        by_v: Written: by velocities, [k, n_p, n_p].
        by_a: Written: by accelerations, [k, n_p, n_p].
    """
    for k in range(len(z)):
        _put_motion(system, work, memory, z[k], v[k], a[k])
        follow[k] = memory.follow
        _put_changes_along(system, work, memory, z[k], a[k], memory.along_a, memory.bend)
        _put_changes_along(system, work, memory, z[k], v[k], memory.along_v, memory.bend)
        _put_motion_changes(memory, v_by_q[k], a_by_q[k])
        put_load(system, work, memory, z[k], v[k], a[k])
        _put_motor_torques(memory, memory.tau, torques[k])
        _put_multipliers(memory)
        evaluate(system, work, memory, z[k], v[k], a[k], memory.lam, memory.other)
        _put_torque_changes(memory, v_by_q[k], a_by_q[k], by_q[k], by_v[k], by_a[k])


@addressed_kernel
def put_points(
    system: PackedSystem,
    work: Work,
    memory: ClosedMemory,
    z: np.ndarray,
    places: np.ndarray,
    jacobians: np.ndarray,
) -> None:
    """Where tracked points are at closed poses, and how they move with the motors.

    Args:
        system: What moves, with points in its outputs.
        work: Its memory.
        memory: Of one moment.
        z: Closed poses, [k, n].
        places: Written [m], [k, point, 3].
        jacobians: Written, [k, n_p, point, 3]; with no moment in it they are left out.
    """
    count, n_u, n = len(system.outputs.step), len(memory.follow), len(memory.zero)
    turns, moves, spins = np.zeros((count, 3, 3)), np.zeros((count, 3, n)), np.zeros((count, 3, n))
    for k in range(len(z)):
        put_follow(system, work, memory, z[k])
        put_outputs(system, work, places[k], turns, moves, spins)
        if len(jacobians) > 0:
            for p in range(n - n_u):
                for point in range(count):
                    for x in range(3):
                        jacobians[k, p, point, x] = _row_by_motor(memory, moves[point, x], p)
