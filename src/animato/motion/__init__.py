"""What the artist made: clips, strokes, postures, captures. Frozen."""

from animato.motion.captured_motion import CapturedMotion
from animato.motion.clip import Clip
from animato.motion.marker_motion import MarkerMotion
from animato.motion.posture import Posture
from animato.motion.stroke import Stroke

Motion = Clip | CapturedMotion | MarkerMotion | Posture | Stroke

__all__ = ["CapturedMotion", "Clip", "MarkerMotion", "Motion", "Posture", "Stroke"]
