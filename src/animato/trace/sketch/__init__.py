"""What was drawn: strokes, their times, and where they lie in the robot's world."""

from animato.trace.sketch.captured_strokes import golf_from_capture
from animato.trace.sketch.drawn_timing import DrawnTiming
from animato.trace.sketch.loading import load_strokes
from animato.trace.sketch.plane import Plane
from animato.trace.sketch.reach import step_towards
from animato.trace.sketch.sketch import Sketch, build_sketch

__all__ = [
    "DrawnTiming",
    "Plane",
    "Sketch",
    "build_sketch",
    "golf_from_capture",
    "load_strokes",
    "step_towards",
]
