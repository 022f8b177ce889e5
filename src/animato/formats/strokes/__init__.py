"""Strokes: JSON, CSV and SVG."""

from animato.formats.strokes.reader import StrokeFileReading, read_stroke, read_strokes, shipped_strokes

__all__ = [
    "StrokeFileReading",
    "read_stroke",
    "read_strokes",
    "shipped_strokes",
]
