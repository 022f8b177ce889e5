"""The motion filter: any signal becomes one within position, velocity, acceleration and jerk limits."""

from animato.express.filter.arrays import TIME_OPTIMAL, FilterManner
from animato.express.filter.manner_of_joints import CHARACTERS_SMOOTHNESS, manner_of
from animato.express.filter.motion_filter import FilteredMotion, MotionFilter, follow
from animato.express.filter.report import FilterReport, filter_reports, step_response, worst_limit_share

__all__ = [
    "CHARACTERS_SMOOTHNESS",
    "TIME_OPTIMAL",
    "FilterManner",
    "FilterReport",
    "FilteredMotion",
    "MotionFilter",
    "filter_reports",
    "follow",
    "manner_of",
    "step_response",
    "worst_limit_share",
]
