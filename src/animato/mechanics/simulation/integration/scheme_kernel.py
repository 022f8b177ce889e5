"""Before and after a step: what the motors do, what the past says, and what is expected of the unknowns."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.mechanics.simulation.integration.memory import (
    BDF2,
    GENERALIZED_ALPHA,
    LAST_STEP,
    SINCE_START,
    STATIC,
    Memory,
    Settings,
)

_LARGEST_GROWTH = 2.05  # of a step over the one before it, beyond which BDF2 forgets the past


@kernel
def put_motors(start: np.ndarray, end: np.ndarray, place: float, h: float, memory: Memory) -> None:
    """Motors at a place in [0, 1] of a step: the quintic through positions, velocities and accelerations of its ends.

    Args:
        start: theta, its velocity and acceleration when the step begins, [3, n_p].
        end: The same when it ends.
        place: 0 at the start, 1 at the end.
        h: Length of the step [s]; 0 where only positions count, which then go straight.
        memory: `z`, `v`, `a` of the motors are written.
    """
    x, n_u = place, len(memory.lengths)
    for p in range(start.shape[1]):
        if x == 1.0:
            memory.z[n_u + p] = end[0, p]
            memory.v[n_u + p] = end[1, p]
            memory.a[n_u + p] = end[2, p]
            continue
        if h == 0.0:
            memory.z[n_u + p] = start[0, p] + x * (end[0, p] - start[0, p])
            memory.v[n_u + p] = 0.0
            memory.a[n_u + p] = 0.0
            continue
        p0, v0, a0 = start[0, p], start[1, p] * h, start[2, p] * h * h
        rest_p = end[0, p] - p0 - v0 - 0.5 * a0
        rest_v = end[1, p] * h - v0 - a0
        rest_a = end[2, p] * h * h - a0
        c3 = 10.0 * rest_p - 4.0 * rest_v + 0.5 * rest_a
        c4 = -15.0 * rest_p + 7.0 * rest_v - rest_a
        c5 = 6.0 * rest_p - 3.0 * rest_v + 0.5 * rest_a
        memory.z[n_u + p] = p0 + x * (v0 + x * (0.5 * a0 + x * (c3 + x * (c4 + x * c5))))
        memory.v[n_u + p] = (v0 + x * (a0 + x * (3.0 * c3 + x * (4.0 * c4 + x * 5.0 * c5)))) / h
        memory.a[n_u + p] = (a0 + x * (6.0 * c3 + x * (12.0 * c4 + x * 20.0 * c5))) / (h * h)


@kernel
def put_past(memory: Memory, settings: Settings, h: float) -> tuple[float, float]:
    """What the past gives to velocities and accelerations of a step of h; returns c1 and c2 of the scheme."""
    u_old, v_old, a_old = memory.u_old, memory.v_old, memory.a_old
    if settings.scheme == STATIC:
        for i in range(len(memory.v_past)):
            memory.v_past[i] = 0.0
            memory.a_past[i] = 0.0
        return 0.0, 0.0
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
def predict(memory: Memory, settings: Settings, h: float, even: bool, c1: float, c2: float) -> None:
    """Writes unknowns and multipliers as the last moments let expect them.

    Args:
        memory: `z`, `v`, `a` of the unknowns and `lam` are written.
        settings: Of the run.
        h: The step [s].
        even: Whether the steps before were as long, so that they can be gone on with.
        c1: Of the scheme.
        c2: Of the scheme.
    """
    u_old, v_old, a_old = memory.u_old, memory.v_old, memory.a_old
    since = memory.numbers[SINCE_START] if even else 0.0
    on, further = (1.0 if since > 0.0 else 0.0), (1.0 if since > 2.0 else 0.0)
    for i in range(len(memory.lengths)):
        if settings.scheme == STATIC:
            memory.z[i] = u_old[0, i] + on * (u_old[0, i] - u_old[1, i])
        else:  # by an acceleration that goes on as a parabola through its last three values
            slope = on * (a_old[0, i] - a_old[1, i])
            bend = further * (a_old[0, i] - 2.0 * a_old[1, i] + a_old[2, i])
            slope += 0.5 * bend
            memory.z[i] = u_old[0, i] + h * (v_old[0, i] + h * (0.5 * a_old[0, i] + slope / 6.0 + bend / 24.0))
        memory.v[i] = c1 * memory.z[i] + memory.v_past[i]
        memory.a[i] = c2 * memory.z[i] + memory.a_past[i]
    for r in range(len(memory.lam)):
        lam, before = memory.lam_old[0, r], memory.lam_old[1, r]
        memory.lam[r] = lam + on * (lam - before) + further * (lam - 2.0 * before + memory.lam_old[2, r])


@kernel
def accept(memory: Memory, settings: Settings, h: float) -> None:
    """Makes the moment in memory the last one."""
    beta = settings.beta
    for i in range(len(memory.lengths)):
        if settings.scheme == GENERALIZED_ALPHA:
            ahead = memory.u_old[0, i] + h * memory.v_old[0, i] + h * h * (0.5 - beta) * memory.a_smooth[i]
            memory.a_smooth[i] = (memory.z[i] - ahead) / (beta * h * h)
        for old in (2, 1):
            memory.u_old[old, i] = memory.u_old[old - 1, i]
            memory.v_old[old, i] = memory.v_old[old - 1, i]
            memory.a_old[old, i] = memory.a_old[old - 1, i]
        memory.u_old[0, i] = memory.z[i]
        memory.v_old[0, i] = memory.v[i]
        memory.a_old[0, i] = memory.a[i]
    for r in range(len(memory.lam)):
        memory.lam_old[2, r] = memory.lam_old[1, r]
        memory.lam_old[1, r] = memory.lam_old[0, r]
        memory.lam_old[0, r] = memory.lam[r]
    memory.numbers[LAST_STEP] = h
    memory.numbers[SINCE_START] += 1.0
