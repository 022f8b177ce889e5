"""What is in a clip and is no part of the motion: reference poses, whole turns, degrees taken for radians."""

from animato.loading.preparing.degrees import looks_like_degrees
from animato.loading.preparing.prepared import Prepared, prepared
from animato.loading.preparing.reference_poses import motion_frames
from animato.loading.preparing.whole_turns import without_whole_turns

__all__ = ["Prepared", "looks_like_degrees", "motion_frames", "prepared", "without_whole_turns"]
