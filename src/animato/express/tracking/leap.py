"""When facing is lost: whether to go straight to another branch of solutions, and to which.

A leap does not face on its way, so it is only thought of while the chain does not face anyway. Whether it pays depends
on how long that would last, which nobody knows. As in the ski-rental problem, the answer that is never much worse than
the best in hindsight is to leap as soon as staying has cost as much more than the other branch as the leap will cost.
What is foreseen counts as well: a target that has jumped is worth a leap at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing import REST, FacingProblem, solve_facing
from animato.express.tracking.branches import local_answer
from animato.express.tracking.constants import TRACKING
from animato.express.tracking.goal import Goal
from animato.express.tracking.kernel import Setting
from animato.express.tracking.plan import Planner
from animato.spatial import quaternions


class Answer(NamedTuple):
    """A configuration to leap to.

    Attributes:
        price: Of being there and getting there.
        error: Combined error there.
        row: [rad or m], [1, m].
        way: 0, or 1 for facing upside down.
    """

    price: float
    error: float
    row: np.ndarray
    way: int


class Leaper:
    """Looks for a better branch while facing is lost.

    Args:
        problem: Of the posture that is held at first.
        setting: What the kernels work with.
        step_s: From frame to frame [s].
        speeds: Of joints on a leap [rad/s or m/s], [m].
    """

    def __init__(self, problem: FacingProblem, setting: Setting, step_s: float, speeds: np.ndarray) -> None:
        self.problem, self.setting, self._step, self._speeds = problem, setting, step_s, speeds
        self.held = problem.posture
        self.begin()

    def begin(self) -> None:
        """Starts anew."""
        self._random = np.random.default_rng(0)
        self.reset()

    def reset(self) -> None:
        """Facing is not lost."""
        self._regret, self._lost = 0.0, 0
        self._best: np.ndarray | None = None

    def better(self, goal: Goal, q: np.ndarray, error: float, plan: Planner) -> tuple[np.ndarray, int] | None:
        """Where to leap to [1, m], and which way up; None where staying is as good.

        Args:
            goal: What is faced.
            q: Where the chain is [rad or m], [1, m].
            error: Combined error there.
            plan: What staying will cost.
        """
        first, self._lost = self._lost == 0, self._lost + 1
        if not first and self._lost % TRACKING.leap_every:
            return None
        found = self._answers(goal, q, self._starts(goal, q))
        most = TRACKING.leap_compared if first else 1
        found = [one for one in found if one.error < error - TRACKING.leap_gain][:most]
        if not found:
            return None
        ahead_s = plan.trusted_s + TRACKING.leap_ahead_s
        prices = [plan.cost_of(one.row, one.way) * ahead_s + self._cost(one.row, q) for one in found]
        best = found[int(np.argmin(prices))]
        self._best = best.row
        self._regret += (error - best.error) * self._step * (1 if first else TRACKING.leap_every)
        return (best.row, best.way) if self._regret + plan.cost_of_staying() * ahead_s > min(prices) else None

    def nearest(self, goal: Goal, q: np.ndarray) -> tuple[np.ndarray, int]:
        """Where to go for what has jumped [1, m], the answer next to the chain or a better one; and which way up."""
        self.reset()
        best = self._answers(goal, q, [q, *self._starts(goal, q)])[0]
        return best.row, best.way

    def _answers(self, goal: Goal, q: np.ndarray, starts: list[np.ndarray]) -> list[Answer]:
        """What is found downhill from starts [1, m], cheapest first."""
        found = []
        for start in starts:
            for way in range(len(goal.aims)):
                row = start.copy()
                error, _ = local_answer(self.setting, goal.aims[way : way + 1], goal.point, row)
                found.append(Answer(error * TRACKING.leap_ahead_s + self._cost(row, q), error, row, way))
        return sorted(found, key=lambda one: one.price)

    def _cost(self, row: np.ndarray, q: np.ndarray) -> float:
        """What not facing on the way costs."""
        seconds = TRACKING.leap_s + float(np.max(np.abs(row - q)[0, : self.setting.turning] / self._speeds))
        return TRACKING.leap_price * seconds

    def _starts(self, goal: Goal, q: np.ndarray) -> list[np.ndarray]:
        """From where to look, [1, m] each."""
        starts = [] if self._best is None else [self._best]
        if self._lost % TRACKING.leap_search == 0:
            starts.append(self._global(goal, q))
        full = self.setting.full
        lower, upper = np.maximum(full[:, 0], q[0] - np.pi), np.minimum(full[:, 1], q[0] + np.pi)
        few = TRACKING.leap_first if self._lost <= 1 else TRACKING.leap_starts
        return starts + [self._random.uniform(lower, upper)[None] for _ in range(few)]

    def _global(self, goal: Goal, q: np.ndarray) -> np.ndarray:
        """The best answer of all, for a point seen from where the eye is now."""
        if self.held is not self.problem.posture:
            self.problem = self.problem.holding(self.held)
            self.held = self.problem.posture
        target = quaternions.multiply(goal.aims[0], self.problem.frame[REST])
        count = self.setting.turning
        row = q.copy()
        row[0, :count] = solve_facing(self.problem, target, q[0, :count]).positions
        return row
