"""The demonstrators of design, and its demo."""

from animato.gallery.design.demo import make_design_demo, save_design
from animato.gallery.design.request import parsed_weights, requested_problem

__all__ = [
    "make_design_demo",
    "parsed_weights",
    "requested_problem",
    "save_design",
]
