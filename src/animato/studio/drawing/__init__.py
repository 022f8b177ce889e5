"""Drawing with the robot: lines on a board, followed while they are drawn and performed when the pen is lifted."""

from animato.studio.drawing.draw_tool import DrawTool
from animato.studio.drawing.lines import Board, Drawn, DrawnStroke, DrawnWishes
from animato.studio.drawing.performing import Performed, performed, traced
from animato.studio.drawing.starting import wished_start
from animato.studio.drawing.stroke_files import STUDIO, strokes_of

__all__ = [
    "STUDIO",
    "Board",
    "DrawTool",
    "Drawn",
    "DrawnStroke",
    "DrawnWishes",
    "Performed",
    "performed",
    "strokes_of",
    "traced",
    "wished_start",
]
