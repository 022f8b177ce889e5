"""The sweep over postures and targets: samples, runs on many cores, statistics, what the paper leaves out."""

from animato.express.sweep.exclusion import (
    EXCLUSION,
    THRESHOLD,
    WITHOUT_POSTURE,
    errors_without_posture,
    without_excluded,
)
from animato.express.sweep.run import SweepOptions, run_sweep, stored_sweep
from animato.express.sweep.samples import Samples, build_sweep, random_samples
from animato.express.sweep.solvers import sweep_solver

__all__ = [
    "EXCLUSION",
    "THRESHOLD",
    "WITHOUT_POSTURE",
    "Samples",
    "SweepOptions",
    "build_sweep",
    "errors_without_posture",
    "random_samples",
    "run_sweep",
    "stored_sweep",
    "sweep_solver",
    "without_excluded",
]
