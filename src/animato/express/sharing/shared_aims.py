"""Several end-points of one character face, by priority, while a posture is held."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from animato.errors import MotionError, unknown_name
from animato.express.aiming import Aimed, Aims
from animato.express.problem import Problem, Target
from animato.express.sharing.body import ChainBody
from animato.express.sharing.goals import goals_of, keep_facing
from animato.express.sharing.priority_follower import PriorityFollower


class SharedAims:
    """Follows targets with several end-points of a tree.

    The most important end-point that has a target is followed as if it were alone. The others then use what that leaves
    over: their own joints, and those that they share with it as far as its facing does not change and none of its
    joints gets farther than `give_way_rad` from where it alone would have it. An end-point without a target asks for
    nothing. What all of them leave over goes back to the posture.

    Args:
        problem: With several end-points.
        alone: Makes what follows one end-point, of the problem with that one only.

    Attributes:
        names: Coordinates that it decides, in the order of positions.
    """

    def __init__(self, problem: Problem, alone: Callable[[Problem], Aims]) -> None:
        options = problem.options
        self.names = problem.names
        self._problem, self._held = problem, problem.held.copy()
        self._body = ChainBody(problem)
        self._columns = {one.name: problem.columns(one.name) for one in problem.end_points}
        self._leaders = {one.name: alone(problem.alone(one.name)) for one in problem.end_points}
        self._lower = np.array([one.range[0] for one in problem.limits])
        self._upper = np.array([one.range[1] for one in problem.limits])
        period_s = options.solve_every / options.rate_hz
        self._follower = PriorityFollower(
            self._body,
            self._lower,
            self._upper,
            period_s,
            options.top_speed_rad_s,
            options.top_acceleration_rad_s2,
        )
        self.reset(problem.held)
        self._warm_up()
        self.reset(problem.held)

    def reset(self, positions: np.ndarray) -> None:
        """Starts anew from joint positions [rad or m], [n]."""
        self._follower.reset(positions)
        self._leading: str | None = None

    def hold(self, posture: np.ndarray) -> None:
        """Holds another posture from the next update on [rad or m], [n]."""
        held = np.array(posture, dtype=np.float64)
        if held.shape != self._held.shape or not np.isfinite(held).all():
            raise MotionError(f"A posture to hold must be {len(self._held)} finite positions, not {posture!r:.60}.")
        self._held = np.clip(held, self._lower, self._upper)
        for name, leader in self._leaders.items():
            leader.hold(self._held[self._columns[name]])

    def weigh(self, orientation: float | None = None, posture: float | None = None) -> None:
        """Weighs the errors of the most important end-point anew."""
        for leader in self._leaders.values():
            leader.weigh(orientation, posture)

    def update(self, targets: Mapping[str, Target]) -> Aimed:
        """The set-points of the next frame.

        Raises:
            UnknownNameError: A target is for an end-point that is not among them.
            MotionError: What follows the most important end-point cannot take its target.
        """
        for name in targets:
            if name not in self._columns:
                raise unknown_name("end-point", name, self._columns, "what faces")
        end_points, options = self._problem.end_points, self._problem.options
        goals = goals_of(end_points, targets, options.roll_tolerance_rad)
        pull, lower, upper = self._held.copy(), self._lower, self._upper
        leading = next((one for one in end_points if one.name in targets), None)
        error, changing, kept = 0.0, False, 0
        if leading is not None:
            k, columns = end_points.index(leading), self._columns[leading.name]
            leader = self._leaders[leading.name]
            if leading.name != self._leading:
                leader.reset(self._follower.positions[columns])
            aimed = leader.update({leading.name: targets[leading.name]})
            pull[columns] = aimed.positions
            keep_facing(goals, k, leading, self._body.poses(pull)[k])
            lower, upper = lower.copy(), upper.copy()
            lower[columns] = aimed.positions - options.give_way_rad
            upper[columns] = aimed.positions + options.give_way_rad
            error, changing, kept = aimed.error_rad, aimed.changing, k + 1
        self._leading = None if leading is None else leading.name
        self._follower.update(goals, pull, lower, upper, kept)
        changing = changing or self._follower.crossing
        return Aimed(self._follower.positions.copy(), dict(targets), error, changing)

    def error_of(self, positions: np.ndarray, targets: Mapping[str, Target]) -> float:
        """By which angle positions [n] are off the target of the most important end-point that has one [rad]."""
        for one in self._problem.end_points:
            if one.name in targets:
                own = {one.name: targets[one.name]}
                return self._leaders[one.name].error_of(positions[self._columns[one.name]], own)
        return 0.0

    def errors_of(self, positions: np.ndarray, targets: Mapping[str, Target]) -> dict[str, float]:
        """By which angle positions [n] are off each target, by end-point [rad]."""
        goals = goals_of(self._problem.end_points, targets, self._problem.options.roll_tolerance_rad)
        errors = self._body.errors(goals, np.asarray(positions, dtype=np.float64))
        return {
            one.name: float(error)
            for one, error in zip(self._problem.end_points, errors, strict=True)
            if one.name in targets
        }

    def _warm_up(self) -> None:
        """Faces something once: kernels compile here, not in the loop."""
        everywhere = {one.name: Target(direction=(1.0, 0.2, 0.1)) for one in self._problem.end_points}
        self.update(everywhere)
        self.errors_of(self._follower.positions, everywhere)
