"""Lines of an SVG drawing: every shape with every transform, bounded before anything is made of it."""

from animato.formats.strokes.svg.tree import Drawing, DrawnShape, read_drawing

__all__ = [
    "Drawing",
    "DrawnShape",
    "read_drawing",
]
