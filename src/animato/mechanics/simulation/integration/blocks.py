"""Runs of the compiled loop in blocks, so that progress can be told and a run interrupted."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from animato.mechanics.simulation.integration.march_kernel import march
from animato.mechanics.simulation.integration.memory import (
    EVALUATIONS,
    FACTORS,
    HALVED,
    ITERATIONS,
    OPEN,
    Moments,
    Records,
    Settings,
    build_records,
)
from animato.mechanics.simulation.integration.preparation import Prepared
from animato.mechanics.simulation.integration.trajectory import Trajectory
from animato.outcome import Outcome, Progress, Stage, Status

_BLOCK, _RECORDED_BLOCK = 500, 50
Sink = Callable[[int, int, Records], None]
"""Takes records of a block: number of its first moment, how many, and their derivatives; it must copy them."""


def run_blocks(
    prepared: Prepared,
    settings: Settings,
    motors: np.ndarray,
    moments: Moments,
    sink: Sink | None = None,
    progress: Progress | None = None,
    stage: str = "simulation",
) -> int:
    """Goes on from the moment in memory, which is number 0 of `motors`; returns how many moments there are.

    Args:
        prepared: System and memory.
        settings: Of the run.
        motors: [t, 3, n_p], row-major.
        moments: Written from number 1 on.
        sink: Gets the derivatives where `settings.record`.
        progress: Told after every block.
        stage: Its name, for people.
    """
    memory, block = prepared.memory, _RECORDED_BLOCK if settings.record else _BLOCK
    records = build_records(memory, block if settings.record else 0)
    told = Stage(stage, progress, -(-(len(motors) - 1) // block))
    for first in range(1, len(motors), block):
        part = motors[first - 1 : first + block]
        reached = march(prepared.system.packed, prepared.work, memory, settings, first, part, moments, records)
        if sink is not None and settings.record:
            sink(first, reached, records)
        if reached < len(part) - 1:
            return first + reached
        told.step()
    return len(motors)


def trajectory_of(
    prepared: Prepared,
    settings: Settings,
    motors: np.ndarray,
    moments: Moments,
    reached: int,
    begin: float,
    what: str,
) -> Trajectory:
    """A run as far as it came.

    Args:
        prepared: System and memory.
        settings: Of the run.
        motors: [t, 3, n_p].
        moments: As written.
        reached: How many of them.
        begin: Clock when the run began [s].
        what: "step" or "equilibrium", for people.
    """
    counts = prepared.memory.counts
    every, energy_every = max(settings.stride, 1), max(settings.energy_stride, 1)
    seconds = time.perf_counter() - begin
    kept = slice(0, reached)
    shown = slice(0, reached, every)
    return Trajectory(
        system=prepared.system,
        step_s=settings.step,
        motors=motors,
        u=moments.u[kept],
        v=moments.v[kept],
        a=moments.a[kept],
        lam=moments.lam[kept],
        torques=moments.torques[kept],
        gaps=moments.gaps[kept],
        points=moments.points[shown],
        rotations=moments.rotations[shown],
        energies=moments.energies[:reached:energy_every],
        output_every=every,
        energy_every=energy_every,
        outcome=_outcome(prepared, settings, motors, moments, reached, what),
        iterations=int(counts[ITERATIONS]),
        evaluations=int(counts[EVALUATIONS]),
        factors=int(counts[FACTORS]),
        halved=int(counts[HALVED]),
        seconds=seconds,
    )


def _outcome(
    prepared: Prepared, settings: Settings, motors: np.ndarray, moments: Moments, reached: int, what: str
) -> Outcome:
    iterations = int(prepared.memory.counts[ITERATIONS])
    open_at = np.flatnonzero(moments.gaps[:reached] > OPEN)
    if len(open_at):
        place, gap = _place(settings, int(open_at[0])), np.max(moments.gaps[:reached])
        reason = (
            f"loops do not close {place}: motors that drive one loop together contradict one another, by {gap:.2g} m"
        )
        return Outcome(Status.INFEASIBLE, reason, iterations)
    if reached == len(motors):
        return Outcome(Status.SOLVED, f"every {what} was found", iterations)
    halved = f" after it was halved {settings.halvings} times" if settings.halvings else ""
    return Outcome(Status.STALLED, f"the {what} {_place(settings, reached)} did not converge{halved}", iterations)


def _place(settings: Settings, moment: int) -> str:
    return f"at {moment * settings.step:.4f} s" if settings.step else f"at frame {moment}"
