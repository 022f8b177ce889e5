"""Newton's method for one moment: a step in time or a static equilibrium.

Both ask for unknowns u and multipliers lambda with

    tau_u(z, v, a, lambda) = 0,   gap(z) = 0,   z = (u, theta),   v_u = c1 u + v_past,   a_u = c2 u + a_past,

where c1 and c2 are those of the scheme and zero in statics. The matrix is

    [ S      s J_u^T ]        S = (by_z + c1 by_v + c2 by_a)_uu,   s = max |S_ii|,
    [ s J_u  0       ]

with lambda = s lambda', so that forces and loops are of one size whatever the step is (Bottasso, Dopico, Trainelli: On
the optimal scaling of index three DAEs in multibody dynamics, 2008).

What is here works on arrays; whoever iterates evaluates the forces in between. That keeps the dynamics, which are long
to compile, out of every function but one.
"""

from __future__ import annotations

import numpy as np

from animato.algebra.dense_lu import dense_factor
from animato.algebra.lu_vectors import row_product, solve_vector
from animato.kernels.compiled import kernel
from animato.mechanics.simulation.integration.memory import (
    AGE,
    COEFFICIENT_A,
    COEFFICIENT_V,
    DRAG,
    FACTORS,
    ITERATION,
    ITERATIONS,
    LAST_SIZE,
    LEFT,
    RATE,
    ROW_SCALE,
    STALE,
    STATIC,
    Memory,
    Settings,
)

ONGOING, ARRIVED, LOST = range(3)
"""What an iteration comes to."""

_SLOW = 2.0  # a rate of convergence at which another matrix is due at once
_MANY = 2.0
_PATIENCE = 4.0  # iterations with an old one, after which a new one is cheaper
_LEAST_RATE, _CURVED = 1e-4, 0.02  # of a factor that is not old; [m]
_TRUSTED_RATE = 0.02  # the best rate that is believed before it has been seen in the step itself
_STATIC_ITERATIONS = 40
_FLOW_ITERATIONS = 300
_FIRST_DRAG, _LARGEST_DRAG, _LEAST_DRAG = 1e4, 1e9, 1e-3  # [1/s^2]


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
def apply_change(memory: Memory, c1: float, c2: float, part: float) -> None:
    """Adds a part of the change to unknowns and multipliers, and carries velocities and forces of motors along."""
    n_u, scale, size = len(memory.lengths), memory.numbers[ROW_SCALE], len(memory.change)
    for i in range(n_u):
        memory.z[i] += part * memory.change[i]
        memory.v[i] = c1 * memory.z[i] + memory.v_past[i]
        memory.a[i] = c2 * memory.z[i] + memory.a_past[i]
    for r in range(len(memory.rows)):
        memory.lam[memory.rows[r]] += part * scale * memory.change[n_u + r]
    for i in range(len(memory.motor_rows)):
        memory.tau[n_u + i] += part * row_product(memory.motor_rows[i], memory.change, 0, size)


@kernel
def begin_iterations(memory: Memory, settings: Settings, c1: float, c2: float, flows: bool) -> None:
    """Forgets the last step's iterations. A factor is kept as long as it is of this step's size and converges well."""
    numbers = memory.numbers
    numbers[ITERATION] = 0.0
    numbers[DRAG] = _FIRST_DRAG if flows else 0.0
    other = numbers[COEFFICIENT_V] != c1 or numbers[COEFFICIENT_A] != c2 or numbers[AGE] >= settings.keep
    numbers[STALE] = 1.0 if other or settings.scheme == STATIC else 0.0
    numbers[RATE] = max(numbers[RATE], _TRUSTED_RATE)


@kernel
def iterate(memory: Memory, settings: Settings, c1: float, c2: float) -> int:
    """One iteration in time, from forces in memory; where the factor was stale, from their derivatives too.

    When it has arrived z, v, a, lambda are those of the step's end, and `tau` of the motors has been carried there.
    """
    numbers = memory.numbers
    fresh = numbers[STALE] != 0.0
    if fresh:
        factor_step(memory, c1, c2)
        numbers[STALE] = 0.0
    size, gap = put_change(memory)
    memory.counts[ITERATIONS] += 1
    first = numbers[ITERATION] == 0.0
    rate = numbers[RATE] if first else size / numbers[LAST_SIZE]
    if numbers[ITERATION] == 2.0:
        rate = max(rate, min(numbers[RATE], 0.5))
    # With its own derivatives Newton's method is quadratic: what is left is to the change as that is to the size of
    # the motion at which things bend.
    left = max(_LEAST_RATE, size / _CURVED) if fresh else rate
    numbers[LEFT] = min(left, 1.0)
    if not np.isfinite(size) or (numbers[ITERATION] > 3.0 and rate > 2.0):
        return LOST
    apply_change(memory, c1, c2, 1.0)
    small = size <= 1e-3 * settings.tolerance
    close = left < 0.9 and size * left <= settings.tolerance * (1.0 - left)
    if not (small or fresh):
        numbers[RATE] = rate
    if gap * numbers[LEFT] <= settings.gap_tolerance and (small or close):
        # A factor that needed many iterations would need more of them next time.
        numbers[AGE] = settings.keep if numbers[ITERATION] >= _MANY else numbers[AGE] + 1.0
        return ARRIVED
    # With loops an old factor brings errors of unknowns and of multipliers down in turns, so single rates say little.
    if (not first and rate > _SLOW) or numbers[ITERATION] >= _PATIENCE:
        numbers[STALE] = 1.0
    numbers[LAST_SIZE] = size
    numbers[ITERATION] += 1.0
    return ONGOING if numbers[ITERATION] < settings.iterations else LOST


@kernel
def settle(memory: Memory, settings: Settings, flows: bool) -> int:
    """One iteration towards a static equilibrium, from forces and derivatives in memory.

    Newton's method with bounded moves. Where it `flows`, the mass matrix times a falling number is added to the
    stiffness: the way of a body that is strongly damped, which leads to an equilibrium that is stable.
    """
    numbers, limit = memory.numbers, settings.largest_move
    factor_step(memory, 0.0, numbers[DRAG])
    size, gap = put_change(memory)
    while flows and numbers[DRAG] < _LARGEST_DRAG and not size <= limit:
        numbers[DRAG] = max(10.0 * numbers[DRAG], 1.0)
        factor_step(memory, 0.0, numbers[DRAG])
        size, gap = put_change(memory)
    memory.counts[ITERATIONS] += 1
    if not np.isfinite(size):
        return LOST
    apply_change(memory, 0.0, 0.0, min(1.0, limit / max(size, 1e-300)))
    numbers[LEFT] = _LEAST_RATE
    if size <= settings.tolerance and gap <= settings.gap_tolerance and numbers[DRAG] == 0.0:
        return ARRIVED
    numbers[DRAG] = 0.3 * numbers[DRAG] if numbers[DRAG] > _LEAST_DRAG else 0.0
    numbers[ITERATION] += 1.0
    return ONGOING if numbers[ITERATION] < (_FLOW_ITERATIONS if flows else _STATIC_ITERATIONS) else LOST
