"""The geometric stage: where the joints go."""

from animato.trace.path.constrained import Kept
from animato.trace.path.constraints import KeptRelation, Proof
from animato.trace.path.descent import PathIterate, assembled, descend, evaluated
from animato.trace.path.directions import KeptDirection
from animato.trace.path.fit import PathFit, fit_at, solve_path
from animato.trace.path.ik import approach_kernel
from animato.trace.path.joint_path import JointPath
from animato.trace.path.knots import curvature_step, knot_density, stroke_noise
from animato.trace.path.problem import PULL, PathProblem, PathTerm, build_path_problem, path_gram, rounded

__all__ = [
    "PULL",
    "JointPath",
    "Kept",
    "KeptDirection",
    "KeptRelation",
    "PathFit",
    "PathIterate",
    "PathProblem",
    "PathTerm",
    "Proof",
    "approach_kernel",
    "assembled",
    "build_path_problem",
    "curvature_step",
    "descend",
    "evaluated",
    "fit_at",
    "knot_density",
    "path_gram",
    "rounded",
    "solve_path",
    "stroke_noise",
]
