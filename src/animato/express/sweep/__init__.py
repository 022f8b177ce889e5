"""The sweep over postures and targets: samples, chunks, statistics, what the paper leaves out; `batch` runs it."""

from animato.express.sweep.exclusion import (
    EXCLUSION,
    THRESHOLD,
    WITHOUT_POSTURE,
    errors_without_posture,
    without_excluded,
)
from animato.express.sweep.part import Solver, SweepOptions, chosen_samples, solve_chunk
from animato.express.sweep.samples import Samples, Sweep, build_sweep, random_samples
from animato.express.sweep.solvers import sweep_solver
from animato.express.sweep.statistics import (
    SweepStatistics,
    empty_statistics,
    merged,
    plain_statistics,
    read_statistics,
)

__all__ = [
    "EXCLUSION",
    "THRESHOLD",
    "WITHOUT_POSTURE",
    "Samples",
    "Solver",
    "Sweep",
    "SweepOptions",
    "SweepStatistics",
    "build_sweep",
    "chosen_samples",
    "empty_statistics",
    "errors_without_posture",
    "merged",
    "plain_statistics",
    "random_samples",
    "read_statistics",
    "solve_chunk",
    "sweep_solver",
    "without_excluded",
]
