"""Following a moving target: branches, plans and detours."""

from animato.express.tracking.follower import Follower, FollowerBuilder, build_follower
from animato.express.tracking.tracker import TOP_SPEED, Tracker

__all__ = [
    "TOP_SPEED",
    "Follower",
    "FollowerBuilder",
    "Tracker",
    "build_follower",
]
