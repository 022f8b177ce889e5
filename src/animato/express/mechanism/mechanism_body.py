"""End-points that hang on closed loops: what the actuators do to them, and moves towards goals.

The tip is a function of the actuators u by the loops that stay closed, C(s, u) = 0. With ds = -C_s^-1 C_u du the rows
of its body give how it turns and where it goes, a = 2 vec(dq q*) and v = dp + a x R x. The rest is as for chains.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from animato.errors import CharacterError
from animato.express.mechanism.assembled import Assembled, Assembly
from animato.express.problem import Problem
from animato.express.sharing import Goals, ends_of, write_left, write_move, write_rows
from animato.mechanics.loops.constraints import joint_coordinates
from animato.spatial import quaternions

_LONGEST = 0.2  # [rad or m] that an actuator moves from one set of slopes to the next
_DIFFERENCE = 1e-6  # [rad or m] for the slopes of passive joints
_KEPT = 8  # places that are remembered
_SETTLED = 1e-10  # [rad or m] below which a move is none


class MechanismBody:
    """The actuators of a problem whose end-points hang on closed loops.

    Every actuator's way from the posture counts the same. Ranges of passive joints hold as those of actuators do.

    Args:
        problem: Of a character with closed loops.

    Raises:
        CharacterError: The mechanism stands in a singular pose, or cannot reach the posture.
    """

    def __init__(self, problem: Problem) -> None:
        mechanism = problem.mechanism
        if mechanism is None:
            raise CharacterError(
                f"'{problem.character.name}' has no closed loops on the way to '{problem.end_points[0].name}'; face "
                f"with its chain."
            )
        self.weights = np.ones(len(problem.names))
        self._mechanism, self._end_points = mechanism, problem.end_points
        self._columns = np.array([mechanism.control_names.index(name) for name in problem.names])
        self._ends = np.array([ends_of(one, problem.options.symmetric) for one in problem.end_points])
        self._assembly = Assembly(mechanism)
        self._others = np.array(
            [
                problem.posture.value(name) if name in problem.posture.names else value
                for name, value in zip(mechanism.control_names, mechanism.controls, strict=True)
            ]
        )
        rest = self._assembly.at_rest()
        if rest is None:
            raise CharacterError(f"'{problem.character.name}' is singular at rest; give it another rest pose.")
        self._known: deque[Assembled] = deque([rest], maxlen=_KEPT)
        reached = self._at(problem.held)
        if np.abs(reached.controls[self._columns] - problem.held).max() > 1e-9:
            raise CharacterError(
                f"The loops of '{problem.character.name}' do not close on the way from rest to "
                f"{problem.posture.source or 'the posture'}. Hold a posture nearer to rest."
            )

    def improve(
        self,
        goals: Goals,
        pull: np.ndarray,
        lower: np.ndarray,
        upper: np.ndarray,
        steps: int,
        ease: float,
        q: np.ndarray,
    ) -> np.ndarray:
        """As `sharing.Body` has it; where loops would not close, the move ends before."""
        here = self._at(q)
        q[:] = here.controls[self._columns]
        for _ in range(steps):
            d = self._move(goals, here, pull - q, ease, lower - q, upper - q)
            if np.abs(d).max() < _SETTLED:
                break
            controls = here.controls.copy()
            controls[self._columns] = np.clip(q + d, lower, upper)
            here = self._assembly.moved(here, controls)
            q[:] = here.controls[self._columns]
        self._known.append(here)
        return self._errors(goals, self._poses(here))

    def errors(self, goals: Goals, q: np.ndarray) -> np.ndarray:
        """By which angle each end-point is off its goal at positions [n] [rad], [K]."""
        return self._errors(goals, self._poses(self._at(q)))

    def poses(self, q: np.ndarray) -> np.ndarray:
        """Pose of each end-point at positions [n], [K, 7]."""
        return self._poses(self._at(q))

    def coordinates(self, q: np.ndarray) -> dict[str, float]:
        """Coordinates of all joints, passive ones included, for positions of the actuators [n] [rad or m]."""
        found = joint_coordinates(self._mechanism, self._at(q).state[None])
        return dict(zip(found.names, found.values[0].tolist(), strict=True))

    def _at(self, q: np.ndarray) -> Assembled:
        """The mechanism at positions [n], or as near as its loops close on the way from a place that is known."""
        controls = self._others.copy()
        controls[self._columns] = q
        nearest = min(self._known, key=lambda one: float(np.abs(one.controls - controls).max()))
        found = self._assembly.moved(nearest, controls)
        if found is not nearest:
            self._known.append(found)
        return found

    def _poses(self, here: Assembled) -> np.ndarray:
        poses = np.empty((len(self._end_points), 7))
        for k, end_point in enumerate(self._end_points):
            first, frame = 7 * self._mechanism.body_index(end_point.body), end_point.frame.transform
            place, turn = here.state[first : first + 3], here.state[first + 3 : first + 7]
            poses[k, :4] = quaternions.multiply(turn, frame.quaternion_wxyz)
            poses[k, 4:] = place + quaternions.rotate(turn, frame.position)
        return poses

    def _motions(self, here: Assembled, poses: np.ndarray) -> np.ndarray:
        """How each actuator turns and carries each end-point, [K, n, 6]."""
        motions = np.empty((len(self._end_points), len(self._columns), 6))
        for k, end_point in enumerate(self._end_points):
            first = 7 * self._mechanism.body_index(end_point.body)
            slopes = here.slopes[first : first + 7, self._columns].T
            back = quaternions.conjugate(here.state[first + 3 : first + 7])
            turns = 2.0 * quaternions.multiply(slopes[:, 3:], back)[:, 1:]
            motions[k, :, :3] = turns
            motions[k, :, 3:] = slopes[:, :3] + np.cross(turns, poses[k, 4:] - here.state[first : first + 3])
        return motions

    def _move(
        self, goals: Goals, here: Assembled, pull: np.ndarray, ease: float, lower: np.ndarray, upper: np.ndarray
    ) -> np.ndarray:
        """One move of the actuators [n]."""
        poses = self._poses(here)
        motions = self._motions(here, poses)
        count, n = len(poses), len(pull)
        left, slopes, d = np.zeros((count, 3)), np.zeros((count, 3, n)), np.empty(n)
        for k in range(count):
            if goals.active[k]:
                write_rows(
                    self._ends, goals.kinds[k], goals.numbers, goals.tolerances[k], poses, k, motions[k], left, slopes
                )
        lo = np.minimum(np.maximum(lower, -_LONGEST), upper)
        hi = np.maximum(np.minimum(upper, _LONGEST), lo)
        rows, low, high = self._passive_rows(here)
        write_move(slopes, left, goals.active, self.weights, pull, ease, lo, hi, rows, low, high, d)
        return d

    def _passive_rows(self, here: Assembled) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Slopes of passive joints that have ranges [m, n], and what is left of their ranges, [m] and [m]."""
        n = len(self._columns)
        if not self._assembly.passive:
            return np.empty((0, n)), np.empty(0), np.empty(0)
        states = here.state + _DIFFERENCE * np.vstack([np.zeros(len(here.state)), here.slopes[:, self._columns].T])
        values = self._assembly.passive_at(states)
        room = self._assembly.ranges - values[0][:, None]
        rows = np.ascontiguousarray((values[1:] - values[0]).T / _DIFFERENCE)
        return rows, np.minimum(room[:, 0], 0.0), np.maximum(room[:, 1], 0.0)

    def _errors(self, goals: Goals, poses: np.ndarray) -> np.ndarray:
        left, errors = np.zeros((len(poses), 3)), np.zeros(len(poses))
        for k in range(len(poses)):
            if goals.active[k]:
                write_left(self._ends, goals.kinds[k], goals.numbers, goals.tolerances[k], poses, k, left)
                errors[k] = np.linalg.norm(left[k])
        return errors
