"""Which of those that aim a problem needs: one end-point, several, or those that hang on closed loops."""

from __future__ import annotations

from animato.express.aiming import Aims
from animato.express.loop.target_follower import TargetFollower
from animato.express.mechanism import MechanismAims
from animato.express.problem import Problem
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
        return SharedAims(problem, lambda alone: TargetFollower(alone, build))
    return TargetFollower(problem, build)
