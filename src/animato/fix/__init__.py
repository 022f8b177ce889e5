"""fix: the smallest visible change after which every limit holds."""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.fix.building import build
    from animato.fix.deviation import Deviation
    from animato.fix.impossible import Obstacle, obstacles_of
    from animato.fix.options import Accent, Options, Protection
    from animato.fix.problem import Problem, SeenPoint
    from animato.fix.solution import Solution
    from animato.fix.solving import solve

__all__ = [
    "Accent",
    "Deviation",
    "Obstacle",
    "Options",
    "Problem",
    "Protection",
    "SeenPoint",
    "Solution",
    "build",
    "obstacles_of",
    "solve",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.fix.building": ("build",),
        "animato.fix.deviation": ("Deviation",),
        "animato.fix.impossible": ("Obstacle", "obstacles_of"),
        "animato.fix.options": ("Accent", "Options", "Protection"),
        "animato.fix.problem": ("Problem", "SeenPoint"),
        "animato.fix.solution": ("Solution",),
        "animato.fix.solving": ("solve",),
    },
    rooms=("joining", "pace", "shape"),
)
