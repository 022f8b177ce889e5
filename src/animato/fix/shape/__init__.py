"""Shape gives way: a sequence of convex programs over control points."""

from animato.fix.shape.mechanics import Mechanics, MomentRows, Motion
from animato.fix.shape.motor_rows import MotorRows
from animato.fix.shape.moving import ROOT, Moving, linear_bounds, moving_of
from animato.fix.shape.request import MechanicsAt, Request
from animato.fix.shape.sequence import SequenceOptions
from animato.fix.shape.shaping import Broken, ShapedClip, broken_in, shaped_clip
from animato.fix.shape.standing_mechanics import StandingMechanics
from animato.fix.shape.tree_mechanics import TreeMechanics

__all__ = [
    "ROOT",
    "Broken",
    "Mechanics",
    "MechanicsAt",
    "MomentRows",
    "Motion",
    "MotorRows",
    "Moving",
    "Request",
    "SequenceOptions",
    "ShapedClip",
    "StandingMechanics",
    "TreeMechanics",
    "broken_in",
    "linear_bounds",
    "moving_of",
    "shaped_clip",
]
