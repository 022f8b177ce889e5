"""Strokes: JSON, CSV and SVG."""

from animato.formats.strokes.json_strokes import strokes_json_text
from animato.formats.strokes.pen_stroke import PenStroke, in_sequence, lines_of
from animato.formats.strokes.reader import StrokeFileReading, read_stroke, read_strokes, shipped_strokes

__all__ = [
    "PenStroke",
    "StrokeFileReading",
    "in_sequence",
    "lines_of",
    "read_stroke",
    "read_strokes",
    "shipped_strokes",
    "strokes_json_text",
]
