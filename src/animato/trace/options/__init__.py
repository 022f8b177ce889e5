"""What can be wanted of a trace, and said about a stroke. Nothing heavy is imported here: the command line reads it."""

from animato.trace.options.bounds import Bound, parsed_bounds
from animato.trace.options.options import Method, Options
from animato.trace.options.stroke_reading import StrokeReading

__all__ = [
    "Bound",
    "Method",
    "Options",
    "StrokeReading",
    "parsed_bounds",
]
