"""Motion: clips, strokes, postures and captures."""

from animato.lazy import lazily
from animato.motion.arrays import frozen_array, rising_times, unique_names
from animato.motion.captured_motion import CapturedMotion
from animato.motion.captured_strokes import strokes_from_capture
from animato.motion.clip import Clip
from animato.motion.marker_motion import MarkerMotion
from animato.motion.posture import Posture
from animato.motion.smoothing import smoothed
from animato.motion.stroke import Stroke

Motion = Clip | CapturedMotion | MarkerMotion | Posture | Stroke

__all__ = [
    "CapturedMotion",
    "Clip",
    "MarkerMotion",
    "Motion",
    "Posture",
    "Stroke",
    "frozen_array",
    "rising_times",
    "smoothed",
    "strokes_from_capture",
    "unique_names",
]

__getattr__, __dir__ = lazily(__name__, {}, rooms=("transfer",))
