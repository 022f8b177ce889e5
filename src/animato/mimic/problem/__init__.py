"""What is asked of `mimic`: a robot, a person, and what must hold."""

from animato.mimic.problem.building import build
from animato.mimic.problem.problem import Emphasis, Pin, Problem

__all__ = [
    "Emphasis",
    "Pin",
    "Problem",
    "build",
]
