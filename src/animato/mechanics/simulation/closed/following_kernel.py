"""Passive joints that close the loops: Newton's method, damped where loops cannot close.

A step solves [[1, J_u^T], [J_u, -mu^2]] (x, y) = (0, -gap): the least x that closes the loops to first order where some
rod spins idly, and with a small mu it stays finite in singular poses, too.
"""

from __future__ import annotations

import numpy as np

from animato.algebra.dense_lu import dense_factor
from animato.algebra.lu_vectors import solve_vector
from animato.kernels.compiled import addressed_kernel, kernel
from animato.mechanics.simulation.closed.memory import ClosedMemory
from animato.mechanics.simulation.dynamics import Work, put_forces, put_forces_and_derivatives
from animato.mechanics.simulation.system import PackedSystem

SMALL_DAMPING = 1e-7
"""Of the largest entry of the Jacobian: what is as good as singular is not told apart from it."""

_CLOSED = 1e-11  # [m, or a cosine]
_OPEN = 1e-9  # the same, of poses from which nothing is followed
_ITERATIONS = 40
_LARGEST_DAMPING = 1e3
_STRIDE = 0.1  # [rad or m] of the fastest motor between poses that are followed
_LONGEST = 0.3  # [rad or m] of a passive joint in one step of Newton
_MOST_PARTS = 200


@addressed_kernel
def factor_loops(memory: ClosedMemory, damping: float) -> None:
    """Factors the matrix from the Jacobian in memory.

    Args:
        memory: With the Jacobian of the gap.
        damping: Of its largest entry.
    """
    n_u, rows, matrix = len(memory.follow), memory.rows, memory.matrix
    largest = 0.0
    for r in range(len(rows)):
        for i in range(n_u):
            largest = max(largest, abs(memory.jac[rows[r], i]))
    mu = damping * (largest if largest > 0.0 else 1.0)
    for i in range(len(matrix)):
        for j in range(len(matrix)):
            matrix[i, j] = 0.0
    for i in range(n_u):
        matrix[i, i] = 1.0
    for r in range(len(rows)):
        for i in range(n_u):
            matrix[n_u + r, i] = memory.jac[rows[r], i]
            matrix[i, n_u + r] = memory.jac[rows[r], i]
        matrix[n_u + r, n_u + r] = -mu * mu
    dense_factor(matrix, memory.order)


@addressed_kernel
def solve_loops(memory: ClosedMemory) -> None:
    """Writes the least change of the passive joints that changes kept rows by `right[n_u:]`, to `change[:n_u]`."""
    for i in range(len(memory.follow)):
        memory.right[i] = 0.0
    solve_vector(memory.matrix, memory.order, memory.right, memory.change)


@kernel
def _size(gap: np.ndarray) -> float:
    total = 0.0
    for r in range(len(gap)):
        total += gap[r] * gap[r]
    return float(np.sqrt(total))


@addressed_kernel
def evaluate(
    system: PackedSystem,
    work: Work,
    memory: ClosedMemory,
    z: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    lam: np.ndarray,
    jac: np.ndarray,
) -> None:
    """Forces, gaps and derivatives of one moment, into memory; the Jacobian of the gap to `jac`."""
    found = (memory.by_z, memory.by_v, memory.by_a, jac)
    put_forces_and_derivatives(system, work, z, v, a, lam, memory.tau, memory.gap, *found)


@addressed_kernel
def put_load(
    system: PackedSystem, work: Work, memory: ClosedMemory, z: np.ndarray, v: np.ndarray, a: np.ndarray
) -> None:
    """Forces and gaps of one moment, into memory."""
    put_forces(system, work, z, v, a, memory.none, memory.tau, memory.gap)


@addressed_kernel
def _evaluate(system: PackedSystem, work: Work, memory: ClosedMemory, z: np.ndarray) -> float:
    """Gap and Jacobian at a pose, into memory; how large the gap is."""
    evaluate(system, work, memory, z, memory.zero, memory.zero, memory.none, memory.jac)
    return _size(memory.gap)


@addressed_kernel
def _put_step(memory: ClosedMemory, step: np.ndarray, damping: float) -> None:
    """Writes `change`: what passive joints should do while motors go on by `step` [n_p]."""
    n_u, rows = len(memory.follow), memory.rows
    factor_loops(memory, damping)
    for r in range(len(rows)):
        row = memory.jac[rows[r]]
        value = -memory.gap[rows[r]]
        for p in range(len(step)):
            value -= row[n_u + p] * step[p]
        memory.right[n_u + r] = value
    solve_loops(memory)
    largest = 0.0
    for i in range(n_u):
        largest = max(largest, abs(memory.change[i]))
    if largest > _LONGEST:
        for i in range(n_u):
            memory.change[i] *= _LONGEST / largest


@addressed_kernel
def _close(system: PackedSystem, work: Work, memory: ClosedMemory, pose: np.ndarray, step: np.ndarray) -> float:
    """Closes the loops of a pose whose motors go on by `step`; how far they stay open [m]."""
    n_u, trial = len(memory.follow), memory.trial
    damping = SMALL_DAMPING
    gap = _evaluate(system, work, memory, pose)
    _put_step(memory, step, damping)
    for i in range(n_u):
        pose[i] += memory.change[i]
    for p in range(len(step)):
        pose[n_u + p] += step[p]
        step[p] = 0.0
    gap = _evaluate(system, work, memory, pose)
    for _ in range(_ITERATIONS):
        if gap <= _CLOSED or not damping < _LARGEST_DAMPING:
            break
        _put_step(memory, step, damping)
        for i in range(len(pose)):
            trial[i] = pose[i] + (memory.change[i] if i < n_u else 0.0)
        there = _evaluate(system, work, memory, trial)
        if there < gap:
            pose[:] = trial
            gap, damping = there, max(0.1 * damping, SMALL_DAMPING)
        else:
            damping = max(100.0 * damping, 1e-3)
            gap = _evaluate(system, work, memory, pose)
    return gap


@kernel
def _far(z: np.ndarray, pose: np.ndarray, first: int) -> float:
    """How far motors are apart, the farthest one."""
    found = 0.0
    for p in range(first, len(z)):
        found = max(found, abs(z[p] - pose[p]))
    return found


@addressed_kernel
def follow_poses(
    system: PackedSystem, work: Work, memory: ClosedMemory, near: np.ndarray, z: np.ndarray, gaps: np.ndarray
) -> None:
    """Fills in the passive joints of poses, each followed from the nearer of a known one and the one before it.

    Args:
        system: What moves.
        work: Its memory.
        memory: Of one moment.
        near: Known poses, [k, n]; with one row only, each pose is followed from the one before it.
        z: Motors; written: passive joints that close the loops, or leave them open by the least, [k, n].
        gaps: Written: how far loops stay open [m], [k].
    """
    n_u, n = len(memory.follow), len(memory.zero)
    pose, step = memory.pose, np.zeros(n - n_u)
    pose[:] = near[0]
    for k in range(len(z)):
        if len(near) > 1 and (k == 0 or gaps[k - 1] > _OPEN or _far(z[k], near[k], n_u) <= _far(z[k], pose, n_u)):
            pose[:] = near[k]
        parts = int(min(max(np.ceil(_far(z[k], pose, n_u) / _STRIDE), 1.0), _MOST_PARTS))
        gap = 0.0
        for part in range(parts):
            for p in range(n - n_u):
                step[p] = (z[k, n_u + p] - pose[n_u + p]) / (parts - part)
            gap = _close(system, work, memory, pose, step)
        for i in range(n_u):
            z[k, i] = pose[i]
        for p in range(n_u, n):  # rounding of the way there is not to stay
            pose[p] = z[k, p]
        gaps[k] = gap


@addressed_kernel
def put_follow(system: PackedSystem, work: Work, memory: ClosedMemory, z: np.ndarray) -> None:
    """Leaves in memory, for a pose [n], Jacobian, factored matrix and B = dz_u / dz_p."""
    n_u, n, rows = len(memory.follow), len(memory.zero), memory.rows
    _evaluate(system, work, memory, z)
    factor_loops(memory, SMALL_DAMPING)
    for p in range(n - n_u):
        for r in range(len(rows)):
            memory.right[n_u + r] = -memory.jac[rows[r], n_u + p]
        solve_loops(memory)
        for i in range(n_u):
            memory.follow[i, p] = memory.change[i]
