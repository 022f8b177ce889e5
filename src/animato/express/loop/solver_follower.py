"""A facing solver as the solver of a loop: each target anew, without a plan for the way between answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.express.facing import Reach, facing_problem_of
from animato.express.options import Options
from animato.express.published import Method, solve_facing_by
from animato.mechanics.tree import Chain


@dataclass(frozen=True, eq=False)
class Solved:
    """An answer: positions [rad or m], [n]. Changes of branch are jumps, never plans."""

    positions: np.ndarray
    changing: bool = False


class SolverFollower:
    """Follows an orientation with `solve_facing`.

    Args:
        chain: The joints and the end-point.
        posture: What is held [rad or m], [n].
        options: Weights and the roll that costs nothing; ERIK knows none. The rate means nothing here.
        method: As for `solve_facing_by`.
        reach: "global" takes the best answer for each target, however far it is from the last; "local" only goes
            on from the last.
    """

    def __init__(
        self,
        chain: Chain,
        posture: np.ndarray,
        options: Options,
        *,
        method: Method = "animato",
        reach: Reach = "global",
    ) -> None:
        self._problem = facing_problem_of(chain, posture, options)
        self._method: Method = method
        self._reach: Reach = reach
        self.reset()

    def reset(self, positions: np.ndarray | None = None) -> None:
        """Starts anew from joint positions [rad or m], [n]; from the posture where not given."""
        self._positions = self._problem.posture if positions is None else positions

    def update(self, target_wxyz: np.ndarray) -> Solved:
        """The set-points of the next frame."""
        facing = solve_facing_by(self._method, self._problem, target_wxyz, self._positions, reach=self._reach)
        self._positions = facing.positions
        return Solved(facing.positions)
