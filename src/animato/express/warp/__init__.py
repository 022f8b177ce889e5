"""Facing while the posture itself moves: warped clips, several end-points, an idle layer."""

from animato.express.warp.idle import IdleLayer
from animato.express.warp.several_end_points import SeveralEndPoints, SeveralFacing
from animato.express.warp.warped_clip import Warped, warp_clip
from animato.express.warp.warper import Warper

__all__ = [
    "IdleLayer",
    "SeveralEndPoints",
    "SeveralFacing",
    "Warped",
    "Warper",
    "warp_clip",
]
