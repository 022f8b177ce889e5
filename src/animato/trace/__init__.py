"""A freehand stroke becomes a feasible motion with the artist's timing."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.trace.live import LiveFigures, Loop, posture_at
    from animato.trace.options import Method, Options, StrokeReading
    from animato.trace.path import JointPath, KeptDirection, KeptRelation, PathFit
    from animato.trace.problem import Problem, build
    from animato.trace.sketch import Plane, Sketch, build_sketch, load_strokes
    from animato.trace.solution import Solution
    from animato.trace.timing import TimeScaling
    from animato.trace.tracing import retimed, solve

__all__ = [
    "JointPath",
    "KeptDirection",
    "KeptRelation",
    "LiveFigures",
    "Loop",
    "Method",
    "Options",
    "PathFit",
    "Plane",
    "Problem",
    "Sketch",
    "Solution",
    "StrokeReading",
    "TimeScaling",
    "build",
    "build_sketch",
    "load_strokes",
    "posture_at",
    "retimed",
    "solve",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.trace.options": ("Options", "Method", "StrokeReading"),
        "animato.trace.problem": ("build", "Problem"),
        "animato.trace.tracing": ("solve", "retimed"),
        "animato.trace.solution": ("Solution",),
        "animato.trace.live": ("Loop", "LiveFigures", "posture_at"),
        "animato.trace.path": ("JointPath", "KeptDirection", "KeptRelation", "PathFit"),
        "animato.trace.sketch": ("Plane", "Sketch", "build_sketch", "load_strokes"),
        "animato.trace.timing": ("TimeScaling",),
    },
    rooms=("coupled", "live", "options", "path", "published", "sketch", "timing", "warp"),
)
