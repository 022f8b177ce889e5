"""Following a moving target: branches, plans and detours."""

from animato.express.tracking.constants import TRACKING, TrackingConstants
from animato.express.tracking.follower import Followed, Follower, FollowerBuilder, build_follower
from animato.express.tracking.tracker import Tracked, Tracker

__all__ = [
    "TRACKING",
    "Followed",
    "Follower",
    "FollowerBuilder",
    "Tracked",
    "Tracker",
    "TrackingConstants",
    "build_follower",
]
