"""The sweep over postures and targets: samples, runs on many cores, statistics."""

from animato.express.sweep.run import SweepOptions, run_sweep
from animato.express.sweep.samples import Samples, build_sweep, random_samples

__all__ = [
    "Samples",
    "SweepOptions",
    "build_sweep",
    "random_samples",
    "run_sweep",
]
