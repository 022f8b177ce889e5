"""Follows a moving target without popping: on one branch of solutions, and by a planned motion to another.

Each frame the facing problem is solved inside the box that the joints can reach in that frame, so the
answer cannot jump. Joint limits make some branches end: the chain would get stuck or its posture would
suffer. So, a slice every frame, the tracker looks ahead along the predicted target: it follows it from
where the chain is now, led towards each of the solutions that the global search finds for later moments,
and changes course where that pays. Most changes use the chain's spare freedom and go on facing; a leap
goes straight through joint space inside the speed limit, for chains that have none to spare.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError, OptionError
from animato.express.errors import FacingError, facing_errors
from animato.express.facing_arrays import LOWER
from animato.express.facing_descent import descent_memory
from animato.express.facing_kernel import Effort, Request, Search, advance, new_search
from animato.express.facing_problem import FacingProblem
from animato.express.facing_solver import solve_facing
from animato.express.tracking_kernel import ARRIVED, FACE, LEAP, look_ahead, track_step
from animato.spatial import quaternions

_SEARCH = Effort(faced=16, missed=4, short=6, finalists=4)
_APART = 0.15  # [rad] by which branches must differ to be looked at both
_MOST = 8  # branches of one moment that are looked at
_PULLS = (0.0005, 0.005, 0.05)
_GAIN, _LEAST_GAIN = 0.1, 1e-4  # share and amount of the error that a change must save
_SLICE = 400  # units of work of a search in one frame
_CONTENT = 1e-4  # error ahead below which nothing better is looked for
_NEW = 0.2  # share of the newest angular velocity in the prediction, which forgives noise
_DESPERATE = 0.05  # error ahead above which not facing for a moment is worth it


@dataclass(frozen=True, eq=False)
class Course:
    """Where the chain is led.

    Attributes:
        near: Angles of the turning joints [rad], [m].
        pull: How strongly.
        how: FACE or LEAP.
        way: 0, or 1 for facing upside down.
    """

    near: np.ndarray
    pull: float
    how: int
    way: int


@dataclass(frozen=True, eq=False)
class Searching:
    """A global search for a later target, under way."""

    request: Request
    search: Search


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
    """Follows targets at a fixed rate; causal, deterministic, never raises after it is built.

    Args:
        problem: The posture to hold.
        rate_hz: Frames a second.
        top_speed: Of any joint [rad/s]; limits of the character that are lower hold in the motion filter behind this.
        top_acceleration: Of any joint [rad/s^2].
        horizon_s: How far to look ahead; 0 never changes branch.
        look_s: Step of looking ahead.
    """

    def __init__(
        self,
        problem: FacingProblem,
        rate_hz: float,
        *,
        top_speed: float = 4.0,
        top_acceleration: float = 45.0,
        horizon_s: float = 8.0,
        look_s: float = 0.2,
    ) -> None:
        stated = {"rate_hz": rate_hz, "top_speed": top_speed, "top_acceleration": top_acceleration, "look_s": look_s}
        for name, value in stated.items():
            if not (np.isfinite(value) and value > 0.0):
                raise OptionError(f"The tracker's {name} must be a number above 0, not {value}.")
        self.problem = problem
        self.step_s = 1.0 / rate_hz
        self.speed, self.acceleration, self.look_s = top_speed, top_acceleration, look_s
        self.moments = (np.arange(int(max(0.0, horizon_s) / look_s)) + 1.0) * look_s
        self.arrays = problem.arrays._replace(limits=problem.arrays.limits.copy())
        self.limits = problem.arrays.limits[:, :2].copy()
        self.memory = descent_memory(len(self.limits))
        self.reset()

    def reset(self, positions: ArrayLike | None = None) -> None:
        """Starts anew, from positions [rad or m], [n], or wherever the first target is faced best."""
        count = len(self.problem.chain.names)
        start = self.problem.posture if positions is None else np.asarray(positions, dtype=np.float64)
        if start.shape != (count,) or not np.all(np.isfinite(start)):
            raise MotionError(f"A tracker starts from {count} finite positions, given {start}.")
        rolled = len(self.limits) - len(self.problem.turns.columns)
        self.q = np.append(start[self.problem.turns.columns], np.zeros(rolled))[None]
        self.v = np.zeros(len(self.limits))
        self.course = Course(self.q[0].copy(), 0.0, FACE, 0)
        self.target: np.ndarray | None = None
        self.spin = np.zeros(3)
        self.placed = positions is not None
        self.changes = self.leaps = 0
        self.queue: deque[float | Course | Searching] = deque()
        self.best: tuple[float, Course | None] = (np.inf, None)
        self.ahead = 0.0

    def update(self, target_wxyz: ArrayLike) -> Tracked:
        """Moves one frame towards facing a target; one that is no rotation leaves the last one in force."""
        self._take(np.asarray(target_wxyz, dtype=np.float64))
        if self.target is None:
            return self._tracked()
        if not self.placed:
            self._place(self.target)
        elif len(self.moments):
            self._think()
        aims = self._aims(self.target[None])
        course, dt = self.course, self.step_s
        track_step(
            self.arrays,
            self.limits,
            len(self.problem.turns.columns),
            tuple(aims[course.way, 0]),
            course.near,
            course.pull,
            course.how,
            self.speed * dt,
            self.acceleration * dt * dt,
            self.memory,
            self.q,
            self.v,
        )
        if self._changing and np.abs(self.q[0] - course.near).max() < ARRIVED:
            self.course = Course(course.near, 0.0, FACE, course.way)
        return self._tracked()

    @property
    def _changing(self) -> bool:
        return self.course.pull > 0.0 or self.course.how == LEAP

    def _take(self, target: np.ndarray) -> None:
        """Takes the newest target and how fast targets turn."""
        length = np.linalg.norm(target) if target.shape == (4,) else np.nan
        if not (np.isfinite(length) and length > 1e-9):
            return
        newest = target / length
        if self.target is not None:
            turn = quaternions.multiply(newest, quaternions.conjugate(self.target))
            spin = quaternions.rotation_vector_from_quaternion(turn) / self.step_s
            self.spin += _NEW * (spin - self.spin)
        self.target = newest

    def _place(self, target: np.ndarray) -> None:
        """Begins at the best solution for the first target."""
        positions = solve_facing(self.problem, target).positions
        self.q[0, : len(self.problem.turns.columns)] = positions[self.problem.turns.columns]
        aims = self._aims(target[None])
        left = []
        for way in range(len(aims)):
            trial, move = self.q.copy(), np.zeros(len(self.v))
            args = (self.q[0].copy(), 0.0, FACE, 1e-3, 1e-3, self.memory, trial, move)
            left.append(track_step(self.arrays, self.limits, len(self.v), tuple(aims[way, 0]), *args))
        self.course = Course(self.q[0].copy(), 0.0, FACE, int(np.argmin(left)))
        self.placed = True

    def _aims(self, targets: np.ndarray) -> np.ndarray:
        """What the product of turns should be, upright and upside down, [1 or 2, s, 4]."""
        turns = self.problem.turns
        back = quaternions.conjugate(turns.rest_wxyz)
        upright = quaternions.multiply(targets, back)
        if not self.problem.weights.symmetric:
            return upright[None]
        half_turn = np.concatenate([[0.0], turns.forward])
        return np.stack([upright, quaternions.multiply(quaternions.multiply(targets, half_turn), back)])

    def _predicted(self, moments: np.ndarray) -> np.ndarray:
        """Targets at moments from now [s], while they go on turning as they do, [s, 4]."""
        turns = quaternions.quaternion_from_rotation_vector(moments[:, None] * self.spin)
        return quaternions.multiply(turns, np.asarray(self.target))

    def _think(self) -> None:
        """One slice of planning: what lies ahead on this course, a search for others, or a look along one of them."""
        if not self.queue:
            self._begin_round()
            return
        item = self.queue.popleft()
        if isinstance(item, Course):
            error = self._ahead(item, self.best[0])
            if error < self.best[0]:
                self.best = (error, item)
        elif isinstance(item, Searching):
            done = advance(self.problem.arrays, self.problem.vertices, item.request, _SEARCH, _SLICE, item.search)
            if done:
                self.queue.extend(self._branches(item.search))
            else:
                self.queue.appendleft(item)
        else:
            aims = np.ascontiguousarray(self._aims(self._predicted(np.array([item])))[:, 0])
            request = Request(aims, self.q.copy(), self.problem.psi, 0.0, LOWER)
            self.queue.appendleft(Searching(request, new_search(_SEARCH, len(self.limits))))

    def _begin_round(self) -> None:
        """Ends a round by taking the best course it found, and begins the next."""
        course = self.best[1]
        if course is not None:
            self.course = course
            self.changes += 1
            self.leaps += course.how == LEAP
        error = self._ahead(self.course, np.inf)
        self.ahead = error
        self.best = (error * (1.0 - _GAIN) - _LEAST_GAIN, None)
        if error > _CONTENT and self.course.how == FACE:
            if self._changing:
                self.queue.append(Course(self.q[0].copy(), 0.0, FACE, self.course.way))
            self.queue.extend(share * float(self.moments[-1]) for share in (0.08, 0.25, 0.5, 0.9))

    def _ahead(self, course: Course, enough: float) -> float:
        targets = np.ascontiguousarray(self._aims(self._predicted(self.moments))[course.way])
        step = self.speed * self.look_s
        return float(
            look_ahead(
                self.arrays,
                self.limits,
                len(self.problem.turns.columns),
                targets,
                course.near,
                course.pull,
                course.how,
                step,
                self.q.copy(),
                enough,
            )
        )

    def _branches(self, search: Search) -> list[Course]:
        """Courses to the solutions that a global search has found."""
        size = len(search.price) - 2
        courses: list[Course] = []
        kept: list[np.ndarray] = []
        for n in np.argsort(search.price[:size]):
            near, way = search.angles[n].copy(), int(search.counts[n])
            if search.price[n] > 1.0 or any(np.abs(near - other).max() < _APART for other in kept):
                continue
            kept.append(near)
            if way == self.course.way:
                courses += [Course(near, pull, FACE, way) for pull in _PULLS]
            if self.ahead > _DESPERATE:
                courses.append(Course(near, 0.0, LEAP, way))
            if len(kept) == _MOST:
                break
        return courses

    def _tracked(self) -> Tracked:
        positions = self.problem.posture.copy()
        columns = self.problem.turns.columns
        positions[columns] = self.q[0, : len(columns)]
        if self.target is None:
            error = FacingError(np.nan, np.nan, np.nan, np.nan)
        else:
            errors = facing_errors(
                self.problem.chain,
                positions[None],
                self.problem.posture,
                self.target[None],
                self.problem.weights,
                roll_tolerance=self.problem.roll_tolerance,
            )
            measured = (errors.combined, errors.orientation, errors.posture, errors.shape)
            error = FacingError(*(float(one[0]) for one in measured))
        return Tracked(positions, error, self._changing, self.changes, self.leaps)
