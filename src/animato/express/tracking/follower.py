"""What the loop needs of a solver: set-points that follow a moving orientation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from animato.mechanics.tree import Chain


class Followed(Protocol):
    """One answer of a follower."""

    @property
    def positions(self) -> np.ndarray:
        """Set-points of the chain's joints [rad or m], [n]."""

    @property
    def changing(self) -> bool:
        """Whether it is on its way from one branch of solutions to another."""


class Follower(Protocol):
    """Follows an orientation, one frame at a time."""

    def reset(self, positions: np.ndarray | None = None) -> None:
        """Starts anew from joint positions [rad or m], [n]; from the posture where not given."""

    def update(self, target_wxyz: np.ndarray) -> Followed:
        """The set-points of the next frame."""


FollowerBuilder = Callable[[Chain, np.ndarray, float, float], Follower]
"""Makes a follower of a chain, the posture it holds [n], its frames a second and the roll that costs nothing [rad]."""


def build_follower(chain: Chain, posture: np.ndarray, rate_hz: float, roll_tolerance: float) -> Follower:
    """The default: animato's own solver, tracked without pops.

    Args:
        chain: The joints and the end-point.
        posture: What is held [rad or m], [n].
        rate_hz: Frames a second [Hz].
        roll_tolerance: Turn about the facing axis that costs nothing, 0 to pi [rad].
    """
    from animato.express.facing import build_facing_problem
    from animato.express.tracking.tracker import Tracker

    return Tracker(build_facing_problem(chain, posture, roll=roll_tolerance), rate_hz)
