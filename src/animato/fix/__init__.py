"""fix: the smallest visible change after which every limit holds."""

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
