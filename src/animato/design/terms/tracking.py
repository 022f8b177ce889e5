"""Residuals of tracking targets, with derivatives, for all time steps at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.design.terms.target import TrackingTarget
from animato.errors import unknown_name
from animato.mechanics.loops.constraints import Mechanism

_TURN = np.sqrt(8.0)


@dataclass(frozen=True, eq=False)
class Tracking:
    """All targets packed: residuals r(s), of which 1/2 sum w r^2 is the cost.

    Positions: r = c + R(q) x - wanted, three rows a target. Orientations: R differs from R(wanted) by
    |R - R(wanted)|^2 = 8 (1 - (q . wanted)^2) = 8 |v|^2 with v the vector part of wanted* q, so three rows
    r = sqrt(8) v carry the nine of the matrix, and they are linear in q.

    Attributes:
        point_bodies: First state column of the body of each position target, shape [point].
        points: On these bodies [m], shape [point, 3].
        wanted_points: [m], shape [step, point, 3].
        turn_bodies: First state column of the body of each orientation target, shape [turn].
        turn_maps: sqrt(8) times the rows of v = vec(wanted* q), shape [step, turn, 3, 4].
        weights: Of all rows, shape [step, row].
        rows, cols: Where the entries of the Jacobian stand, shape [entry].
        state_count: Columns.
    """

    point_bodies: np.ndarray
    points: np.ndarray
    wanted_points: np.ndarray
    turn_bodies: np.ndarray
    turn_maps: np.ndarray
    weights: np.ndarray
    rows: np.ndarray
    cols: np.ndarray
    state_count: int

    @property
    def row_count(self) -> int:
        """Residuals of one step."""
        return self.weights.shape[1]

    def at_steps(self, chosen: np.ndarray) -> Tracking:
        """Only these steps."""
        return replace(
            self,
            wanted_points=self.wanted_points[chosen],
            turn_maps=self.turn_maps[chosen],
            weights=self.weights[chosen],
        )

    def residuals(self, states: np.ndarray) -> np.ndarray:
        """Residuals r at all steps, shape [step, row]; positions first."""
        steps = len(states)
        at, turn = self._points_and_turns(states)
        miss = at + _turned(turn, self.points) - self.wanted_points
        q = states[:, self.turn_bodies[:, None] + np.arange(3, 7)]
        off = np.matmul(self.turn_maps, q[..., None])[..., 0]
        return np.hstack([miss.reshape(steps, -1), off.reshape(steps, -1)])

    def jacobian(self, states: np.ndarray) -> np.ndarray:
        """Entries of dr/ds, shape [step, entry], as in `rows` and `cols`."""
        steps = len(states)
        _, turn = self._points_and_turns(states)
        blocks = np.ones((steps, len(self.points), 3, 5))
        blocks[..., 1:] = turn_slopes(turn, self.points)
        return np.hstack([blocks.reshape(steps, -1), self.turn_maps.reshape(steps, -1)])

    def curvature(self, residuals: np.ndarray) -> np.ndarray:
        """sum_r w r d2r/dq2 of each position target, shape [step, point, 4, 4]; orientations have none."""
        count = 3 * len(self.points)
        y = (self.weights * residuals)[:, :count].reshape(len(residuals), -1, 3)
        a = np.broadcast_to(self.points, y.shape)
        dot = np.sum(y * a, axis=-1)
        found = np.empty((*y.shape[:2], 4, 4))
        found[..., 0, 0] = dot
        found[..., 0, 1:] = found[..., 1:, 0] = np.cross(a, y)
        outer = a[..., :, None] * y[..., None, :]
        found[..., 1:, 1:] = outer + np.swapaxes(outer, -1, -2) - dot[..., None, None] * np.eye(3)
        return 2.0 * found

    def _points_and_turns(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        both = states[:, self.point_bodies[:, None] + np.arange(7)]
        return both[..., :3], both[..., 3:]


def _turned(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """R(q) x, scaled by q . q, as the rows of a mechanism have it."""
    w, v = q[..., :1], q[..., 1:]
    along = np.sum(v * x, axis=-1, keepdims=True)
    return np.asarray((w * w - np.sum(v * v, axis=-1, keepdims=True)) * x + 2.0 * along * v + 2.0 * w * np.cross(v, x))


def turn_slopes(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Derivative of R(q) x with respect to q, shape [..., 3, 4]."""
    w, v = q[..., :1], q[..., 1:]
    x = np.broadcast_to(x, v.shape)
    found = np.empty((*v.shape, 4))
    found[..., 0] = 2.0 * (w * x + np.cross(v, x))
    outer = v[..., :, None] * x[..., None, :] - x[..., :, None] * v[..., None, :]
    along = np.sum(v * x, axis=-1)
    found[..., 1:] = 2.0 * outer
    for n in range(3):
        found[..., n, 1 + n] += 2.0 * along
    # columns e_j x x scaled by w: (e_j x x)_i
    for i, j, k, sign in ((0, 1, 2, 1), (0, 2, 1, -1), (1, 2, 0, 1), (1, 0, 2, -1), (2, 0, 1, 1), (2, 1, 0, -1)):
        found[..., i, 1 + j] += sign * 2.0 * w[..., 0] * x[..., k]
    return found


def packed_tracking(mechanism: Mechanism, motions: Sequence[Sequence[TrackingTarget]]) -> Tracking:
    """Packs the targets of several motions, one after the other.

    Args:
        mechanism: Whose bodies.
        motions: Targets of each motion, all of one length. Targets of the same body and point in several
            motions share their rows; where a motion lacks one its weight is zero.

    Raises:
        UnknownNameError: A target for a body that does not exist.
    """
    counts = [targets[0].step_count for targets in motions]
    firsts = np.concatenate([[0], np.cumsum(counts)]).astype(int)
    steps = int(firsts[-1])
    points: dict[tuple[str, tuple[float, ...], int], tuple[np.ndarray, np.ndarray]] = {}
    turns: dict[tuple[str, int], tuple[np.ndarray, np.ndarray]] = {}
    for n, targets in enumerate(motions):
        here = slice(firsts[n], firsts[n + 1])
        _collect(mechanism, targets, here, steps, points, turns)
    state_count = len(mechanism.state)
    point_bodies = np.array([7 * mechanism.body_index(key[0]) for key in points], dtype=int)
    turn_bodies = np.array([7 * mechanism.body_index(key[0]) for key in turns], dtype=int)
    wanted = np.stack([w for w, _ in points.values()], axis=1) if points else np.zeros((steps, 0, 3))
    maps = np.stack([_vector_rows(w) for w, _ in turns.values()], axis=1) if turns else np.zeros((steps, 0, 3, 4))
    weights = [w for _, w in points.values()] + [np.repeat(w[:, None], 3, axis=1) for _, w in turns.values()]
    rows, cols = _pattern(point_bodies, turn_bodies)
    on_bodies = np.array([key[1] for key in points]).reshape(-1, 3)
    return Tracking(
        point_bodies, on_bodies, wanted, turn_bodies, _TURN * maps, np.hstack(weights), rows, cols, state_count
    )


def _collect(
    mechanism: Mechanism,
    targets: Sequence[TrackingTarget],
    here: slice,
    steps: int,
    points: dict[tuple[str, tuple[float, ...], int], tuple[np.ndarray, np.ndarray]],
    turns: dict[tuple[str, int], tuple[np.ndarray, np.ndarray]],
) -> None:
    """Adds the targets of one motion to the tables of all."""
    seen: dict[tuple[object, ...], int] = {}
    for target in targets:
        if target.body not in mechanism.body_names:
            raise unknown_name("body", target.body, mechanism.body_names, mechanism.name)
        place = tuple(float(x) for x in target.point)
        if target.positions is not None and np.any(target.position_weights):
            order = seen[target.body, place] = seen.get((target.body, place), -1) + 1
            key = (target.body, place, order)
            wanted, weights = points.setdefault(key, (np.zeros((steps, 3)), np.zeros((steps, 3))))
            wanted[here], weights[here] = target.positions, target.position_weights
        if target.orientations_wxyz is not None and np.any(target.orientation_weight):
            order = seen[(target.body,)] = seen.get((target.body,), -1) + 1
            empty = np.tile((1.0, 0.0, 0.0, 0.0), (steps, 1)), np.zeros(steps)
            turned, weight = turns.setdefault((target.body, order), empty)
            turned[here], weight[here] = target.orientations_wxyz, target.orientation_weight


def _vector_rows(q: np.ndarray) -> np.ndarray:
    """M(q) with vec(q* x) = M x, shape [step, 3, 4]."""
    w, x, y, z = q.T
    rows = [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]]
    return np.moveaxis(np.array(rows), -1, 0)


def _pattern(point_bodies: np.ndarray, turn_bodies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places of dr/ds: for each position row its c and the four of q, for each orientation row the four of q."""
    rows: list[int] = []
    cols: list[int] = []
    for n, first in enumerate(point_bodies.tolist()):
        for axis in range(3):
            rows += [3 * n + axis] * 5
            cols += [first + axis, *range(first + 3, first + 7)]
    start = 3 * len(point_bodies)
    for n, first in enumerate(turn_bodies.tolist()):
        for axis in range(3):
            rows += [start + 3 * n + axis] * 4
            cols += range(first + 3, first + 7)
    return np.array(rows, dtype=int), np.array(cols, dtype=int)
