"""The search: the whole clip as one problem."""

from animato.mimic.optimization.model import ClipModel, ClipPoint
from animato.mimic.optimization.packing import renewed_terms, terms_of
from animato.mimic.optimization.solution import Solution
from animato.mimic.optimization.solving import solve
from animato.mimic.optimization.starting import standing_controls
from animato.mimic.optimization.terms import Terms, Weights

__all__ = [
    "ClipModel",
    "ClipPoint",
    "Solution",
    "Terms",
    "Weights",
    "renewed_terms",
    "solve",
    "standing_controls",
    "terms_of",
]
