"""What is held: a posture said in any way, and the layer that goes from one to the next without a jump."""

from animato.express.postures.bone_points import bone_chain, bone_points
from animato.express.postures.joint_points import FittedPoints, fit_points, joint_points
from animato.express.postures.played_clip import PlayedClip, clip_of_motion
from animato.express.postures.posture_layer import BLEND_S, PostureLayer
from animato.express.postures.said_posture import MotionFrame, SomePosture, posture_of, posture_positions

__all__ = [
    "BLEND_S",
    "FittedPoints",
    "MotionFrame",
    "PlayedClip",
    "PostureLayer",
    "SomePosture",
    "bone_chain",
    "bone_points",
    "clip_of_motion",
    "fit_points",
    "joint_points",
    "posture_of",
    "posture_positions",
]
