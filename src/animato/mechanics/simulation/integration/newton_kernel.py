"""Newton's method for one moment: a step in time or a static equilibrium.

Both ask for unknowns u and multipliers lambda with

    tau_u(z, v, a, lambda) = 0,   gap(z) = 0,   z = (u, theta),   v_u = c1 u + v_past,   a_u = c2 u + a_past,

where c1 and c2 are those of the scheme and zero in statics. The matrix is

    [ S      s J_u^T ]        S = (by_z + c1 by_v + c2 by_a)_uu,   s = max |S_ii|,
    [ s J_u  0       ]

with lambda = s lambda', so that forces and loops are of one size whatever the step is (Bottasso, Dopico, Trainelli: On
the optimal scaling of index three DAEs in multibody dynamics, 2008).
"""

from __future__ import annotations

import numpy as np

from animato.algebra.dense_lu import dense_factor
from animato.algebra.lu_vectors import row_product, solve_vector
from animato.kernels.compiled import kernel
from animato.mechanics.simulation.dynamics import Work, put_forces, put_forces_and_derivatives
from animato.mechanics.simulation.integration.memory import (
    AGE,
    COEFFICIENT_A,
    COEFFICIENT_V,
    EVALUATIONS,
    FACTORS,
    ITERATIONS,
    RATE,
    ROW_SCALE,
    Memory,
    Settings,
)
from animato.mechanics.simulation.system import PackedSystem

_SLOW = 0.2  # a rate of convergence at which another matrix is worth its price
_TRUSTED_RATE = 0.02  # the best rate that is believed before it has been seen in the step itself
_STATIC_ITERATIONS = 40
_FLOW_ITERATIONS = 300


@kernel
def evaluate(system: PackedSystem, work: Work, memory: Memory, derivatives: bool) -> None:
    """Forces and gaps of the moment in memory; the only place that calls the dynamics, which are long to compile."""
    memory.counts[EVALUATIONS] += 1
    if derivatives:
        put_forces_and_derivatives(
            system,
            work,
            memory.z,
            memory.v,
            memory.a,
            memory.lam,
            memory.tau,
            memory.gap,
            memory.by_z,
            memory.by_v,
            memory.by_a,
            memory.jac,
        )
    else:
        put_forces(system, work, memory.z, memory.v, memory.a, memory.lam, memory.tau, memory.gap)


@kernel
def factor_step(memory: Memory, c1: float, c2: float) -> None:
    """Factors the matrix of a step from the derivatives in memory, and keeps the rows of the motors."""
    n_u, n, matrix, rows = len(memory.lengths), len(memory.z), memory.matrix, memory.rows
    scale = 0.0
    for i in range(n):
        by_z, by_v, by_a = memory.by_z[i], memory.by_v[i], memory.by_a[i]
        target = matrix[i] if i < n_u else memory.motor_rows[i - n_u]
        for j in range(n_u):
            target[j] = by_z[j] + c1 * by_v[j] + c2 * by_a[j]
        if i < n_u:
            scale = max(scale, abs(target[i]))
    if scale == 0.0:
        scale = 1.0
    for r in range(len(rows)):
        row = memory.jac[rows[r]]
        for i in range(n_u):
            matrix[n_u + r, i] = scale * row[i]
            matrix[i, n_u + r] = scale * row[i]
        for i in range(n_u, n):
            memory.motor_rows[i - n_u, n_u + r] = scale * row[i]
        for other in range(len(rows)):
            matrix[n_u + r, n_u + other] = 0.0
    dense_factor(matrix, memory.order)
    memory.numbers[ROW_SCALE] = scale
    memory.numbers[COEFFICIENT_V] = c1
    memory.numbers[COEFFICIENT_A] = c2
    memory.numbers[AGE] = 0.0
    memory.counts[FACTORS] += 1


@kernel
def put_change(memory: Memory) -> tuple[float, float]:
    """Solves for the change of the unknowns; returns its size as a displacement and the largest gap [m]."""
    n_u, scale, gap = len(memory.lengths), memory.numbers[ROW_SCALE], 0.0
    for i in range(n_u):
        memory.right[i] = -memory.tau[i]
    for r in range(len(memory.rows)):
        opening = memory.gap[memory.rows[r]]
        memory.right[n_u + r] = -scale * opening
        gap = max(gap, abs(opening))
    solve_vector(memory.matrix, memory.order, memory.right, memory.change)
    total = 0.0
    for i in range(n_u):
        total += (memory.lengths[i] * memory.change[i]) ** 2
    return np.sqrt(total), gap


@kernel
def apply_change(memory: Memory, part: float) -> None:
    """Adds a part of the change to the unknowns and multipliers."""
    n_u, scale = len(memory.lengths), memory.numbers[ROW_SCALE]
    for i in range(n_u):
        memory.z[i] += part * memory.change[i]
    for r in range(len(memory.rows)):
        memory.lam[memory.rows[r]] += part * scale * memory.change[n_u + r]


@kernel
def carry_motor_forces(memory: Memory) -> None:
    """Forces of the motors after the last change, from those before it."""
    n_u, size = len(memory.lengths), len(memory.change)
    for i in range(len(memory.motor_rows)):
        memory.tau[n_u + i] += row_product(memory.motor_rows[i], memory.change, 0, size)


@kernel
def put_velocities(memory: Memory, c1: float, c2: float) -> None:
    """Velocities and accelerations that the scheme gives to the unknowns in memory."""
    for i in range(len(memory.lengths)):
        memory.v[i] = c1 * memory.z[i] + memory.v_past[i]
        memory.a[i] = c2 * memory.z[i] + memory.a_past[i]


@kernel
def solve_step(system: PackedSystem, work: Work, memory: Memory, settings: Settings, c1: float, c2: float) -> bool:
    """Solves one step from the unknowns that were predicted; whether it converged.

    A factor is kept over steps as long as it converges well. Afterwards z, v, a, lambda are those of the step's end,
    and `tau` of the motors has been carried there by the same matrix.
    """
    numbers = memory.numbers
    stale = numbers[COEFFICIENT_V] != c1 or numbers[COEFFICIENT_A] != c2 or numbers[AGE] >= settings.keep
    rate, before = max(numbers[RATE], _TRUSTED_RATE), 0.0
    for iteration in range(settings.iterations):
        put_velocities(memory, c1, c2)
        evaluate(system, work, memory, stale)
        if stale:
            factor_step(memory, c1, c2)
            rate = min(rate, 0.5)
            stale = False
        size, gap = put_change(memory)
        memory.counts[ITERATIONS] += 1
        if not np.isfinite(size):
            return False
        if iteration > 0:
            rate = size / before
        apply_change(memory, 1.0)
        small = size <= 1e-3 * settings.tolerance
        close = rate < 0.9 and size * rate <= settings.tolerance * (1.0 - rate)
        if gap <= settings.gap_tolerance and (small or close):
            carry_motor_forces(memory)
            put_velocities(memory, c1, c2)
            numbers[AGE] += 1.0
            if iteration > 0 and not small:
                numbers[RATE] = rate
            return True
        if iteration > 0 and rate > _SLOW:
            if iteration > 3 and rate > 2.0:
                return False
            stale = True
        before = size
    return False


@kernel
def settle(system: PackedSystem, work: Work, memory: Memory, settings: Settings, flows: bool) -> bool:
    """Finds a static equilibrium near the unknowns in memory; whether it was found.

    Newton's method with bounded moves. Where it `flows`, the mass matrix times a falling number is added to the
    stiffness: the way of a body that is strongly damped, which leads to an equilibrium that is stable.
    """
    for i in range(len(memory.v)):
        memory.v[i] = 0.0
        memory.a[i] = 0.0
    drag, limit = 0.0, settings.largest_move
    if flows:
        drag = 1e4
    for _ in range(_FLOW_ITERATIONS if flows else _STATIC_ITERATIONS):
        evaluate(system, work, memory, True)
        factor_step(memory, 0.0, drag)
        size, gap = put_change(memory)
        memory.counts[ITERATIONS] += 1
        while flows and drag < 1e9 and not size <= limit:
            drag = max(10.0 * drag, 1.0)
            factor_step(memory, 0.0, drag)
            size, gap = put_change(memory)
        if not np.isfinite(size):
            return False
        apply_change(memory, min(1.0, limit / max(size, 1e-300)))
        if size <= settings.tolerance and gap <= settings.gap_tolerance and drag < 1e-6:
            carry_motor_forces(memory)
            return True
        drag = drag * 0.3 if drag > 1e-3 else 0.0
    return False
