"""How much of its limits a motion uses."""

from animato.mechanics.limits.fitting_speed import fitting_speed
from animato.mechanics.limits.free_ends import END_REACH, FreeEnd, free_ends
from animato.mechanics.limits.naive_playback import naive_playback
from animato.mechanics.limits.usage import (
    LEAST_TORQUE,
    LIMIT_KINDS,
    SHARE_TOLERANCE,
    AxisColumns,
    Floor,
    LimitUsage,
    coordinate_axes,
    usage_of_columns,
    usage_of_states,
)
from animato.mechanics.limits.usage_of_clip import limit_usage, usage_and_floor

__all__ = [
    "END_REACH",
    "LEAST_TORQUE",
    "LIMIT_KINDS",
    "SHARE_TOLERANCE",
    "AxisColumns",
    "Floor",
    "FreeEnd",
    "LimitUsage",
    "coordinate_axes",
    "fitting_speed",
    "free_ends",
    "limit_usage",
    "naive_playback",
    "usage_and_floor",
    "usage_of_columns",
    "usage_of_states",
]
