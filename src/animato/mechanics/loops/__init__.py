"""Mechanics of closed loops: kinematics, and how near to a singular pose it comes."""

from animato.mechanics.loops.clip import clip_with_loops, loop_motion
from animato.mechanics.loops.kinematics import loop_kinematics
from animato.mechanics.loops.motion import LoopMotion
from animato.mechanics.loops.newton import newton
from animato.mechanics.loops.singular_values import UnitlessConstraints, smallest_singular_values

__all__ = [
    "LoopMotion",
    "UnitlessConstraints",
    "clip_with_loops",
    "loop_kinematics",
    "loop_motion",
    "newton",
    "smallest_singular_values",
]
