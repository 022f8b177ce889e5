"""Clips joined without a jump; soft starts and stops."""

from animato.fix.joining.bridging import Bridge, bridge
from animato.fix.joining.join_clips import join
from animato.fix.joining.joined import Joined, Transition
from animato.fix.joining.soft_ends import soft_start, soft_stop
from animato.fix.joining.stances import Stance, stance_clip
from animato.fix.joining.transition_error import TransitionError

__all__ = [
    "Bridge",
    "Joined",
    "Stance",
    "Transition",
    "TransitionError",
    "bridge",
    "join",
    "soft_start",
    "soft_stop",
    "stance_clip",
]
