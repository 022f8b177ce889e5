"""Facing while the posture itself moves: warped clips, an idle layer."""

from animato.express.warp.idle import IdleLayer
from animato.express.warp.warped_clip import Warped, warp_clip

__all__ = [
    "IdleLayer",
    "Warped",
    "warp_clip",
]
