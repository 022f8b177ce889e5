"""Places the joints of a character so that it can do a motion: the verb `design`."""

from animato.design.problem import DesignProblem, TargetMotion, build_design_problem
from animato.design.solution import DesignSolution, Performance
from animato.design.solve import solve_design
from animato.design.target import TrackingTarget
from animato.design.weights import DesignWeights

__all__ = [
    "DesignProblem",
    "DesignSolution",
    "DesignWeights",
    "Performance",
    "TargetMotion",
    "TrackingTarget",
    "build_design_problem",
    "solve_design",
]
