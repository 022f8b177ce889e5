"""Follows a moving target without popping: on one branch of solutions, and by a planned motion to another.

Each frame the facing problem is solved inside the box that the joints can reach in that frame, so the answer cannot
jump. Joint limits make some branches end: the chain would get stuck or its posture would suffer. So, a slice every
frame, a planner looks ahead along the predicted target, and the chain is led along its course.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError
from animato.express.facing import (
    HALF_TURN,
    REST,
    BendMeasure,
    FacingError,
    FacingProblem,
    descent_memory,
    numbers,
    targets_of,
    write_errors,
)
from animato.express.options import Options
from animato.express.tracking.band import LEAP, NEXT, follow_band
from animato.express.tracking.branches import held_at, price_of_start
from animato.express.tracking.constants import TRACKING
from animato.express.tracking.kernel import Setting, take_turn
from animato.express.tracking.plan import Planner


@dataclass(frozen=True, eq=False)
class Tracked:
    """One frame.

    Attributes:
        positions: Set-points of the chain's joints [rad or m], [n].
        error: How well they face and hold.
        changing: Whether a change of branch is under way.
        changes: Changes of branch so far.
        leaps: Those of them that did not face all the time.
    """

    positions: np.ndarray
    error: FacingError
    changing: bool
    changes: int
    leaps: int


class Tracker:
    """Follows targets at a fixed rate; causal, deterministic, never raises for what the numbers are.

    Args:
        problem: The posture to hold.
        options: Rate of the frames, top speed and acceleration, and how far to look ahead; the default ones where not
            given. Limits of the character hold in the motion filter behind this.
    """

    def __init__(self, problem: FacingProblem, options: Options | None = None) -> None:
        chosen = options or Options()
        self.problem = problem
        self.step_s = 1.0 / chosen.rate_hz
        self.moves = (chosen.top_speed_rad_s * self.step_s, chosen.top_acceleration_rad_s2 * self.step_s**2)
        self.frames = max(1, round(chosen.look_s * chosen.rate_hz))  # from knot to knot
        arrays = problem.arrays._replace(limits=problem.arrays.limits.copy())
        full = np.ascontiguousarray(arrays.limits[:, :2])
        self.setting = Setting(arrays, full, len(problem.turns.columns), descent_memory(len(full)))
        ways = 2 if problem.weights.symmetric else 1
        between_s = self.frames * self.step_s
        knots = max(TRACKING.fewest_knots, int(chosen.horizon_s / between_s))
        move = TRACKING.planned_speed * chosen.top_speed_rad_s * between_s
        self.planner = Planner(self.setting, ways, knots, between_s, move, changing=knots > TRACKING.fewest_knots)
        self.reset()

    def reset(self, positions: ArrayLike | None = None) -> None:
        """Starts anew, from positions [rad or m], [n], or wherever the first target is faced best."""
        count = len(self.problem.chain.names)
        start = self.problem.posture if positions is None else numbers(positions, "The positions to start from")
        if start.shape != (count,) or not np.all(np.isfinite(start)):
            raise MotionError(f"A tracker starts from {count} finite positions, given {start}.")
        rolled = len(self.setting.full) - len(self.problem.turns.columns)
        self.q = np.append(start[self.problem.turns.columns], np.zeros(rolled))[None]
        self.v = np.zeros(len(self.setting.full))
        self.target: np.ndarray | None = None
        self.turning, self.unsteady, self.spin = np.zeros(3), np.zeros(1), np.zeros(3)
        self.placed = positions is not None
        self.changing = self.leaping = False
        self.changes = self.leaps = 0
        self.frame = 0
        self.planner.begin(self.q, 0)

    def update(self, target_wxyz: ArrayLike) -> Tracked:
        """Moves one frame towards facing a target; numbers that are no rotation leave the last one in force.

        Raises:
            MotionError: The target is not numbers.
        """
        first = self.target is None
        self._take(numbers(target_wxyz, "A target"))
        if self.target is None:
            return self._tracked()
        frame = self.problem.frame
        symmetric = self.problem.weights.symmetric
        aims = targets_of(self.target[None], frame[REST : REST + 1], frame[HALF_TURN : HALF_TURN + 1], symmetric)
        if first:
            self._place(aims)
        self.planner.think(aims, self.spin, self.frame * self.step_s)
        self.frame += 1
        share = self.frame / self.frames
        follow_band(self.setting, self.planner.band, aims, share, *self.moves, self.q, self.v)
        self._count()
        if self.frame == self.frames:
            self.frame = 0
            self.planner.pass_knot(self.q)
        return self._tracked()

    def _count(self) -> None:
        band = self.planner.band
        changing, leaping = bool(band.changing[NEXT]), bool(band.kind[NEXT] == LEAP)
        self.changes += changing and not self.changing
        self.leaps += leaping and not self.leaping
        self.changing, self.leaping = changing, leaping

    def _take(self, target: np.ndarray) -> None:
        """Takes the newest target and how fast targets turn."""
        length = np.linalg.norm(target) if target.shape == (4,) else np.nan
        if not (np.isfinite(length) and length > 1e-9):
            return
        newest = target / length
        if self.target is not None:
            self.spin = take_turn(self.target[None], newest[None], self.step_s, self.turning, self.unsteady)
        self.target = newest

    def _place(self, aims: np.ndarray) -> None:
        """Begins at a good solution for the first target that is wound up little; aims [1 or 2, 4]."""
        ways = [aims[way : way + 1] for way in range(len(aims))]
        if not self.placed:
            rows = self.planner.spread(TRACKING.first_starts)
            rows[0] = self.q[0]
            prices = [price_of_start(self.setting, ways[n % len(ways)], rows, n) for n in range(TRACKING.first_starts)]
            self.q[0] = rows[int(np.argmin(prices))]
        errors = [held_at(self.setting, aim, self.q) for aim in ways]
        self.planner.begin(self.q, int(np.argmin(errors)))
        self.placed = True

    def _tracked(self) -> Tracked:
        problem = self.problem
        positions = problem.posture.copy()
        columns = problem.turns.columns
        positions[columns] = self.q[0, : len(columns)]
        found = np.full((1, 5), np.nan)
        if self.target is not None:
            measure = BendMeasure(*problem.measure)
            weights = (problem.weights.orientation, problem.weights.posture)
            write_errors(
                problem.arrays.axis,
                problem.frame,
                measure,
                weights,
                problem.weights.symmetric,
                problem.roll_tolerance,
                problem.psi,
                self.target[None],
                self.q,
                0,
                found,
            )
        error = FacingError(*(float(one) for one in found[0, :4]))
        return Tracked(positions, error, self.changing, self.changes, self.leaps)
