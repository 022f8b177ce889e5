"""The loop over time steps, compiled whole: schemes, predictors, halving of steps, and what is written."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.mechanics.simulation.dynamics import Work, put_energy, put_outputs
from animato.mechanics.simulation.integration.memory import (
    AGE,
    BDF2,
    COEFFICIENT_A,
    COEFFICIENT_V,
    GENERALIZED_ALPHA,
    HALVED,
    LAST_STEP,
    ROW_SCALE,
    SINCE_START,
    STATIC,
    Memory,
    Moments,
    Records,
    Settings,
)
from animato.mechanics.simulation.integration.newton_kernel import evaluate, factor_step, settle, solve_step
from animato.mechanics.simulation.system import PackedSystem

_LARGEST_GROWTH = 2.05  # of a step over the one before it, beyond which BDF2 forgets the past


@kernel
def put_motors(start: np.ndarray, end: np.ndarray, place: float, h: float, motors: np.ndarray) -> None:
    """Motors at a place in [0, 1] of a step: the quintic through positions, velocities and accelerations of its ends.

    Args:
        start: theta, its velocity and acceleration when the step begins, [3, n_p].
        end: The same when it ends.
        place: 0 at the start, 1 at the end.
        h: Length of the step [s]; 0 where only positions count, which then go straight.
        motors: Written, [3, n_p].
    """
    x = place
    for p in range(motors.shape[1]):
        if x == 1.0:
            for d in range(3):
                motors[d, p] = end[d, p]
            continue
        if h == 0.0:
            motors[0, p] = start[0, p] + x * (end[0, p] - start[0, p])
            motors[1, p] = 0.0
            motors[2, p] = 0.0
            continue
        p0, v0, a0 = start[0, p], start[1, p] * h, start[2, p] * h * h
        rest_p = end[0, p] - p0 - v0 - 0.5 * a0
        rest_v = end[1, p] * h - v0 - a0
        rest_a = end[2, p] * h * h - a0
        c3 = 10.0 * rest_p - 4.0 * rest_v + 0.5 * rest_a
        c4 = -15.0 * rest_p + 7.0 * rest_v - rest_a
        c5 = 6.0 * rest_p - 3.0 * rest_v + 0.5 * rest_a
        motors[0, p] = p0 + x * (v0 + x * (0.5 * a0 + x * (c3 + x * (c4 + x * c5))))
        motors[1, p] = (v0 + x * (a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / h
        motors[2, p] = (a0 + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))) / (h * h)


@kernel
def put_past(memory: Memory, settings: Settings, h: float) -> tuple[float, float]:
    """What the past gives to velocities and accelerations of a step of h; returns c1 and c2 of the scheme."""
    u_old, v_old, a_old = memory.u_old, memory.v_old, memory.a_old
    if settings.scheme == BDF2:
        last = memory.numbers[LAST_STEP]
        first = memory.numbers[SINCE_START] == 0.0 or h > _LARGEST_GROWTH * last
        growth = 0.0 if first else h / last
        c = (1.0 + 2.0 * growth) / (1.0 + growth) / h
        p, q = -(1.0 + growth) / h, growth * growth / (1.0 + growth) / h
        for i in range(len(memory.v_past)):
            memory.v_past[i] = p * u_old[0, i] + q * u_old[1, i]
            memory.a_past[i] = c * memory.v_past[i] + p * v_old[0, i] + q * v_old[1, i]
        return c, c * c
    beta, gamma, alpha_m, alpha_f = settings.beta, settings.gamma, settings.alpha_m, settings.alpha_f
    c1 = gamma / (beta * h)
    c2 = (1.0 - alpha_m) / (1.0 - alpha_f) / (beta * h * h)
    for i in range(len(memory.v_past)):
        smooth = memory.a_smooth[i]
        # The algorithmic acceleration at the step's end is (u + ahead) / (beta h^2).
        ahead = -(u_old[0, i] + h * v_old[0, i] + h * h * (0.5 - beta) * smooth)
        memory.v_past[i] = v_old[0, i] + h * (1.0 - gamma) * smooth + c1 * ahead
        memory.a_past[i] = c2 * ahead + (alpha_m * smooth - alpha_f * a_old[0, i]) / (1.0 - alpha_f)
    return c1, c2


@kernel
def predict(memory: Memory, settings: Settings, h: float, whole: bool) -> None:
    """Writes motors, and unknowns and multipliers as the last moments let expect them.

    Args:
        memory: `z`, `v`, `a`, `lam` are written.
        settings: Of the run.
        h: The step [s].
        whole: Whether the step is a whole one, as the one before it.
    """
    n_u, moved = len(memory.lengths), memory.numbers[SINCE_START] > 0.0
    for p in range(memory.motors.shape[1]):
        memory.z[n_u + p] = memory.motors[0, p]
        memory.v[n_u + p] = memory.motors[1, p]
        memory.a[n_u + p] = memory.motors[2, p]
    on = 1.0 if moved and whole else 0.0
    for i in range(n_u):
        u = memory.u_old[0, i]
        if settings.scheme == STATIC:
            memory.z[i] = u + on * (u - memory.u_old[1, i])
        else:
            a = memory.a_old[0, i]
            memory.z[i] = u + h * (memory.v_old[0, i] + h * (0.5 * a + on * (a - memory.a_old[1, i]) / 6.0))
    for r in range(len(memory.lam)):
        lam = memory.lam_old[0, r]
        memory.lam[r] = lam + on * (lam - memory.lam_old[1, r])


@kernel
def accept(memory: Memory, settings: Settings, h: float) -> None:
    """Makes the moment in memory the last one."""
    beta = settings.beta
    for i in range(len(memory.lengths)):
        if settings.scheme == GENERALIZED_ALPHA:
            ahead = memory.u_old[0, i] + h * memory.v_old[0, i] + h * h * (0.5 - beta) * memory.a_smooth[i]
            memory.a_smooth[i] = (memory.z[i] - ahead) / (beta * h * h)
        memory.u_old[1, i] = memory.u_old[0, i]
        memory.v_old[1, i] = memory.v_old[0, i]
        memory.a_old[1, i] = memory.a_old[0, i]
        memory.u_old[0, i] = memory.z[i]
        memory.v_old[0, i] = memory.v[i]
        memory.a_old[0, i] = memory.a[i]
    for r in range(len(memory.lam)):
        memory.lam_old[1, r] = memory.lam_old[0, r]
        memory.lam_old[0, r] = memory.lam[r]
    memory.numbers[LAST_STEP] = h
    memory.numbers[SINCE_START] += 1.0


@kernel
def take_step(
    system: PackedSystem, work: Work, memory: Memory, settings: Settings, start: np.ndarray, end: np.ndarray
) -> bool:
    """Goes from one moment of the run to the next, in halved steps where it must; whether it arrived."""
    done, part, least = 0.0, 1.0, 0.5**settings.halvings
    while done < 1.0:
        put_motors(start, end, done + part, settings.step, memory.motors)
        h = settings.step * part
        predict(memory, settings, h, part == 1.0 or done > 0.0)
        if settings.scheme == STATIC:
            arrived = settle(system, work, memory, settings, part == least)
        else:
            c1, c2 = put_past(memory, settings, h)
            arrived = solve_step(system, work, memory, settings, c1, c2)
        if arrived:
            accept(memory, settings, h)
            done += part
            continue
        memory.numbers[COEFFICIENT_V] = -1.0  # no factor is good any more
        part *= 0.5
        if part < least:
            return False
        memory.counts[HALVED] += 1
    return True


@kernel
def write_moment(system: PackedSystem, work: Work, memory: Memory, outputs: bool, at: int, moments: Moments) -> None:
    """Writes the moment in memory as number `at` of a run; tracked bodies and energies only where `outputs` says so."""
    n_u, gap = len(memory.lengths), 0.0
    for i in range(n_u):
        moments.u[at, i] = memory.z[i]
        moments.v[at, i] = memory.v[i]
        moments.a[at, i] = memory.a[i]
    for r in range(len(memory.lam)):
        moments.lam[at, r] = memory.lam[r]
        gap = max(gap, abs(memory.gap[r]))
    moments.gaps[at] = gap
    for p in range(moments.torques.shape[1]):
        moments.torques[at, p] = memory.tau[n_u + p]
    if outputs:
        put_outputs(system, work, memory.points, memory.rotations, memory.point_jac, memory.rotation_jac)
        moments.points[at] = memory.points
        moments.rotations[at] = memory.rotations
        kinetic, gravitational, elastic = put_energy(system, work, memory.z, memory.v)
        moments.energies[at, 0] = kinetic
        moments.energies[at, 1] = gravitational
        moments.energies[at, 2] = elastic


@kernel
def write_record(memory: Memory, at: int, records: Records) -> None:
    """Writes derivatives and factor of the moment in memory, which must have been evaluated with them."""
    records.by_z[at] = memory.by_z
    records.by_v[at] = memory.by_v
    records.by_a[at] = memory.by_a
    for r in range(len(memory.rows)):
        records.jac[at, r] = memory.jac[memory.rows[r]]
    records.factors[at] = memory.matrix
    records.orders[at] = memory.order
    records.scales[at] = memory.numbers[ROW_SCALE]
    records.point_jac[at] = memory.point_jac
    records.rotation_jac[at] = memory.rotation_jac


@kernel
def march(
    system: PackedSystem,
    work: Work,
    memory: Memory,
    settings: Settings,
    first: int,
    motors: np.ndarray,
    moments: Moments,
    records: Records,
) -> int:
    """Goes through a block of moments; returns how many were reached.

    Args:
        system: What moves.
        work: Its memory.
        memory: The moment before the block; afterwards the last one of it.
        settings: Of the run.
        first: Number of the block's first moment in `moments`.
        motors: theta, its velocity and acceleration at the moment before the block and at its own,
            [block + 1, 3, n_p].
        moments: Written at first, first + 1, ...
        records: Written at 0, 1, ... where `settings.record`.
    """
    for k in range(len(motors) - 1):
        if not take_step(system, work, memory, settings, motors[k], motors[k + 1]):
            return k
        outputs = settings.stride > 0 and (first + k) % settings.stride == 0
        if settings.record:
            evaluate(system, work, memory, True)
            factor_step(memory, memory.numbers[COEFFICIENT_V], memory.numbers[COEFFICIENT_A])
            memory.numbers[AGE] = 0.0
        write_moment(system, work, memory, outputs or settings.record, first + k, moments)
        if settings.record:
            write_record(memory, k, records)
    return len(motors) - 1
