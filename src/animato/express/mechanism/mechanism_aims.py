"""End-points that hang on closed loops face while the actuators hold a posture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from animato.errors import MotionError, unknown_name
from animato.express.aiming import Aimed
from animato.express.mechanism.mechanism_body import MechanismBody
from animato.express.problem import Problem, Target
from animato.express.sharing import PriorityFollower, goals_of, searched

_SEARCH_STEPS = 3  # of a search in one frame: each closes the loops anew


class MechanismAims:
    """Follows targets with the end-points of a mechanism, by priority.

    Each frame the actuators move by what brings the end-points nearer, at most as fast as the options say, and with
    what is left over to the posture. The loops stay closed and on their branch of assembly. An end-point that comes no
    nearer looks for other ways, a little every frame, and goes there.

    Args:
        problem: Of a character with closed loops.

    Attributes:
        names: Actuated coordinates that it decides, in the order of positions.
    """

    def __init__(self, problem: Problem) -> None:
        options = problem.options
        self.names = problem.names
        self._problem, self._held = problem, problem.held.copy()
        self._body = MechanismBody(problem)
        self._lower = np.array([one.range[0] for one in problem.limits])
        self._upper = np.array([one.range[1] for one in problem.limits])
        self._follower = PriorityFollower(
            self._body,
            self._lower,
            self._upper,
            options.solve_every / options.rate_hz,
            options.top_speed_rad_s,
            options.top_acceleration_rad_s2,
            _SEARCH_STEPS,
        )
        self.reset(problem.held)
        self.update({one.name: Target(direction=(1.0, 0.2, 0.1)) for one in problem.end_points})  # compiles kernels
        self.reset(problem.held)

    def reset(self, positions: np.ndarray) -> None:
        """Starts anew from positions of the actuators [rad or m], [n]."""
        self._follower.reset(positions)

    def hold(self, posture: np.ndarray) -> None:
        """Holds another posture of the actuators from the next update on [rad or m], [n]."""
        held = np.array(posture, dtype=np.float64)
        if held.shape != self._held.shape or not np.isfinite(held).all():
            raise MotionError(f"A posture to hold must be {len(self._held)} finite positions, not {posture!r:.60}.")
        self._held = np.clip(held, self._lower, self._upper)

    def weigh(self, orientation: float | None = None, posture: float | None = None) -> None:
        """Does nothing: facing comes first here, and the posture has what is left over."""

    def update(self, targets: Mapping[str, Target]) -> Aimed:
        """The set-points of the next frame.

        Raises:
            UnknownNameError: A target is for an end-point that is not among them.
        """
        names = [one.name for one in self._problem.end_points]
        for name in targets:
            if name not in names:
                raise unknown_name("end-point", name, names, "what faces")
        goals = goals_of(self._problem.end_points, targets, self._problem.options.roll_tolerance_rad)
        errors = self._follower.update(goals, self._held, self._lower, self._upper, 0)
        error = next((float(one) for one, active in zip(errors, goals.active, strict=True) if active), 0.0)
        return Aimed(self._follower.positions.copy(), dict(targets), error, self._follower.crossing)

    def error_of(self, positions: np.ndarray, targets: Mapping[str, Target]) -> float:
        """By which angle positions [n] are off the target of the most important end-point that has one [rad]."""
        return next(iter(self.errors_of(positions, targets).values()), 0.0)

    def errors_of(self, positions: np.ndarray, targets: Mapping[str, Target]) -> dict[str, float]:
        """By which angle positions [n] are off each target, by end-point, the most important first [rad]."""
        end_points = self._problem.end_points
        goals = goals_of(end_points, targets, self._problem.options.roll_tolerance_rad)
        errors = self._body.errors(goals, np.asarray(positions, dtype=np.float64))
        return {one.name: float(error) for one, error in zip(end_points, errors, strict=True) if one.name in targets}


@dataclass(frozen=True, eq=False)
class MechanismFacing:
    """One answer of a mechanism.

    Attributes:
        positions: Of the actuators that move [rad or m], [n].
        coordinates: Of all joints, passive ones included [rad or m].
        errors_rad: By which angle each end-point that has a target is off it.
    """

    positions: np.ndarray
    coordinates: dict[str, float]
    errors_rad: dict[str, float]


def face_with_mechanism(problem: Problem, targets: Mapping[str, Target]) -> MechanismFacing:
    """The best of many ways in which end-points on closed loops face, and then hold the posture.

    Args:
        problem: Of a character with closed loops.
        targets: By end-point.
    """
    body = MechanismBody(problem)
    goals = goals_of(problem.end_points, targets, problem.options.roll_tolerance_rad)
    lower, upper = (np.array([one.range[side] for one in problem.limits]) for side in (0, 1))
    found = searched(body, goals, problem.held, lower, upper, problem.held)
    errors = zip(problem.end_points, found.errors, strict=True)
    return MechanismFacing(
        found.positions,
        body.coordinates(found.positions),
        {one.name: float(error) for one, error in errors if one.name in targets},
    )
