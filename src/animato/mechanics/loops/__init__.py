"""Mechanics of closed loops: kinematics, and how near to a singular pose it comes."""

from animato.mechanics.loops.clip import clip_with_loops, loop_motion
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.mechanics.loops.motion import LoopMotion
from animato.mechanics.loops.newton import Compromise, newton

__all__ = [
    "Compromise",
    "LoopMotion",
    "clip_with_loops",
    "loop_kinematics",
    "loop_motion",
    "newton",
]
