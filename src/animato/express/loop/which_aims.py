"""Which of those that aim a problem needs: one end-point, several, or those that hang on closed loops."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from animato.express.aiming import Aimed, Aims
from animato.express.loop.target_follower import TargetFollower
from animato.express.mechanism import MechanismAims
from animato.express.problem import Problem, Target
from animato.express.sharing import SharedAims
from animato.express.tracking import FollowerBuilder


def aims_of(problem: Problem, build: FollowerBuilder) -> Aims:
    """What faces the targets of a problem.

    Args:
        problem: Who holds what.
        build: Makes what follows the orientation of one end-point of a chain.
    """
    if problem.mechanism is not None:
        return MechanismAims(problem)
    if len(problem.end_points) > 1:
        return SharedAims(problem, lambda alone: OneEndPoint(alone, build))
    return OneEndPoint(problem, build)


class OneEndPoint:
    """The present follower of one end-point as `Aims`."""

    def __init__(self, problem: Problem, build: FollowerBuilder) -> None:
        self._follower = TargetFollower(problem, build)
        self.names, self._held = problem.names, problem.held

    def reset(self, positions: np.ndarray) -> None:
        """Starts anew."""
        self._follower.reset(positions)

    def hold(self, posture: np.ndarray) -> None:
        """Holds another posture."""
        self._held = posture

    def weigh(self, orientation: float | None = None, posture: float | None = None) -> None:
        """Weighs the errors anew."""

    def update(self, targets: Mapping[str, Target]) -> Aimed:
        """The set-points of the next frame."""
        for target in targets.values():
            aimed = self._follower.update(target)
            return Aimed(aimed.positions, targets, aimed.error_rad, aimed.changing)
        return Aimed(self._held.copy(), targets, 0.0, False)

    def error_of(self, positions: np.ndarray, targets: Mapping[str, Target]) -> float:
        """Angle by which positions are off."""
        return next((self._follower.error_of(positions, target) for target in targets.values()), 0.0)
