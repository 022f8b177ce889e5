"""The method as the paper prints it, beside which ours is measured."""

from animato.steady.published.continuous_adjoint import continuous_gradient
from animato.steady.published.orientation_term import orientation_term
from animato.steady.published.simpson import simpson_weights
from animato.steady.published.solving import PublishedObjective, PublishedSolution, solve_published

__all__ = [
    "PublishedObjective",
    "PublishedSolution",
    "continuous_gradient",
    "orientation_term",
    "simpson_weights",
    "solve_published",
]
