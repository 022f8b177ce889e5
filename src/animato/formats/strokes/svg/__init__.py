"""Lines of an SVG drawing: every shape with every transform, bounded before anything is made of it."""

from animato.formats.strokes.svg.tree import DrawnShape, painted_shapes

__all__ = [
    "DrawnShape",
    "painted_shapes",
]
