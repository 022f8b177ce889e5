"""The temporal stage: when, within all limits."""

from animato.trace.timing.axis_limits import AxisLimits, axis_limits
from animato.trace.timing.grid import build_timing_grid
from animato.trace.timing.limit_rows import LimitRows, build_limit_rows, grid_dynamics
from animato.trace.timing.limit_shares import shares_between
from animato.trace.timing.path_dynamics import path_dynamics
from animato.trace.timing.performance import performed_usage
from animato.trace.timing.problem import tempo_lock_b
from animato.trace.timing.settling import SettledClip, settled_clip
from animato.trace.timing.temporal_stage import build_stage, solve_time_scaling
from animato.trace.timing.time_scaling import TimeScaling

__all__ = [
    "AxisLimits",
    "LimitRows",
    "SettledClip",
    "TimeScaling",
    "axis_limits",
    "build_limit_rows",
    "build_stage",
    "build_timing_grid",
    "grid_dynamics",
    "path_dynamics",
    "performed_usage",
    "settled_clip",
    "shares_between",
    "solve_time_scaling",
    "tempo_lock_b",
]
