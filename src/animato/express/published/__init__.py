"""The methods as the papers print them, beside which ours are measured."""

from animato.express.published.dls import DlsTuning
from animato.express.published.methods import DEFAULT_DLS, solve_facing_by, solve_facings_dls
from animato.express.published.printed_filter import printed_recursion

__all__ = [
    "DEFAULT_DLS",
    "DlsTuning",
    "printed_recursion",
    "solve_facing_by",
    "solve_facings_dls",
]
