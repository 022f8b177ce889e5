"""Follows what moves without popping: on one branch of solutions, and by a planned motion to another.

Each frame the facing problem is solved inside the box that the joints can reach in that frame, so the answer cannot
jump. Joint limits make some branches end: the chain would get stuck or its posture would suffer. So, a slice every
frame, a planner looks ahead along the target as far as its predictions have proved right, and the chain is led along
its course. What stands is faced and then left alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError
from animato.express.facing import (
    HALF_TURN,
    REST,
    FacingError,
    FacingProblem,
    numbers,
    targets_of,
    upright,
)
from animato.express.gaze import tip_pose
from animato.express.options import Options
from animato.express.tracking.band import NEXT, follow_band
from animato.express.tracking.branches import held_at, missed_at, price_of_start
from animato.express.tracking.constants import TRACKING
from animato.express.tracking.goal import Goal
from animato.express.tracking.held import Held
from animato.express.tracking.leap import Leaper
from animato.express.tracking.plan import Planner
from animato.express.tracking.prediction import Prediction, turned_both
from animato.kernels.quaternions import Vector
from animato.spatial import quaternions


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
    """Follows orientations or points at a fixed rate; causal, deterministic, never raises for what the numbers are.

    Args:
        problem: The posture to hold.
        options: Rate of the frames, top speed and acceleration, and how far to look ahead; the default ones where not
            given. Limits of the character hold in the motion filter behind this.
    """

    def __init__(self, problem: FacingProblem, options: Options | None = None) -> None:
        chosen = options or Options()
        self.problem = problem
        self.step_s = 1.0 / chosen.rate_hz
        self.frames = max(1, round(chosen.look_s * chosen.rate_hz))  # from knot to knot
        self.held = Held(problem)
        speeds, accelerations = _able(problem, chosen, len(self.held.setting.full))
        self.moves = (speeds * self.step_s, accelerations * self.step_s**2)
        joints = np.arange(len(speeds)) < len(self.held.columns)  # the roll that costs nothing is no joint
        self.calm_moves = (
            np.where(joints, np.minimum(speeds, TRACKING.calm_speed), speeds) * self.step_s,
            np.where(joints, np.minimum(accelerations, TRACKING.calm_acceleration), accelerations) * self.step_s**2,
        )
        between_s = self.frames * self.step_s
        knots = max(TRACKING.fewest_knots, int(chosen.horizon_s / between_s))
        move = TRACKING.planned_speed * speeds * between_s
        self.ways = 2 if problem.weights.symmetric else 1
        pivot = problem.chain.at_zero().origin[0].tolist()
        self.pivot: Vector = (pivot[0], pivot[1], pivot[2])
        self.marks = np.zeros((2, 3))
        self.prediction = Prediction(self.step_s, chosen.horizon_s)
        self.planner = Planner(
            self.held.setting, self.ways, knots, between_s, move, changing=knots > TRACKING.fewest_knots
        )
        self.leaper = Leaper(problem, self.held.setting, self.step_s, speeds[: len(self.held.columns)])
        self.reset()
        self._warm_up()

    def _warm_up(self) -> None:
        """Calls what is seldom needed, so that none of it is compiled or loaded while the chain moves."""
        turn = quaternions.quaternion_about((0.6, 0.8, 0.0), 1.0)
        for target in (np.array([1.0, 0.0, 0.0, 0.0]), turn):
            self.update(target)
        self.look((1.0, 2.0, 1e3))
        if self.goal is not None:
            self.leaper.better(self.goal, self.q, math.inf, self.planner)
        self.reset()

    def reset(self, positions: ArrayLike | None = None) -> None:
        """Starts anew, from positions [rad or m], [n], or wherever the first target is faced best."""
        count = len(self.problem.chain.names)
        start = self.held.posture if positions is None else numbers(positions, "The positions to start from")
        if start.shape != (count,) or not np.all(np.isfinite(start)):
            raise MotionError(f"A tracker starts from {count} finite positions, given {start}.")
        rolled = len(self.held.setting.full) - count
        self.q = np.append(start, np.zeros(rolled))[None]
        self.v = np.zeros(len(self.held.setting.full))
        self.goal: Goal | None = None
        self.rest: Goal | None = None
        self.prediction.forget()
        self.placed = positions is not None
        self.changing = False
        self.leaper.begin()
        self.changes = self.leaps = 0
        self.frame = 0
        self.planner.begin(self.q, 0)

    def hold(self, posture: np.ndarray) -> None:
        """Holds another posture from the next frame on [rad or m], [n]."""
        if not np.array_equal(posture, self.held.posture):
            self._stir()
            self.held.hold(posture)
            self.leaper.held = posture

    def weigh(self, orientation: float | None = None, posture: float | None = None) -> None:
        """Weighs the errors anew from the next frame on; one that is not given stays as it is."""
        old = self.held.weights
        orientation = old.orientation if orientation is None else orientation
        self.held.weigh(old._replace(orientation=orientation, posture=old.posture if posture is None else posture))
        self.planner.setting = self.leaper.setting = self.held.setting
        self._stir()

    def update(self, target_wxyz: ArrayLike) -> Tracked:
        """Moves one frame towards facing an orientation; numbers that are no rotation leave the last goal in force.

        Raises:
            MotionError: The target is not numbers.
        """
        target = numbers(target_wxyz, "A target")
        length = np.linalg.norm(target) if target.shape == (4,) else np.nan
        if np.isfinite(length) and length > 1e-9:
            frame = self.problem.frame
            rest, half_turn = frame[REST : REST + 1], frame[HALF_TURN : HALF_TURN + 1]
            aims = targets_of(target[None] / length, rest, half_turn, self.ways == 2)
            return self._advance(Goal(aims))
        return self._tracked() if self.goal is None else self._advance(self.goal)

    def look(self, point: ArrayLike, roll: float = 0.0) -> Tracked:
        """Moves one frame towards looking at a point from wherever the eye then is; what is no point changes nothing.

        Args:
            point: In the world [m], [3].
            roll: Turn about the line of sight from upright [rad]; means nothing where any roll will do.

        Raises:
            MotionError: The point is not numbers.
        """
        where = numbers(point, "A point")
        if where.shape == (3,) and np.all(np.isfinite(where)):
            x, y, z = where.tolist()
            facing = self.held.facing
            aims = quaternions.quaternion_about(facing, roll)[None]
            if self.ways == 2:
                aims = np.vstack([aims, quaternions.quaternion_about(facing, roll + math.pi)])
            return self._advance(Goal(aims, (x, y, z), self.pivot))
        return self._tracked() if self.goal is None else self._advance(self.goal)

    def _advance(self, goal: Goal) -> Tracked:
        first, self.goal = self.goal is None, goal
        self.prediction.see(*self._directions(goal))
        if first:
            self._place(goal)
        if self.prediction.jumped and not first:
            self._go(*self.leaper.nearest(goal, self.q))
        if self._rests(goal):
            return self._tracked()
        self.planner.think(goal, self.prediction, self.frame * self.step_s)
        self.frame += 1
        self._move(goal)
        self._count()
        self._leap(goal)
        if self.frame == self.frames:
            self.frame = 0
            self.planner.pass_knot(self.q)
        return self._tracked()

    def _move(self, goal: Goal) -> None:
        """One frame along the band: gently as long as that faces, so that what performs it can follow, or else fast."""
        band, share = self.planner.band, self.frame / self.frames
        start = self.q.copy(), self.v.copy()
        if not band.changing[NEXT]:
            follow_band(self.held.setting, band, goal.aims, goal.point, share, *self.calm_moves, self.q, self.v)
            way = int(band.kind[NEXT])
            _, angle = missed_at(self.held.setting, goal.aims[way : way + 1], goal.point, self.q)
            if angle < TRACKING.nearly_faced_rad:
                return
            self.q[:], self.v[:] = start
        follow_band(self.held.setting, band, goal.aims, goal.point, share, *self.moves, self.q, self.v)

    def _stir(self) -> None:
        """Something else is held: what stands has to be faced anew before anything rests."""
        self.rest = None
        self.prediction.still_s = 0.0

    def _rests(self, goal: Goal) -> bool:
        """Whether what is faced has stood so long that nothing is to move any more."""
        if self.rest is not None:
            same = np.abs(goal.aims - self.rest.aims).max() < TRACKING.rest_move
            if same and (goal.point == self.rest.point or math.dist(goal.point, self.rest.point) < TRACKING.rest_move):
                return True
            self.rest = None
        slow = np.abs(self.v[: len(self.held.columns)]).max() < TRACKING.rest_move
        if self.prediction.still_s > TRACKING.rest_s and slow and not self.changing:
            self.rest = goal
            self.v[:] = 0.0
            self.planner.begin(self.q, int(self.planner.band.kind[NEXT]) % self.ways)
            self.frame = 0
            return True
        return False

    def _directions(self, goal: Goal) -> tuple[np.ndarray, np.ndarray]:
        """Two directions of what is faced; twice that of a point."""
        if goal.point[0] < math.inf:
            away = np.array(goal.point) - np.array(self.pivot)
            away /= max(float(np.linalg.norm(away)), 1e-9)
            return away, away
        turned_both(goal.aims, self.held.facing, self.held.upward, self.marks)
        return self.marks[0], self.marks[1]

    def _count(self) -> None:
        changing = bool(self.planner.band.changing[NEXT])
        self.changes += changing and not self.changing
        self.changing = changing

    def _leap(self, goal: Goal) -> None:
        """Where facing is lost, goes straight to another branch as soon as that pays: the filter takes it there."""
        way = int(self.planner.band.kind[NEXT])
        error, angle = missed_at(self.held.setting, goal.aims[way : way + 1], goal.point, self.q)
        still = self.prediction.still_s > TRACKING.soon_still_s  # what stands is faced exactly, or not at all
        if angle < (TRACKING.nearly_faced_rad if still else TRACKING.lost_rad) or self.changing:
            self.leaper.reset()
            return
        found = self.leaper.better(goal, self.q, error, self.planner)
        if found is not None:
            self._go(*found)

    def _go(self, q: np.ndarray, way: int) -> None:
        """Leaps to a configuration [1, m] that faces this way up."""
        self.q[:] = q
        self.v[:] = 0.0
        self.leaps += 1
        self.changes += 1
        self.changing, self.frame = False, 0
        self.leaper.reset()
        self.planner.begin(self.q, way)

    def _place(self, goal: Goal) -> None:
        """Begins at a good solution for the first target that is wound up little."""
        ways = [goal.aims[way : way + 1] for way in range(len(goal.aims))]
        setting = self.held.setting
        if not self.placed:
            rows = self.planner.spread(TRACKING.first_starts)
            rows[0] = self.q[0]
            prices = [
                price_of_start(setting, ways[n % len(ways)], goal.point, rows, n) for n in range(TRACKING.first_starts)
            ]
            self.q[0] = rows[int(np.argmin(prices))]
        errors = [held_at(setting, aim, goal.point, self.q) for aim in ways]
        self.planner.begin(self.q, int(np.argmin(errors)))
        self.placed = True

    def _tracked(self) -> Tracked:
        problem, count = self.problem, len(self.held.columns)
        positions = self.q[0, :count].copy()
        found = np.full((1, 5), np.nan)
        if self.goal is not None:
            angles, columns = np.zeros((2, len(problem.psi))), problem.turns.columns
            angles[0, : len(columns)], angles[1, : len(columns)] = positions[columns], self.held.posture[columns]
            problem.write_errors(self._wanted(self.goal, positions)[None], angles[:1], found, angles[1])
        error = FacingError(*(float(one) for one in found[0, :4]))
        return Tracked(positions, error, self.changing, self.changes, self.leaps)

    def _wanted(self, goal: Goal, positions: np.ndarray) -> np.ndarray:
        """The orientation of the end-point that a goal asks for, wxyz, [4]."""
        turn = goal.aims[0]
        if goal.point[0] < math.inf:
            eye = tip_pose(self.problem.chain, positions)[1]
            away = np.array(goal.point) - eye
            away /= max(float(np.linalg.norm(away)), 1e-9)
            place = self.held.setting.problem.place
            level = upright(tuple(place[-2, :3]), tuple(place[-1, :3]), tuple(away), 0.0)
            turn = quaternions.multiply(np.array(level), turn)
        return quaternions.multiply(turn, self.problem.frame[REST])


def _able(problem: FacingProblem, options: Options, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Top speed and acceleration of each joint, as the options and the character have them; of the roll joint any."""
    speeds, accelerations = np.full((2, count), 1e6)
    for n, limits in enumerate(problem.chain.limits):
        speeds[n] = min(options.top_speed_rad_s, TRACKING.able_speed * (limits.velocity or np.inf))
        accelerations[n] = min(
            options.top_acceleration_rad_s2, TRACKING.able_acceleration * (limits.acceleration or np.inf)
        )
    return speeds, accelerations
