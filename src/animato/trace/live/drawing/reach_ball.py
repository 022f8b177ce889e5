"""Balls that hold all that points of a robot can reach: samples far beyond are drawn onto them.

What is drawn out there costs the robot no way, so it must not cost length of the line either.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.tree import PointKinematics

_POSTURES = 400
_WIDER = 1.2  # few random postures are quite stretched


@dataclass(frozen=True, eq=False)
class ReachBall:
    """A ball about a point's reach.

    Attributes:
        middle: [m], [3].
        radius: [m]; infinite where a joint slides without end.
    """

    middle: np.ndarray
    radius: float

    def drawn_in(self, place: np.ndarray) -> np.ndarray:
        """The place of the ball nearest to a place [m], [3]."""
        way = place - self.middle
        size = float(np.max(np.abs(way)))
        if not size > 0.0 or not np.isfinite(self.radius):
            return place
        far = size * float(np.linalg.norm(way / size))
        return place if far <= self.radius else self.middle + way / far * self.radius


def reach_balls(kinematics: PointKinematics) -> tuple[ReachBall, ...]:
    """A ball for each point, from random postures within the joint limits; joints without limits turn once around."""
    turning = ~np.isfinite(kinematics.upper - kinematics.lower)
    lower = np.where(turning, kinematics.start - np.pi, kinematics.lower)
    upper = np.where(turning, kinematics.start + np.pi, kinematics.upper)
    shares = np.random.default_rng(0).uniform(size=(_POSTURES, len(lower)))
    places = kinematics.places(np.vstack([kinematics.start, lower + shares * (upper - lower)]))
    endless = _slides_endlessly(kinematics, turning)
    found = []
    for k in range(len(kinematics.points)):
        middle = 0.5 * (places[:, k].min(axis=0) + places[:, k].max(axis=0))
        radius = _WIDER * float(np.linalg.norm(places[:, k] - middle, axis=1).max())
        found.append(ReachBall(middle, np.inf if endless else radius))
    return tuple(found)


def _slides_endlessly(kinematics: PointKinematics, unlimited: np.ndarray) -> bool:
    """Whether a joint without limits goes on and on: twice the turn then leads elsewhere."""
    if not np.any(unlimited):
        return False
    ends = np.stack([kinematics.start, kinematics.start])
    ends[1, unlimited] += 2.0 * np.pi
    places = kinematics.places(ends)
    return bool(np.abs(places[1] - places[0]).max() > 1e-9)
