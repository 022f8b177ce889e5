"""The demonstrators of steady: seven animations that shake their characters."""

from animato.gallery.steady.demo import STEADY_DEMOS, make_steady_demo
from animato.gallery.steady.demonstrators import DEMONSTRATORS, Demonstrator, demonstrator, save_animations
from animato.gallery.steady.published import TABLE_1, Published

__all__ = [
    "DEMONSTRATORS",
    "STEADY_DEMOS",
    "TABLE_1",
    "Demonstrator",
    "Published",
    "demonstrator",
    "make_steady_demo",
    "save_animations",
]
