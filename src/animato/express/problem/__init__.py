"""What is asked: who holds which posture, what is to be faced when, and how."""

from animato.express.problem.problem import Problem, build
from animato.express.problem.target import Target, as_target, parse_target

__all__ = [
    "Problem",
    "Target",
    "as_target",
    "build",
    "parse_target",
]
