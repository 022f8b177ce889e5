"""Steady problems: what is to follow the artist's motion, in which models of the character."""

from animato.steady.problem.problem import Problem, build
from animato.steady.problem.scenarios import Scenario, Variation, variations

__all__ = ["Problem", "Scenario", "Variation", "build", "variations"]
