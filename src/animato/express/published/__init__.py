"""The methods as the papers print them, beside which ours are measured."""

from animato.express.published.dls import DlsTuning
from animato.express.published.methods import METHODS, Method, solve_facing_by, solve_facings_dls

__all__ = [
    "METHODS",
    "DlsTuning",
    "Method",
    "solve_facing_by",
    "solve_facings_dls",
]
