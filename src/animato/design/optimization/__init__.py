"""From a problem to a design: search, inverse kinematics, and the judged solution."""

from animato.design.optimization.errors_over_time import TrackingErrors, point_paths, tracking_errors
from animato.design.optimization.evaluation import DesignPoint
from animato.design.optimization.frame_ik import loop_inverse_kinematics
from animato.design.optimization.nearness import Met, TargetNearness, TargetsMet
from animato.design.optimization.refining import Refined, refine
from animato.design.optimization.sequential_ik import sequential_inverse_kinematics
from animato.design.optimization.solution import ControlChange, LimitShare, Performance, Solution, required
from animato.design.optimization.solve import solve
from animato.design.optimization.sqp import DesignIteration

__all__ = [
    "ControlChange",
    "DesignIteration",
    "DesignPoint",
    "LimitShare",
    "Met",
    "Performance",
    "Refined",
    "Solution",
    "TargetNearness",
    "TargetsMet",
    "TrackingErrors",
    "loop_inverse_kinematics",
    "point_paths",
    "refine",
    "required",
    "sequential_inverse_kinematics",
    "solve",
    "tracking_errors",
]
