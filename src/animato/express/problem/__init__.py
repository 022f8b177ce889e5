"""What is asked: who holds which posture, what is to be faced when, and how."""

from animato.express.problem.moving import held_positions
from animato.express.problem.problem import Problem, build
from animato.express.problem.said import FILTER_WORDS, WEIGHT_WORDS, Said, SaidPosture, parse_line
from animato.express.problem.target import TARGET_WORDS, Target, as_target, parse_target

__all__ = [
    "FILTER_WORDS",
    "TARGET_WORDS",
    "WEIGHT_WORDS",
    "Problem",
    "Said",
    "SaidPosture",
    "Target",
    "as_target",
    "build",
    "held_positions",
    "parse_line",
    "parse_target",
]
