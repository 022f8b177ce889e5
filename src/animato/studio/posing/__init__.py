"""Posing by hand: bodies that are dragged inside all limits, joints that are set, postures that are kept."""

from animato.studio.posing.figure import Figure
from animato.studio.posing.figure_keeper import build_figure
from animato.studio.posing.hand import Hand
from animato.studio.posing.live_pose import arrays_of, stance_at
from animato.studio.posing.pose_tool import PoseTool
from animato.studio.posing.stance import Stance
from animato.studio.posing.standing import Pin, standing_soles, stood_clip, stood_root

__all__ = [
    "Figure",
    "Hand",
    "Pin",
    "PoseTool",
    "Stance",
    "arrays_of",
    "build_figure",
    "stance_at",
    "standing_soles",
    "stood_clip",
    "stood_root",
]
