"""ERIK, as Ribeiro and Paiva print it (2019)."""

from animato.express.published.erik.hyper_parameters import ErikHyperParameters, hyper_parameters_of
from animato.express.published.erik.solver import (
    ErikModel,
    ErikStatus,
    build_erik,
    erik_model,
    solve_erik,
    solve_erik_batch,
)

__all__ = [
    "ErikHyperParameters",
    "ErikModel",
    "ErikStatus",
    "build_erik",
    "erik_model",
    "hyper_parameters_of",
    "solve_erik",
    "solve_erik_batch",
]
