"""What the loop needs of a solver: set-points that follow a moving orientation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from animato.express.facing import facing_problem_of
from animato.express.options import Options
from animato.express.tracking.tracker import Tracker
from animato.mechanics.tree import Chain


class Followed(Protocol):
    """One answer of a follower."""

    @property
    def positions(self) -> np.ndarray:
        """Set-points of the chain's joints [rad or m], [n]."""

    @property
    def changing(self) -> bool:
        """Whether it is on its way from one branch of solutions to another."""

    @property
    def leaps(self) -> int:
        """Changes of branch so far that are jumps of the set-points."""


class Follower(Protocol):
    """Follows an orientation or a point, one frame at a time."""

    def reset(self, positions: np.ndarray | None = None) -> None:
        """Starts anew from joint positions [rad or m], [n]; from the posture where not given."""

    def hold(self, posture: np.ndarray) -> None:
        """Holds another posture from the next frame on [rad or m], [n]."""

    def weigh(self, orientation: float | None = None, posture: float | None = None) -> None:
        """Weighs the errors anew from the next frame on; one that is not given stays as it is."""

    def update(self, target_wxyz: np.ndarray) -> Followed:
        """The set-points of the next frame, which face an orientation."""

    def look(self, point: np.ndarray, roll: float = 0.0) -> Followed:
        """The set-points of the next frame, which look at a point [m] from wherever the eye then is, [3].

        The roll is about the line of sight from upright [rad]; it means nothing where any roll will do.
        """


FollowerBuilder = Callable[[Chain, np.ndarray, Options], Follower]
"""Makes a follower of a chain, the posture it holds [n], and options: `rate_hz` says how often it will be asked, and
`roll_tolerance_rad` is a number."""


def build_follower(chain: Chain, posture: np.ndarray, options: Options) -> Follower:
    """The default: animato's own solver, tracked without pops.

    Args:
        chain: The joints and the end-point.
        posture: What is held [rad or m], [n].
        options: Where no roll tolerance is given, the roll is exact.
    """
    return Tracker(facing_problem_of(chain, posture, options), options)
