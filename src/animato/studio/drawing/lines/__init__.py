"""What was drawn: lines on boards with their timing, and what is wanted of their performance."""

from animato.studio.drawing.lines.board import KINDS, Board
from animato.studio.drawing.lines.drawn import Drawn
from animato.studio.drawing.lines.drawn_stroke import MOST_SAMPLES, DrawnStroke
from animato.studio.drawing.lines.grain import without_grain
from animato.studio.drawing.lines.reshaping import distance, redrawn, reshaped
from animato.studio.drawing.lines.sketching import sketch_of
from animato.studio.drawing.lines.wishes import DrawnWishes

__all__ = [
    "KINDS",
    "MOST_SAMPLES",
    "Board",
    "Drawn",
    "DrawnStroke",
    "DrawnWishes",
    "distance",
    "redrawn",
    "reshaped",
    "sketch_of",
    "without_grain",
]
