"""From a target to set-points: has an orientation, a direction or a point followed by one end-point."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from animato.errors import MotionError
from animato.express.aiming import Aimed
from animato.express.gaze import DIRECTION, ORIENTATION, POINT, angle_off, build_sight, tip_pose, write_pose
from animato.express.problem import Problem, Target
from animato.express.tracking import Followed, Follower, FollowerBuilder
from animato.spatial import quaternions

_WARM_UP = 40  # frames; a follower that plans ahead has compiled all of its parts by then
_FAR = 1e7  # [m] at which a point is a direction


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
    """Follows targets of any kind with the end-point of one chain.

    A target that leaves the roll open has a follower of its own, for which a turn about the facing axis costs nothing.
    Whoever takes over begins where the other left off.

    Args:
        problem: Who holds what. Where its options leave the roll tolerance open, there is none for targets with a roll,
            and any roll for those without.
        build: Makes the followers.

    Attributes:
        names: Joints of the chain.
    """

    def __init__(self, problem: Problem, build: FollowerBuilder) -> None:
        chain, posture, options = problem.chain, problem.held, problem.options
        rate_hz, tolerance = options.rate_hz / options.solve_every, options.roll_tolerance_rad
        self.names = chain.names
        self._chain, self._held = chain, posture
        self._sight = build_sight(chain)
        self._output_pose, self._pose = np.empty(7), np.empty(7)
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
        self._active: Follower | None = None
        self._leaps = 0
        self._goal: Goal | None = None

    def hold(self, posture: np.ndarray) -> None:
        """Holds another posture from the next update on [rad or m], [n]."""
        if not np.array_equal(posture, self._held):
            self._held = np.array(posture, dtype=np.float64)
            for _, follower in self._followers:
                follower.hold(self._held)

    def weigh(self, orientation: float | None = None, posture: float | None = None) -> None:
        """Weighs the errors anew; one that is not given stays as it is."""
        for _, follower in self._followers:
            follower.weigh(orientation, posture)

    def update(self, targets: Mapping[str, Target]) -> Aimed:
        """The set-points of the next frame; without a target the held posture.

        Raises:
            MotionError: The follower's answer is not sound.
        """
        target = next(iter(targets.values()), None)
        if target is None:
            self._followed, self._active = self._held.copy(), None
            return Aimed(self._followed, targets, 0.0, False)
        goal = self._taken(target)
        tolerance, follower = self._followers[-1 if target.any_roll else 0]
        if follower is not self._active:
            follower.reset(self._followed)
            self._active, self._leaps = follower, 0
        answer = self._answer(follower, goal)
        positions = np.array(answer.positions, dtype=np.float64)
        if positions.shape != self._followed.shape or not np.isfinite(positions).all():
            raise MotionError(f"The solver gave {positions} for {len(self._followed)} joints.")
        self._followed = positions
        write_pose(self._sight, positions, self._pose)
        error = float(angle_off(self._sight, self._pose, goal.kind, goal.numbers, tolerance))
        leapt, self._leaps = answer.leaps > self._leaps, answer.leaps
        return Aimed(positions, targets, error, leapt or bool(answer.changing))

    def _answer(self, follower: Follower, goal: Goal) -> Followed:
        if goal.kind == ORIENTATION:
            return follower.update(goal.numbers[:4])
        # a direction is a point so far away that the eye's own way does not matter
        point = goal.numbers[:3] * (_FAR if goal.kind == DIRECTION else 1.0)
        return follower.look(point, float(goal.numbers[4]))

    def _taken(self, target: Target) -> Goal:
        """The target for kernels."""
        if self._goal is None or self._goal.target is not target:
            self._goal = goal_of(target)
        return self._goal

    def _warm_up(self) -> None:
        """Looks around for a while: kernels compile here, not in the loop."""
        tip = tip_pose(self._chain, self._held)[0]
        for _, follower in self._followers:
            for n in range(_WARM_UP):
                follower.update(quaternions.multiply(quaternions.quaternion_about((0.6, 0.8, 0.0), 0.02 * n), tip))
            follower.look(np.array((1.0, 2.0, 1e3)))
        target = {"": Target(point=(1.0, 2.0, 1e3))}
        self.error_of(self.update(target).positions, target)

    def error_of(self, positions: np.ndarray, targets: Mapping[str, Target]) -> float:
        """By which angle joint positions [n] are off a target, seen from their own eye [rad]; pi at the eye itself."""
        target = next(iter(targets.values()), None)
        if target is None:
            return 0.0
        goal = self._goal
        if goal is None or goal.target is not target:
            goal = goal_of(target)
        tolerance = self._followers[-1 if target.any_roll else 0][0]
        write_pose(self._sight, positions, self._output_pose)
        return float(angle_off(self._sight, self._output_pose, goal.kind, goal.numbers, tolerance))


def goal_of(target: Target) -> Goal:
    """A target as kernels take it."""
    kind, values = ORIENTATION, target.quaternion_wxyz
    if target.direction is not None:
        kind, values = DIRECTION, (*target.direction, 0.0)
    elif target.point is not None:
        kind, values = POINT, (*target.point, 0.0)
    return Goal(target, kind, np.array((*(values or ()), target.roll_rad or 0.0)))
