"""The loop over time steps, compiled whole: Newton's iterations, halving of steps, and what is written."""

from __future__ import annotations

import numpy as np

from animato.algebra.lu_vectors import row_product
from animato.kernels.compiled import kernel
from animato.mechanics.simulation.dynamics import (
    Work,
    put_energy,
    put_forces,
    put_forces_and_derivatives,
    put_outputs,
)
from animato.mechanics.simulation.integration.memory import (
    AGE,
    COEFFICIENT_A,
    COEFFICIENT_V,
    EVALUATIONS,
    HALVED,
    LEFT,
    OPEN,
    ROW_SCALE,
    STALE,
    STATIC,
    Memory,
    Moments,
    Records,
    Settings,
)
from animato.mechanics.simulation.integration.newton_kernel import (
    ARRIVED,
    ONGOING,
    begin_iterations,
    factor_step,
    iterate,
    settle,
)
from animato.mechanics.simulation.integration.scheme_kernel import accept, predict, put_motors, put_past
from animato.mechanics.simulation.system import PackedSystem


@kernel
def write_moment(memory: Memory, at: int, tracked: bool, moments: Moments) -> None:
    """Writes the moment in memory as number `at` of a run; tracked bodies only where they are."""
    n_u, gap = len(memory.lengths), 0.0
    for i in range(n_u):
        moments.u[at, i] = memory.z[i]
        moments.v[at, i] = memory.v[i]
        moments.a[at, i] = memory.a[i]
    for r in range(len(memory.lam)):
        moments.lam[at, r] = memory.lam[r]
        gap = max(gap, abs(memory.gap[r]))
    # Kept rows fall as the iterations do; a row that was dropped and stays open is not made small by any rate.
    kept = 0.0
    for r in range(len(memory.rows)):
        kept = max(kept, abs(memory.gap[memory.rows[r]]))
    moments.gaps[at] = gap if gap > kept and gap > OPEN else kept * memory.numbers[LEFT]
    for p in range(moments.torques.shape[1]):
        moments.torques[at, p] = memory.tau[n_u + p]
    if tracked:
        moments.points[at] = memory.points
        moments.rotations[at] = memory.rotations


@kernel
def carry_outputs(memory: Memory) -> None:
    """Moves tracked bodies by the last change of the unknowns, which came after they were evaluated."""
    n_u = len(memory.lengths)
    for b in range(len(memory.points)):
        turn = np.zeros(3)
        for axis in range(3):
            memory.points[b, axis] += row_product(memory.point_jac[b, axis], memory.change, 0, n_u)
            turn[axis] = row_product(memory.rotation_jac[b, axis], memory.change, 0, n_u)
        for column in range(3):
            x, y, z = memory.rotations[b, 0, column], memory.rotations[b, 1, column], memory.rotations[b, 2, column]
            memory.rotations[b, 0, column] += turn[1] * z - turn[2] * y
            memory.rotations[b, 1, column] += turn[2] * x - turn[0] * z
            memory.rotations[b, 2, column] += turn[0] * y - turn[1] * x


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

    The one function that calls the dynamics: every further one would cost as long to compile.

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
    m, numbers, least = memory, memory.numbers, 0.5**settings.halvings
    for k in range(len(motors) - 1):
        done, part = 0.0, 1.0
        evaluates_last = settings.record  # once more with derivatives, where the step has arrived
        while done < 1.0 or evaluates_last:
            arrives, flows, h = done < 1.0, part == least, settings.step * part
            if arrives:
                put_motors(motors[k], motors[k + 1], done + part, settings.step, m)
                c1, c2 = put_past(m, settings, h)
                predict(m, settings, h, part == 1.0 or done > 0.0, c1, c2)
                begin_iterations(m, settings, c1, c2, flows)
            state = ONGOING
            while state == ONGOING:
                m.counts[EVALUATIONS] += 1
                if numbers[STALE] != 0.0 or not arrives:
                    put_forces_and_derivatives(
                        system, work, m.z, m.v, m.a, m.lam, m.tau, m.gap, m.by_z, m.by_v, m.by_a, m.jac
                    )
                else:
                    put_forces(system, work, m.z, m.v, m.a, m.lam, m.tau, m.gap)
                if not arrives:
                    factor_step(m, numbers[COEFFICIENT_V], numbers[COEFFICIENT_A])
                    numbers[LEFT] = 1.0
                    state = ARRIVED
                elif settings.scheme == STATIC:
                    state = settle(m, settings, flows)
                else:
                    state = iterate(m, settings, c1, c2)
            if not arrives:
                evaluates_last = False
            elif state == ARRIVED:
                accept(m, settings, h)
                done += part
            else:
                numbers[COEFFICIENT_V] = -1.0  # no factor is good any more
                part *= 0.5
                m.counts[HALVED] += 1
                if part < least:
                    return k
        tracked = settings.record or (settings.stride > 0 and (first + k) % settings.stride == 0)
        if tracked:
            put_outputs(system, work, m.points, m.rotations, m.point_jac, m.rotation_jac)
            if not settings.record:
                carry_outputs(m)
        write_moment(m, first + k, tracked, moments)
        if settings.energy_stride > 0 and (first + k) % settings.energy_stride == 0:
            kinetic, gravitational, elastic = put_energy(system, work, m.z, m.v)
            moments.energies[first + k, 0] = kinetic
            moments.energies[first + k, 1] = gravitational
            moments.energies[first + k, 2] = elastic
        if settings.record:
            numbers[AGE] = 0.0
            write_record(m, k, records)
    return len(motors) - 1
