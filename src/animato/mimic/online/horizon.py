"""The receding horizon: a window of the robot's motion whose beginning was sent and whose end is new with every knot.

It asks for the same as whole clips do (`animato.mimic.optimization`), of fewer knots. Rows are penalties; forces that
would pull on the floor cost as well, so that a step never has to stop at a bound, and a window begins where the last
one ended. What is asked of forces counts less at the newest knots, where nothing is settled yet.
"""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.kernels.one_thread import one_blas_thread
from animato.mimic.curve import ControlPoints
from animato.mimic.optimization import ClipModel, ClipPoint, Terms
from animato.solvers import RowWeights
from animato.spatial import quaternions

HELD = 3
"""Control points at the beginning that were sent: they make position, velocity and acceleration of the first knot."""

_PATH, _STANDING, _LAZY = 0.3, 3.0, 1e-2  # weights of what foretells a new control point
_PROXIMAL = 0.1  # of squared changes in a step
_MOST_DAMPING = 1e4
_PULL = 1e3  # stiffness of forces, in weights, that pull on the floor
_FADING = (0.1, 0.01, 0.001)  # stiffness of rows of forces at the newest knots
_TRIES = 3  # lengths of a step, each half of the one before


class Horizon:
    """The window of the robot's motion.

    Attributes:
        controls: Control points.
        left: The last one that left the window: place, turn and joints, [7 + coordinate].
        loading: Share by which what carries the robot counts, less than 1 while it begins.
        failed: Whether the last step could not be taken.
    """

    def __init__(self, character: Character, terms: Terms, controls: ControlPoints) -> None:
        self.character, self.controls = character, controls
        self.left = _first(controls)
        self.failed = False
        self._damping = 1.0
        self._faded = np.ones(terms.knot_count)
        self._faded[-len(_FADING) :] = _FADING
        self._forces = np.zeros((terms.knot_count, terms.force_count))
        self._forces[:] = np.where(_edges(terms), 1.0, 0.0)
        self._forces /= np.maximum(self._forces.sum(axis=1, keepdims=True), 1.0)
        self.loading = 1.0
        self._put(terms, held=0)

    def advance(self, terms: Terms, *, held: bool) -> None:
        """Goes on by one knot.

        Args:
            terms: What is asked in the new window.
            held: Whether its first control points were sent.
        """
        self.left = _first(self.controls)
        move, old = self._foreseen(terms), self.controls
        last = ControlPoints(old.places[-1:], old.turns_wxyz[-1:], old.joints[-1:])
        turned = quaternions.rotate(old.turns_wxyz[-1], move[:3])
        new = last.moved(np.concatenate([turned, move[3:]])[None])
        self.controls = ControlPoints(
            np.concatenate([old.places[1:], new.places]),
            quaternions.continuous(np.concatenate([old.turns_wxyz[1:], new.turns_wxyz])),
            np.concatenate([old.joints[1:], new.joints]),
        )
        self._forces = np.where(_edges(terms), np.concatenate([self._forces[1:], self._forces[-1:]]), 0.0)
        self._put(terms, held=HELD if held else 0)

    def _foreseen(self, terms: Terms) -> np.ndarray:
        """How the robot moves from its newest knot to the next if it does what the landmarks do, [dof].

        The least squares of landmarks that move as their targets, a pelvis that follows its path, and feet that stand.
        """
        motion, old = self._point[0].motion, self.model.terms
        packed = old.packed
        by_point = motion.jacobians[-1].reshape(self.model.dofs, -1, 3).transpose(1, 2, 0)
        pelvis = by_point[0]
        landmarks = (by_point[1 : packed.first_corner] - pelvis).reshape(-1, self.model.dofs)
        stands = terms.planted[-1] & terms.planted[-2]
        corners = by_point[packed.first_corner : packed.first_frame][stands].reshape(-1, self.model.dofs)
        rows = np.vstack([landmarks, _PATH * pelvis, _STANDING * corners])
        moves = np.zeros(len(rows))
        moves[: len(landmarks)] = (terms.targets[-1] - terms.targets[-2]).ravel()
        moves[len(landmarks) : len(landmarks) + 3] = _PATH * (terms.path[-1] - terms.path[-2])
        square = rows.T @ rows
        square[np.diag_indices_from(square)] += _LAZY
        return np.asarray(np.linalg.solve(square, rows.T @ moves))

    def rest(self, terms: Terms) -> None:
        """Forgets the motion: the robot comes to rest where it was sent last."""
        for values in (self.controls.places, self.controls.turns_wxyz, self.controls.joints):
            values[HELD:] = values[HELD - 1]
        self._forces = np.where(_edges(terms), 1.0, 0.0)
        self._forces /= np.maximum(self._forces.sum(axis=1, keepdims=True), 1.0)
        self._damping, self.failed = 1.0, False
        self._put(terms, held=HELD)

    def _put(self, terms: Terms, held: int) -> None:
        """Makes the model of a window. Unknowns count from the control points as they are."""
        self.model = ClipModel(self.character, terms, self.controls, None, held=held)
        self._x = np.concatenate([np.zeros(self.model.size), self._forces.ravel()])
        self._active = self.model.active.ravel()
        self._equal = self.model.row_lower == self.model.row_upper
        self._stiffness = self.model.row_stiffness.copy()
        dynamic = self._stiffness[: self.model.limits.ends[0]].reshape(terms.knot_count, -1)
        dynamic *= self.loading * self._faded[:, None]
        self._point = self._at(self._x)

    def _at(self, x: np.ndarray) -> tuple[ClipPoint, np.ndarray, np.ndarray, float]:
        """A point, what sticks out of its rows, forces that pull, and what all of it costs."""
        point, model = self.model.at(x), self.model
        out = point.rows - np.clip(point.rows, model.row_lower, model.row_upper)
        pulling = np.where(self._active, np.minimum(x[model.size :], 0.0), 0.0)
        cost = point.cost + 0.5 * float(self._stiffness @ out**2) + 0.5 * _PULL * float(pulling @ pulling)
        return point, out, pulling, cost

    @one_blas_thread
    def improve(self) -> None:
        """One Newton step."""
        model, (point, out, pulling, cost) = self.model, self._point
        force = self._stiffness * out
        room = np.minimum(point.rows - model.row_lower, model.row_upper - point.rows)
        felt = np.clip(1.0 - room / model.row_band, 0.0, 1.0) ** 2
        stiffness = self._stiffness * np.where(self._equal, 1.0, felt)
        system = model.newton_system(point, RowWeights(stiffness, force, force, 0.0))
        slope = system.gradient + system.pressed
        slope[model.size :] += _PULL * pulling
        walls = np.concatenate([np.full(model.size, _PROXIMAL * self._damping), np.where(pulling < 0.0, _PULL, 0.0)])
        held = ~model.free
        factor = system.matrix.factored(walls, held)
        if factor is None or not np.isfinite(cost):
            self.failed = True
            return
        dx = np.where(held, 0.0, factor.solve(np.where(held, 0.0, -slope)))
        self._go(dx, float(slope @ dx))

    def _go(self, dx: np.ndarray, descent: float) -> None:
        """As far along a direction as it gets better; a step that never does is left out."""
        length, before = 1.0, self._point[3]
        for _ in range(_TRIES):
            x = self._x + length * dx
            trial = self._at(x)
            if trial[3] <= before + 1e-4 * length * descent:
                break
            length *= 0.5
        else:
            self._damping = min(9.0 * self._damping, _MOST_DAMPING)
            return
        if length > 0.7:
            self._damping = max(self._damping / 3.0, 1.0)
        elif length < 0.3:
            self._damping = min(3.0 * self._damping, _MOST_DAMPING)
        self._x, self._point = x, trial
        self.controls = trial[0].motion.controls
        self._forces = x[self.model.size :].reshape(self._forces.shape)

    def sent(self, share: float) -> np.ndarray:
        """The curve between the knot before the window and its first one.

        Args:
            share: Of the way, 0 to 1.

        Returns:
            Place [m], quaternion wxyz and joints of the robot, [7 + coordinate].
        """
        c = self.controls
        points = np.vstack([self.left, np.hstack([c.places[:3], c.turns_wxyz[:3], c.joints[:3]])])
        s = share
        weights = np.array(
            [(1.0 - s) ** 3, 3.0 * s**3 - 6.0 * s**2 + 4.0, -3.0 * s**3 + 3.0 * s**2 + 3.0 * s + 1.0, s**3]
        )
        pose = weights @ points / 6.0
        pose[3:7] /= np.linalg.norm(pose[3:7])
        return np.asarray(pose)

    @property
    def first_error(self) -> float:
        """Mean distance of key-points from where they should be at the first knot [m]."""
        return float(np.linalg.norm(self._point[0].errors[0], axis=1).mean())


def _first(controls: ControlPoints) -> np.ndarray:
    return np.concatenate([controls.places[0], controls.turns_wxyz[0], controls.joints[0]])


def _edges(terms: Terms) -> np.ndarray:
    """Which forces may act, [t, force]."""
    return np.repeat(terms.pushing, len(terms.generators), axis=1)
