"""A film by itself: as a page, and in a notebook."""

from animato.report.playing.frame import film_frame
from animato.report.playing.page import film_of, save_page
from animato.report.playing.showing import show

__all__ = [
    "film_frame",
    "film_of",
    "save_page",
    "show",
]
