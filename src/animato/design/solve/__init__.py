"""From a problem to a design: search, inverse kinematics, and the judged solution."""

from animato.design.solve.errors_over_time import TrackingErrors, point_paths
from animato.design.solve.solution import DesignSolution, LimitShare, Performance
from animato.design.solve.solve import solve_design
from animato.design.solve.sqp import Iteration

__all__ = [
    "DesignSolution",
    "Iteration",
    "LimitShare",
    "Performance",
    "TrackingErrors",
    "point_paths",
    "solve_design",
]
