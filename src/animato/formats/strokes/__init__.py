"""Strokes: JSON, CSV and SVG."""

from animato.formats.strokes.reader import load_strokes

__all__ = [
    "load_strokes",
]
