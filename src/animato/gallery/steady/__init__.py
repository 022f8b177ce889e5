"""The demonstrators of steady: seven animations that shake their characters."""

from animato.gallery.steady.demonstrators import DEMONSTRATORS, Demonstrator, demonstrator, save_animations
from animato.gallery.steady.published import TABLE_1, Published

__all__ = ["DEMONSTRATORS", "TABLE_1", "Demonstrator", "Published", "demonstrator", "save_animations"]
