"""The methods as the papers print them, beside which ours are measured."""

from animato.express.published.dls import DlsTuning
from animato.express.published.methods import DEFAULT_DLS, METHODS, Method, solve_facing_by, solve_facings_dls
from animato.express.published.printed_filter import printed_recursion

__all__ = [
    "DEFAULT_DLS",
    "METHODS",
    "DlsTuning",
    "Method",
    "printed_recursion",
    "solve_facing_by",
    "solve_facings_dls",
]
