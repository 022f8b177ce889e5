"""What was drawn: strokes, their times, and where they lie in the robot's world."""

from animato.trace.sketch.accents import Accent, accents_of_pressure, with_accents
from animato.trace.sketch.body_points import known_points, with_body_points
from animato.trace.sketch.captured_strokes import fitted_to_posture, golf_from_capture
from animato.trace.sketch.drawn_timing import DrawnTiming
from animato.trace.sketch.loading import load_strokes
from animato.trace.sketch.outliers import LeftOut, leaps
from animato.trace.sketch.pen_lifts import joined_lines, mean_normal, usual_lift
from animato.trace.sketch.plane import Plane, parse_plane, placed
from animato.trace.sketch.reach import step_towards
from animato.trace.sketch.reach_fitting import fitted_plane
from animato.trace.sketch.sketch import Sketch, build_sketch, without_noise
from animato.trace.sketch.stroke_smoothing import smoothed_stroke
from animato.trace.sketch.stroke_timing import timed

__all__ = [
    "Accent",
    "DrawnTiming",
    "LeftOut",
    "Plane",
    "Sketch",
    "accents_of_pressure",
    "build_sketch",
    "fitted_plane",
    "fitted_to_posture",
    "golf_from_capture",
    "joined_lines",
    "known_points",
    "leaps",
    "load_strokes",
    "mean_normal",
    "parse_plane",
    "placed",
    "smoothed_stroke",
    "step_towards",
    "timed",
    "usual_lift",
    "with_accents",
    "with_body_points",
    "without_noise",
]
