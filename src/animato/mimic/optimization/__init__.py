"""The search: the whole clip as one problem."""

from animato.mimic.optimization.solution import Solution
from animato.mimic.optimization.solving import solve

__all__ = [
    "Solution",
    "solve",
]
