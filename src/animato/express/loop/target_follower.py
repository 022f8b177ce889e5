"""From a target to set-points: says which orientation it means from where the eye is, and has it followed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from animato.errors import MotionError
from animato.express.gaze import (
    DIRECTION,
    ORIENTATION,
    POINT,
    RELAXATION,
    Gaze,
    angle_off,
    build_sight,
    correct_sight,
    ease_correction,
    look_at,
    look_at_steps,
    tip_pose,
    turn_left,
    write_pose,
    write_wanted,
)
from animato.express.problem import Problem, Target
from animato.express.tracking import Follower, FollowerBuilder
from animato.spatial import quaternions

_SETTLING_S = 0.1  # in which the idea of where the eye is comes after it; faster would make the target shake
_PATIENCE_S = 1.0  # of facing a target that does not move, after which the idea of where the eye is comes to rest
_REST_S = 2.0  # of the same, after which the joints stay as they are until it moves
_LONGEST_S = 3.0  # of not facing it: a target that moves with the eye is never caught up with
_CORRECTION = 2.0  # [rad/s or m/s] at which a correction of the line of sight comes and goes
_WARM_UP = 40  # frames; a follower that plans ahead has compiled all of its parts by then
_FACING = 0.05  # [rad] within which set-points have got where they were going
_STILL = 1e-3  # [rad or m] in a frame below which they will not
_MOVED = 0.01  # [m] by which a point must move to be another one
_FACED = 1e-4  # [rad] by which a point may be missed without looking farther
_BETTER = 0.8  # share of the error that an answer elsewhere may have to be worth the way


@dataclass(frozen=True, eq=False)
class Aimed:
    """Set-points for one target.

    Attributes:
        positions: Of the chain's joints [rad or m], [n].
        target: What they are for.
        error_rad: By which angle they are off it [rad].
        changing: Whether they are on the way from one branch of solutions to another.
    """

    positions: np.ndarray
    target: Target
    error_rad: float
    changing: bool


@dataclass(frozen=True, eq=False)
class Goal:
    """A target as kernels take it.

    Attributes:
        target: The same.
        kind: ORIENTATION, DIRECTION or POINT.
        numbers: As `sight` has goals, [5].
    """

    target: Target
    kind: int
    numbers: np.ndarray


class TargetFollower:
    """Follows targets of any kind with one chain.

    A target that leaves the roll open has a follower of its own, for which a turn about the facing axis costs nothing.
    Whoever takes over begins where the other left off.

    A point is looked at from where the eye is thought to be, and that comes after where it is. What the line of sight
    then lacks, while the two are not the same, is added to the follower's joints.

    Args:
        problem: Who holds what. Where its options leave the roll tolerance open, there is none for targets with a roll,
            and any roll for those without.
        build: Makes the followers.
    """

    def __init__(self, problem: Problem, build: FollowerBuilder) -> None:
        chain, posture, options = problem.chain, problem.held, problem.options
        rate_hz, tolerance = options.rate_hz / options.solve_every, options.roll_tolerance_rad
        self.chain = chain
        self._posture = posture
        self._sight = build_sight(chain)
        self._period = 1.0 / rate_hz
        self._share = min(RELAXATION, self._period / _SETTLING_S)
        self._problem = problem.facing(math.pi if tolerance is None else tolerance)
        self._memory = np.empty((2, len(posture), 3))
        self._output_pose = np.empty(7)
        rolls = (0.0, math.pi) if tolerance is None else (tolerance,)
        self._followers = [
            (roll, build(chain, posture, replace(options, rate_hz=rate_hz, roll_tolerance_rad=roll))) for roll in rolls
        ]
        self.reset(posture)
        self._warm_up()
        self.reset(posture)

    def reset(self, positions: np.ndarray) -> None:
        """Starts anew from joint positions [rad or m], [n]."""
        self._followed = np.array(positions, dtype=np.float64)
        self._correction = np.zeros(len(self._followed))
        self._pose = np.empty(7)
        write_pose(self._sight, self._followed, self._pose)
        self._looking = self._pose.copy()
        self._eye = self._pose[4:].copy()
        self._active: Follower | None = None
        self._goal: Goal | None = None
        self._begun: Goal | None = None
        self._search: Iterator[Gaze] | None = None
        self._found: Gaze | None = None
        self._holding = self._crossing = False
        self._arrived_s = self._unmoved_s = 0.0

    def _warm_up(self) -> None:
        """Looks around for a while: kernels compile here, not in the loop."""
        tip = tip_pose(self.chain, self._posture)[0]
        for _, follower in self._followers:
            for n in range(_WARM_UP):
                follower.update(quaternions.multiply(quaternions.quaternion_about((0.6, 0.8, 0.0), 0.02 * n), tip))
        target = Target(point=(1.0, 2.0, 1e3))
        self.error_of(self.update(target).positions, target)
        self._corrected(goal_of(target), math.pi, arrived=True)
        look_at(self._problem, self._eye + 0.01)  # so near that all parts of it are needed

    def update(self, target: Target) -> Aimed:
        """The set-points of the next frame.

        Raises:
            MotionError: The point is at the eye itself, or the follower's answer is not sound.
        """
        goal = self._taken(target)
        tolerance, follower = self._followers[-1 if target.any_roll else 0]
        free = target.any_roll and tolerance >= math.pi
        wanted = np.empty(4)
        if not write_wanted(self._sight, goal.kind, goal.numbers, free, self._pose, self._eye, wanted):
            raise MotionError(f"The point {target.point} is at the eye itself; it has no direction to look.")
        if follower is not self._active:
            follower.reset(self._followed)
            self._active = follower
        still, changing = True, self._crossing
        if not self._holding:
            answer = follower.update(wanted)
            positions = np.array(answer.positions, dtype=np.float64)
            if positions.shape != self._followed.shape or not np.isfinite(positions).all():
                raise MotionError(f"The solver gave {positions} for {len(self._followed)} joints.")
            still, changing = bool(np.abs(positions - self._followed).max() < _STILL), bool(answer.changing)
            self._followed = positions
            write_pose(self._sight, positions, self._pose)
        arrived = still or turn_left(self._sight, self._pose, wanted, tolerance) < _FACING
        corrected = self._corrected(goal, tolerance, arrived)
        error = float(angle_off(self._sight, self._looking, goal.kind, goal.numbers, tolerance))
        if goal.kind == POINT and not self._holding:
            if error < _FACED and not changing:
                self._holding = self._arrived_s > _REST_S
            elif self._unmoved_s > _LONGEST_S and tolerance > 0.0:
                self._look_farther(goal, error)
        return Aimed(corrected, target, error, changing)

    def _taken(self, target: Target) -> Goal:
        """The target for kernels; one that moves ends what was begun for the one before it."""
        last = self._goal
        if last is not None and last.target is target:
            return last
        goal = self._goal = goal_of(target)
        if self._begun is None or _apart(self._begun, goal):
            self._begun, self._search, self._found, self._holding = goal, None, None, False
            self._arrived_s = self._unmoved_s = 0.0
        return goal

    def _corrected(self, goal: Goal, tolerance: float, arrived: bool) -> np.ndarray:
        """Set-points whose line of sight goes through a point, and where their eye is.

        An eye that is still on its way tells nothing of where it will be; a target that moves with it would mislead.
        """
        sight, followed, correction, looking = self._sight, self._followed, self._correction, self._looking
        most = _CORRECTION * self._period
        if goal.kind == POINT and arrived and not self._crossing:
            ease_correction(sight, followed, 0.0, correction)
            write_pose(sight, followed + correction, looking)
            correct_sight(sight, followed, goal.numbers, tolerance > 0.0, most, self._memory, correction, looking)
        else:
            ease_correction(sight, followed, most, correction)
            self._crossing = self._crossing and bool(correction.any())
        corrected = followed + correction
        write_pose(sight, corrected, looking)
        if goal.kind != POINT:
            self._eye = looking[4:].copy()
        elif arrived and not self._crossing:
            late = max(0.0, self._unmoved_s / _LONGEST_S - 1.0, self._arrived_s / _PATIENCE_S - 1.0)
            self._eye = self._eye + self._share * math.exp(-10.0 * late) * (looking[4:] - self._eye)
            self._arrived_s += self._period
        self._unmoved_s += self._period
        return corrected

    def _look_farther(self, goal: Goal, error: float) -> None:
        """One solve of a search over all ways to look at a point that following it has not found; then goes there.

        The follower begins anew in the answer, which is held until the point moves. What the joints are away from it is
        taken back as a correction is.
        """
        if self._search is None:
            self._search = look_at_steps(self._problem, goal.numbers[:3], self._followed, roll=float(goal.numbers[4]))
        gaze = next(self._search, None)
        if gaze is not None:
            self._found = gaze
        elif self._found is not None and self._active is not None:
            answer, self._found = self._found, None
            if answer.miss_rad < _BETTER * error:
                self._correction = self._followed + self._correction - answer.positions
                self._followed, self._eye = answer.positions.copy(), answer.eye
                self._holding = self._crossing = True
                write_pose(self._sight, self._followed, self._pose)
                self._active.reset(self._followed)

    def error_of(self, positions: np.ndarray, target: Target) -> float:
        """By which angle joint positions [n] are off a target, seen from their own eye [rad]; pi at the eye itself."""
        goal = self._goal
        if goal is None or goal.target is not target:
            goal = goal_of(target)
        tolerance = self._followers[-1 if target.any_roll else 0][0]
        write_pose(self._sight, positions, self._output_pose)
        return float(angle_off(self._sight, self._output_pose, goal.kind, goal.numbers, tolerance))


def _apart(one: Goal, other: Goal) -> bool:
    """Whether two goals are not the same thing a little later."""
    if one.kind != other.kind or one.target.any_roll != other.target.any_roll:
        return True
    return bool(np.abs(one.numbers - other.numbers).max() > _MOVED)


def goal_of(target: Target) -> Goal:
    """A target as kernels take it."""
    kind, values = ORIENTATION, target.quaternion_wxyz
    if target.direction is not None:
        kind, values = DIRECTION, (*target.direction, 0.0)
    elif target.point is not None:
        kind, values = POINT, (*target.point, 0.0)
    return Goal(target, kind, np.array((*(values or ()), target.roll_rad or 0.0)))
