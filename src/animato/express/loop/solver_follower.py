"""A facing solver as the solver of a loop: each target anew, without a plan for the way between answers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.express.facing import Reach, facing_problem_of
from animato.express.gaze import solve_gaze
from animato.express.options import Method, Options
from animato.express.published import DlsTuning, solve_facing_by
from animato.express.tracking import Follower, build_follower
from animato.mechanics.tree import Chain

_SOLVES = 6  # for a point in one frame; the next frame goes on
_THERE = 1e-9  # [m] by which the eye may be elsewhere


@dataclass(frozen=True, eq=False)
class Solved:
    """An answer: positions [rad or m], [n]. Changes of branch are jumps that nobody notices, never plans."""

    positions: np.ndarray
    changing: bool = False
    leaps: int = 0


class SolverFollower:
    """Follows an orientation with `solve_facing_by`.

    Args:
        chain: The joints and the end-point.
        posture: What is held [rad or m], [n].
        options: Weights, the roll that costs nothing, which ERIK does not know, and what the published methods take.
            The rate means nothing here.
        method: As for `solve_facing_by`; that of the options where not given.
        reach: "global" takes the best answer for each target, however far it is from the last; "local" only goes
            on from the last.
    """

    def __init__(
        self,
        chain: Chain,
        posture: np.ndarray,
        options: Options,
        *,
        method: Method | None = None,
        reach: Reach = "global",
    ) -> None:
        self._problem = facing_problem_of(chain, posture, options)
        self._options = options
        self._method: Method = options.method if method is None else method
        self._reach: Reach = reach
        self._dls = DlsTuning(iterations=int(options.dls_iterations))
        self.reset()

    def reset(self, positions: np.ndarray | None = None) -> None:
        """Starts anew from joint positions [rad or m], [n]; from the posture where not given."""
        self._positions = self._problem.posture if positions is None else positions

    def hold(self, posture: np.ndarray) -> None:
        """Holds another posture from the next frame on [rad or m], [n]."""
        self._problem = self._problem.holding(posture)

    def weigh(self, orientation: float | None = None, posture: float | None = None) -> None:
        """Weighs the errors anew; one that is not given stays as it is."""
        weights = self._problem.weights
        self._options = replace(
            self._options,
            orientation_weight=weights.orientation if orientation is None else orientation,
            posture_weight=weights.posture if posture is None else posture,
        )
        self._problem = facing_problem_of(self._problem.chain, self._problem.posture, self._options)

    def update(self, target_wxyz: np.ndarray) -> Solved:
        """The set-points of the next frame."""
        facing = solve_facing_by(
            self._method,
            self._problem,
            target_wxyz,
            self._positions,
            reach=self._reach,
            dls=self._dls,
            options=self._options,
        )
        self._positions = facing.positions
        return Solved(facing.positions)

    def look(self, point: np.ndarray, roll: float = 0.0) -> Solved:
        """The set-points of the next frame for a point: some solutions, each from where the eye of the last one is."""
        gaze = solve_gaze(
            self._problem.chain,
            point,
            lambda target: self.update(target).positions,
            self._positions,
            roll=roll,
            tolerance=_THERE,
            max_solves=_SOLVES,
        )
        self._positions = gaze.positions
        return Solved(gaze.positions)


def follower_by_method(chain: Chain, posture: np.ndarray, options: Options) -> Follower:
    """The follower that the options choose: animato's tracker, or a published method that solves each target anew.

    Args:
        chain: The joints and the end-point.
        posture: What is held [rad or m], [n].
        options: Where no roll tolerance is given, the roll is exact.
    """
    if options.method == "animato":
        return build_follower(chain, posture, options)
    return SolverFollower(chain, posture, options)
