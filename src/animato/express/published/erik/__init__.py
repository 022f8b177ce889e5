"""ERIK, as Ribeiro and Paiva print it (2019)."""

from animato.express.published.erik.solver import ErikModel, ErikStatus, build_erik, solve_erik, solve_erik_batch

__all__ = [
    "ErikModel",
    "ErikStatus",
    "build_erik",
    "solve_erik",
    "solve_erik_batch",
]
