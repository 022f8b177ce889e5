"""Holding a posture while facing anything.

`build` a problem of a character, a posture and targets, and `solve` it; or let a `Loop` face targets that come live.
The solver of single targets is in `express.facing`, lines of sight are in `express.gaze`, what follows moving targets
is in `express.tracking`, and the methods of the papers are in `express.published`.
"""

from typing import TYPE_CHECKING

from animato.lazy import lazily

if TYPE_CHECKING:
    from animato.express.loop import Command, Loop, LoopReport, load_targets
    from animato.express.options import Options
    from animato.express.problem import Problem, Target, build
    from animato.express.solution import Frame, Solution
    from animato.express.solving import judged, perform, solve

__all__ = [
    "Command",
    "Frame",
    "Loop",
    "LoopReport",
    "Options",
    "Problem",
    "Solution",
    "Target",
    "build",
    "judged",
    "load_targets",
    "perform",
    "solve",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "animato.express.options": ("Options",),
        "animato.express.problem": ("build", "Problem", "Target"),
        "animato.express.solving": ("solve", "judged", "perform"),
        "animato.express.solution": ("Solution", "Frame"),
        "animato.express.loop": ("Loop", "Command", "LoopReport", "load_targets"),
    },
    rooms=(
        "aiming",
        "facing",
        "filter",
        "gaze",
        "loop",
        "mechanism",
        "postures",
        "published",
        "sharing",
        "sources",
        "sweep",
        "tracking",
        "warp",
    ),
)
