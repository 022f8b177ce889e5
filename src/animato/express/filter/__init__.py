"""The motion filter: any signal becomes one within position, velocity, acceleration and jerk limits."""

from animato.express.filter.arrays import TIME_OPTIMAL
from animato.express.filter.motion_filter import FilteredMotion, MotionFilter, follow
from animato.express.filter.report import FilterReport, filter_reports, step_response, worst_limit_share

__all__ = [
    "TIME_OPTIMAL",
    "FilterReport",
    "FilteredMotion",
    "MotionFilter",
    "filter_reports",
    "follow",
    "step_response",
    "worst_limit_share",
]
