"""The motion filter: any signal becomes one within position, velocity, acceleration and jerk limits."""

from animato.express.filter.motion_filter import MotionFilter

__all__ = [
    "MotionFilter",
]
