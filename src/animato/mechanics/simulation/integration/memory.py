"""Arrays that the kernels of time stepping work in, and write to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

STATIC, BDF2, GENERALIZED_ALPHA = range(3)
"""Schemes, as the kernels know them."""

ITERATIONS, EVALUATIONS, FACTORS, HALVED = range(4)
"""Places in `Memory.counts`."""

(
    SINCE_START,
    LAST_STEP,
    COEFFICIENT_V,
    COEFFICIENT_A,
    ROW_SCALE,
    AGE,
    RATE,
    STALE,
    ITERATION,
    LAST_SIZE,
    DRAG,
    LEFT,
) = range(12)
"""Places in `Memory.numbers`."""


OPEN = 1e-6
"""Gaps of loops above this [m] are those of rows that were dropped as following from others, and do not."""


class Settings(NamedTuple):
    """Numbers of a run.

    Attributes:
        scheme: STATIC, BDF2 or GENERALIZED_ALPHA.
        step: h [s]; 0 for statics.
        alpha_m, alpha_f, beta, gamma: Of generalized-alpha.
        tolerance: Largest error of an unknown after Newton's iterations, as a displacement [m].
        gap_tolerance: Largest gap of the loops before the last of them [m].
        iterations: Of Newton in one step at the most.
        halvings: Of a step at the most.
        keep: Steps for which a factor is kept at the most.
        largest_move: Of one iteration of statics, as a displacement [m].
        stride: Tracked bodies are written at each step whose number it divides; 0 for never.
        energy_stride: The same for energies.
        record: Whether derivatives and factors are written.
    """

    scheme: int
    step: float
    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    tolerance: float
    gap_tolerance: float
    iterations: int
    halvings: int
    keep: int
    largest_move: float
    stride: int
    energy_stride: int
    record: bool


class Memory(NamedTuple):
    """One moment, the three before it, and the matrix of Newton's method.

    Unknowns of a step: x = (u, lambda / s) with s = `numbers[ROW_SCALE]`, [n_u + rows], where only independent rows of
    the loops are kept.

    Attributes:
        z, v, a: Coordinates and their derivatives, [n].
        lam: Multipliers of all rows, [m]; zero for rows that are not kept.
        tau, gap: Forces [n] and gaps [m].
        by_z, by_v, by_a: Derivatives of the forces, [n, n].
        jac: Of the gap, [m, n].
        rows: The independent rows of the loops that are kept, [rows].
        lengths: Displacement that a unit of an unknown brings, in the mean over all mass [m], [n_u].
        matrix: Of the step: s J and its transpose border the derivative of the forces; factored, [x, x].
        order: Its row pivots.
        motor_rows: The same for the forces of the motors, not factored, [n_p, x].
        right, change: Right-hand side and solution, [x].
        v_past, a_past: What v and a would be if the unknowns of the step were zero, [n_u].
        u_old, v_old, a_old: Of the last three moments, the last one first, [3, n_u].
        lam_old: [3, m].
        a_smooth: The algorithmic acceleration of generalized-alpha, [n_u].
        points, rotations, point_jac, rotation_jac: Of the tracked bodies, see `put_outputs`.
        counts: Integers by the places above.
        numbers: Floats by the places above.
    """

    z: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    tau: np.ndarray
    gap: np.ndarray
    by_z: np.ndarray
    by_v: np.ndarray
    by_a: np.ndarray
    jac: np.ndarray
    rows: np.ndarray
    lengths: np.ndarray
    matrix: np.ndarray
    order: np.ndarray
    motor_rows: np.ndarray
    right: np.ndarray
    change: np.ndarray
    v_past: np.ndarray
    a_past: np.ndarray
    u_old: np.ndarray
    v_old: np.ndarray
    a_old: np.ndarray
    lam_old: np.ndarray
    a_smooth: np.ndarray
    points: np.ndarray
    rotations: np.ndarray
    point_jac: np.ndarray
    rotation_jac: np.ndarray
    counts: np.ndarray
    numbers: np.ndarray


def build_memory(
    unknown_count: int, motor_count: int, row_count: int, rows: np.ndarray, output_count: int, lengths: np.ndarray
) -> Memory:
    """Memory for a system at rest with all coordinates at zero.

    Args:
        unknown_count: n_u.
        motor_count: n_p.
        row_count: m.
        rows: The independent rows of the loops, sorted.
        output_count: Tracked bodies.
        lengths: See `Memory`, [n_u].
    """
    n, size = unknown_count + motor_count, unknown_count + len(rows)
    zeros = np.zeros
    return Memory(
        z=zeros(n),
        v=zeros(n),
        a=zeros(n),
        lam=zeros(row_count),
        tau=zeros(n),
        gap=zeros(row_count),
        by_z=zeros((n, n)),
        by_v=zeros((n, n)),
        by_a=zeros((n, n)),
        jac=zeros((row_count, n)),
        rows=np.ascontiguousarray(rows, dtype=np.int64),
        lengths=np.ascontiguousarray(lengths, dtype=np.float64),
        matrix=zeros((size, size)),
        order=zeros(size, dtype=np.int64),
        motor_rows=zeros((motor_count, size)),
        right=zeros(size),
        change=zeros(size),
        v_past=zeros(unknown_count),
        a_past=zeros(unknown_count),
        u_old=zeros((3, unknown_count)),
        v_old=zeros((3, unknown_count)),
        a_old=zeros((3, unknown_count)),
        lam_old=zeros((3, row_count)),
        a_smooth=zeros(unknown_count),
        points=zeros((output_count, 3)),
        rotations=zeros((output_count, 3, 3)),
        point_jac=zeros((output_count, 3, n)),
        rotation_jac=zeros((output_count, 3, n)),
        counts=zeros(4, dtype=np.int64),
        numbers=zeros(12),
    )


class Moments(NamedTuple):
    """What a run writes at each of its moments t.

    Attributes:
        u, v, a: Unknowns and their derivatives, [t, n_u].
        lam: Multipliers, [t, m].
        torques: Forces of the motors [N m, or N], [t, n_p].
        gaps: Largest gap of the loops [m], as estimated by the rate at which it fell, [t].
        points: [t, k, 3].
        rotations: [t, k, 3, 3].
        energies: Kinetic, gravitational, elastic [J], [t, 3].
    """

    u: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    torques: np.ndarray
    gaps: np.ndarray
    points: np.ndarray
    rotations: np.ndarray
    energies: np.ndarray


class Records(NamedTuple):
    """What is written of the last moments of a run where derivatives are recorded; else empty.

    Attributes:
        by_z, by_v, by_a: Derivatives of the forces, [t, n, n].
        jac: Of the kept rows of the loops, [t, rows, n].
        factors: Factored matrices of the steps, [t, x, x].
        orders: Their pivots, [t, x].
        scales: s of each, [t].
        point_jac, rotation_jac: Of the tracked bodies, [t, k, 3, n].
    """

    by_z: np.ndarray
    by_v: np.ndarray
    by_a: np.ndarray
    jac: np.ndarray
    factors: np.ndarray
    orders: np.ndarray
    scales: np.ndarray
    point_jac: np.ndarray
    rotation_jac: np.ndarray


def build_moments(memory: Memory, count: int) -> Moments:
    """Room for `count` moments of what the memory is for."""
    n_u, n, m, k = len(memory.lengths), len(memory.z), len(memory.lam), len(memory.points)
    return Moments(
        u=np.zeros((count, n_u)),
        v=np.zeros((count, n_u)),
        a=np.zeros((count, n_u)),
        lam=np.zeros((count, m)),
        torques=np.zeros((count, n - n_u)),
        gaps=np.zeros(count),
        points=np.zeros((count, k, 3)),
        rotations=np.zeros((count, k, 3, 3)),
        energies=np.zeros((count, 3)),
    )


def build_records(memory: Memory, count: int, dtype: type[np.floating] = np.float64) -> Records:
    """Room for the derivatives of `count` moments."""
    n, rows, k, size = len(memory.z), len(memory.rows), len(memory.points), len(memory.right)
    return Records(
        by_z=np.zeros((count, n, n), dtype),
        by_v=np.zeros((count, n, n), dtype),
        by_a=np.zeros((count, n, n), dtype),
        jac=np.zeros((count, rows, n), dtype),
        factors=np.zeros((count, size, size), dtype),
        orders=np.zeros((count, size), np.int64),
        scales=np.zeros(count),
        point_jac=np.zeros((count, k, 3, n), dtype),
        rotation_jac=np.zeros((count, k, 3, n), dtype),
    )
