"""The methods as the papers print them, beside which ours are measured."""

from animato.express.published.dls import DlsTuning
from animato.express.published.methods import METHODS, Method, solve_facing_by, solve_facings_dls
from animato.express.published.printed_filter import printed_recursion

__all__ = [
    "METHODS",
    "DlsTuning",
    "Method",
    "printed_recursion",
    "solve_facing_by",
    "solve_facings_dls",
]
