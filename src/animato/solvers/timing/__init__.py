"""Time scaling of a path: a convex program, its interior point and its bounds."""

from animato.solvers.timing.arrays import ABSOLUTE, FIXED_DURATION, RELATIVE, TimingArrays
from animato.solvers.timing.bound import timing_lower_bound
from animato.solvers.timing.elastic_program import ElasticProgram, solve_elastic
from animato.solvers.timing.half_planes import MAX_EDGES, cut, start_box
from animato.solvers.timing.sharper_bound import sharper_bound
from animato.solvers.timing.solver import TimingSolution, solve_timing
from animato.solvers.timing.start import able_profile, follow_kernel, following_profile
from animato.solvers.timing.times import costates_kernel, half_curvature, half_time, objective_kernel, times_kernel

__all__ = [
    "ABSOLUTE",
    "FIXED_DURATION",
    "MAX_EDGES",
    "RELATIVE",
    "ElasticProgram",
    "TimingArrays",
    "TimingSolution",
    "able_profile",
    "costates_kernel",
    "cut",
    "follow_kernel",
    "following_profile",
    "half_curvature",
    "half_time",
    "objective_kernel",
    "sharper_bound",
    "solve_elastic",
    "solve_timing",
    "start_box",
    "times_kernel",
    "timing_lower_bound",
]
