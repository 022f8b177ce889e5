"""What is asked of `mimic`: a robot, a person, and what must hold."""

from animato.mimic.problem.building import at_times, build
from animato.mimic.problem.problem import Emphasis, Pin, Problem
from animato.mimic.problem.proportions import relative_landmarks
from animato.mimic.problem.timing import knots_at_pace

__all__ = [
    "Emphasis",
    "Pin",
    "Problem",
    "at_times",
    "build",
    "knots_at_pace",
    "relative_landmarks",
]
