"""Bones to joints: a captured skeleton's angles on a character."""

from animato.motion.transfer.angle_transfer import transfer_angles
from animato.motion.transfer.axis_angles import angles_about
from animato.motion.transfer.bone_names import BONE_WORDS, side_and_words
from animato.motion.transfer.rest_pose import measured_from_rest

__all__ = [
    "BONE_WORDS",
    "angles_about",
    "measured_from_rest",
    "side_and_words",
    "transfer_angles",
]
