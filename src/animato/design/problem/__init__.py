"""What is asked of a design, from targets to one problem."""

from animato.design.problem.problem import DesignProblem, Optimize, TargetMotion, build_design_problem
from animato.design.problem.rate_limit import rate_limited
from animato.design.problem.target_files import TARGET_SUFFIXES, load_target_motion

__all__ = [
    "TARGET_SUFFIXES",
    "DesignProblem",
    "Optimize",
    "TargetMotion",
    "build_design_problem",
    "load_target_motion",
    "rate_limited",
]
