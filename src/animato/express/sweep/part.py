"""What part of a sweep runs, and how a chunk of it is solved. Chunks of many are run by `animato.batch`."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from animato.errors import OptionError
from animato.express.facing import ErrorWeights, facing_errors
from animato.express.sweep.samples import Sweep, samples
from animato.express.sweep.statistics import SweepStatistics, statistics_of

_BLOCK = 64  # samples timed together: a clock call around one would cost as much as the solve


class Answers(Protocol):
    """What a solver gives back for a batch."""

    @property
    def positions(self) -> np.ndarray:
        """Joint positions [rad or m], [m, n]."""
        ...

    @property
    def iterations(self) -> np.ndarray:
        """Iterations of each, [m]."""
        ...


Solver = Callable[[np.ndarray, np.ndarray], Answers]


@dataclass(frozen=True)
class SweepOptions:
    """What part of a sweep runs, and how it is cut.

    Attributes:
        start: First sample.
        stop: Sample before which it ends; the whole sweep where None.
        every: Only each so many-th sample from the first on: an even share of postures and of targets. It must have
            no factor in common with the number of targets, or the same few targets would come with every posture.
        chunk: Samples in a chunk: what one task does and a kill may lose.
        weights: Of the errors; the paper's where None.
    """

    start: int = 0
    stop: int | None = None
    every: int = 1
    chunk: int = 50_000
    weights: ErrorWeights | None = None


def chosen_samples(sweep: Sweep, options: SweepOptions) -> range:
    """The samples of a part of a sweep.

    Raises:
        OptionError: There are none, or they would not be spread evenly over the targets.
    """
    stop = sweep.count if options.stop is None else min(options.stop, sweep.count)
    if not 0 <= options.start < stop or options.chunk < 1 or options.every < 1:
        raise OptionError(
            f"A sweep of {sweep.count} samples cannot run from {options.start} to {stop}, every {options.every}, in "
            f"chunks of {options.chunk}."
        )
    targets = len(sweep.targets_wxyz)
    if math.gcd(options.every, targets) > 1:
        raise OptionError(
            f"`every` must have no factor in common with the {targets} targets, so that all of them take part; "
            f"{options.every} has {math.gcd(options.every, targets)}. Take {options.every + 1} or another number."
        )
    return range(options.start, stop, options.every)


def solve_chunk(sweep: Sweep, solver: Solver, chosen: range, weights: ErrorWeights | None) -> SweepStatistics:
    """Statistics of chosen samples; the errors are measured from the solver's positions.

    Times are the processor's for a sample in a block of 64 solved in one call, so extremes are those of blocks.
    """
    part = samples(sweep, chosen.start, chosen.stop, chosen.step)
    solver(part.postures[:1], part.targets_wxyz[:1])  # what compiles or loads does so before the clock runs
    rows: dict[str, list[np.ndarray]] = {"positions": [], "iterations": [], "time_ms": []}
    for first in range(0, len(part.indices), _BLOCK):
        postures, targets = part.postures[first : first + _BLOCK], part.targets_wxyz[first : first + _BLOCK]
        began = time.thread_time()  # of the processor: a sweep runs beside other things
        answers = solver(postures, targets)
        spent = 1e3 * (time.thread_time() - began)
        rows["positions"].append(answers.positions)
        rows["iterations"].append(np.asarray(answers.iterations, dtype=np.float64))
        rows["time_ms"].append(np.full(len(postures), spent / len(postures)))
    errors = facing_errors(sweep.chain, np.concatenate(rows["positions"]), part.postures, part.targets_wxyz, weights)
    return statistics_of(
        {
            "combined": errors.combined,
            "orientation": errors.orientation,
            "posture": errors.posture,
            "shape": errors.shape,
            "iterations": np.concatenate(rows["iterations"]),
            "time_ms": np.concatenate(rows["time_ms"]),
        }
    )
