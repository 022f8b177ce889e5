"""The whole clip as one problem of an interior point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.mimic.curve import ControlPoints
from animato.mimic.optimization.evaluation import Evaluation, evaluated
from animato.mimic.optimization.newton_kernels import (
    add_position_terms,
    add_rows_gradient,
    put_dynamics_rows,
    put_lifted_gradient,
    put_position_change,
    put_rows_change,
)
from animato.mimic.optimization.newton_system import ClipSystem, CondensedMatrix, DynamicsRows
from animato.mimic.optimization.position_kernel import put_position_squares
from animato.mimic.optimization.terms import Terms
from animato.solvers import RowWeights

_BEND = 0.6  # share of the landmarks' squares along their errors that is left out: more is quicker, and less sure
_LEAST_STIFFNESS = 1e-9
_ROOT = 6


@dataclass(frozen=True, eq=False)
class ClipPoint:
    """A motion with its cost.

    Attributes:
        x: Unknowns, [N].
        motion: Everything about it.
        cost: The objective.
        rows: Of limits, in the order of `ClipModel`, [m].
        errors: Of landmarks [m], [t, landmark, 3].
        softened: Their lengths, softened, [t, landmark].
        wrench: What nothing gives, in metres of the ZMP, [t, 6].
    """

    x: np.ndarray
    motion: Evaluation
    cost: float
    rows: np.ndarray
    errors: np.ndarray
    softened: np.ndarray
    wrench: np.ndarray


class ClipModel:
    """What `InteriorPoint` asks of a problem.

    Unknowns are increments of control points [knot + 2, dof], then forces along the edges of friction cones [knot,
    corner, edge] in weights of the robot. Rows are torques [knot, torque row], velocities between control points
    [knot + 1, coordinate], heights of corners that are in the air, and distances of near bodies.
    """

    def __init__(self, character: Character, terms: Terms, reference: ControlPoints) -> None:
        self.character, self.terms, self.reference = character, terms, reference
        count, dofs = terms.knot_count, terms.dof_count
        self.controls, self.dofs = count + 2, dofs
        arrays = terms.tree.arrays
        self.weight = float(arrays.mass.sum() * np.linalg.norm(arrays.gravity))
        self.arm = max(0.05, float(np.median(terms.path[:, 2])))  # turns forces into metres, as moments are
        self.edges = len(terms.generators)
        self.pushes = np.tile(self.weight * terms.generators, (terms.packed.corners, 1))
        self.size = self.controls * dofs
        self.active = np.repeat(terms.planted, self.edges, axis=1) & terms.dynamics
        self.limited = np.isfinite(terms.speeds)
        self.airborne = np.flatnonzero(~terms.floored)
        self.skating = terms.planted[1:] & terms.planted[:-1]
        self._set_unknowns()
        self._set_rows()

    def _set_unknowns(self) -> None:
        terms = self.terms
        low, high = np.full((self.controls, self.dofs), -np.inf), np.full((self.controls, self.dofs), np.inf)
        low[:, _ROOT:], high[:, _ROOT:] = terms.lower - self.reference.joints, terms.upper - self.reference.joints
        free = np.ones(self.size, dtype=bool)
        self.force_size = terms.knot_count * terms.force_count if terms.dynamics else 0
        nothing = np.zeros(self.force_size)
        self.lower, self.upper = np.concatenate([low.ravel(), nothing]), np.concatenate([high.ravel(), nothing + np.inf])
        self.free = np.concatenate([free, self.active.ravel()[: self.force_size]])

    def _set_rows(self) -> None:
        terms, weights = self.terms, self.terms.weights
        torques = terms.knot_count * len(terms.torques.dof) if terms.dynamics else 0
        speeds = (self.controls - 1) * int(self.limited.sum())
        air, near = len(self.airborne), len(terms.near.least)
        self.counts = (torques, speeds, air, near)
        self.ends = np.cumsum(self.counts)
        parts = (
            (torques, -1.0, 1.0, weights.torque_price),
            (speeds, -1.0, 1.0, weights.price * float(self._speed_scale())),
            (air, 0.0, np.inf, weights.price),
        )
        self.row_lower = np.concatenate([*(np.full(n, low) for n, low, _, _ in parts), terms.near.least])
        self.row_upper = np.concatenate([*(np.full(n, high) for n, _, high, _ in parts), np.full(near, np.inf)])
        self.row_price = np.concatenate([*(np.full(n, price) for n, _, _, price in parts), np.full(near, weights.price)])

    def _speed_scale(self) -> float:
        """Metres that a limit of speed is worth: what one more of it moves a hand in a step."""
        if not self.limited.any():
            return 1.0
        return float(np.median(self.terms.speeds[self.limited])) * self.terms.step

    def at(self, x: np.ndarray) -> ClipPoint:
        """The point of unknowns [N]."""
        terms, weights = self.terms, self.terms.weights
        increments = x[: self.size].reshape(self.controls, self.dofs)
        controls = self.reference.moved(increments)
        motion = evaluated(self.character, terms, controls, increments[:, 3:6], self.forces(x))
        corner = terms.packed.first_corner
        errors = motion.places[:, 1:corner] - motion.places[:, :1] - terms.targets
        softened = np.sqrt(np.sum(errors**2, axis=2) + weights.soft_m**2)
        cost = float(np.sum(terms.emphasis * (softened - weights.soft_m)))
        cost += 0.5 * weights.path * float(np.sum((motion.places[:, 0] - terms.path) ** 2))
        gaps, _ = self._hand_gaps(motion)
        cost += 0.5 * weights.hands * float(np.sum(gaps**2))
        heights = self._heights(motion)
        cost += 0.5 * weights.height * float(np.sum(np.where(terms.floored, heights, 0.0) ** 2))
        slips = self._slips(motion)
        cost += 0.5 * weights.skate * float(np.sum(slips**2))
        cost += 0.5 * weights.posture * float(np.sum((motion.knots.q - terms.posture) ** 2))
        cost += 0.5 * float(np.sum(terms.acceleration * motion.knots.a**2))
        wrench = np.zeros((0, _ROOT))
        if terms.dynamics:
            wrench = motion.tau[:, :_ROOT] * self._wrench_scale()
            forces = x[self.size :]
            cost += 0.5 * weights.wrench * float(np.sum(wrench**2)) + 0.5 * weights.spread * float(forces @ forces)
        return ClipPoint(x, motion, cost, self._rows(motion, heights), errors, softened, wrench)

    def forces(self, x: np.ndarray) -> np.ndarray:
        """Forces at the corners of unknowns, in the world [N], [t, corner, 3]."""
        count, corners = self.terms.knot_count, self.terms.packed.corners
        if not self.terms.dynamics:
            return np.zeros((count, corners, 3))
        shares = x[self.size :].reshape(count, corners, self.edges)
        return self.weight * shares @ self.terms.generators

    def _wrench_scale(self) -> np.ndarray:
        return np.array([self.arm] * 3 + [1.0] * 3) / self.weight

    def _hand_gaps(self, motion: Evaluation) -> tuple[np.ndarray, np.ndarray]:
        """How much hands that are together are too far apart, 0 where they are not, [t]; and their direction [t, 3]."""
        left, right = self.terms.hands
        between = motion.places[:, 1 + left] - motion.places[:, 1 + right]
        length = np.linalg.norm(between, axis=1)
        together = np.isfinite(self.terms.hand_gap)
        gaps = np.where(together, length - np.where(together, self.terms.hand_gap, 0.0), 0.0)
        return gaps, between / np.maximum(length, 1e-9)[:, None]

    def _heights(self, motion: Evaluation) -> np.ndarray:
        """Of corners above their surfaces [m], [t, corner]."""
        packed = self.terms.packed
        return np.asarray(motion.places[:, packed.first_corner : packed.first_frame, 2] - self.terms.heights)

    def _slips(self, motion: Evaluation) -> np.ndarray:
        """Displacements of what is planted, from knot to knot [m], [t - 1, corner, 2]."""
        packed = self.terms.packed
        moved = np.diff(motion.places[:, packed.first_corner : packed.first_frame, :2], axis=0)
        return np.asarray(np.where(self.skating[..., None], moved, 0.0))

    def _rows(self, motion: Evaluation, heights: np.ndarray) -> np.ndarray:
        terms, rows = self.terms, self.terms.torques
        torques = np.zeros(0)
        if terms.dynamics:
            torques = motion.tau[:, rows.dof] * rows.by_torque + motion.knots.v[:, rows.dof] * rows.by_speed
        speeds = np.diff(motion.controls.joints[:, self.limited], axis=0) / (terms.speeds[self.limited] * terms.step)
        return np.concatenate(
            [torques.ravel(), speeds.ravel(), heights.ravel()[self.airborne], self._distances(motion.places)]
        )

    def _distances(self, places: np.ndarray) -> np.ndarray:
        """Of near bodies along their normals; also of changes of places, [near]."""
        near = self.terms.near
        if not len(near.frame):
            return np.zeros(0)
        first = self.terms.packed.first_frame
        ends = []
        for side in range(2):
            local, begin = near.local[:, side], first + 4 * near.bodies[:, side]
            shares = np.column_stack([1.0 - local.sum(axis=1), local])
            corners = places[near.frame[:, None], begin[:, None] + np.arange(4)]
            ends.append(np.einsum("nc,ncx->nx", shares, corners))
        return np.asarray(np.einsum("nx,nx->n", ends[0] - ends[1], near.normal))

    def newton_system(self, point: ClipPoint, weights: RowWeights) -> ClipSystem:
        """The Newton system at a point."""
        torque, speed, air, near = (
            weights.stiffness[begin:end] for begin, end in zip((0, *self.ends), self.ends, strict=False)
        )
        motion, terms = point.motion, self.terms
        band = np.zeros((self.size, 4 * self.dofs))
        own, cross = self._squares(point, air, near)
        add_position_terms(band, own, cross, motion.knots.tangents)
        self._add_root_acceleration(band, motion)
        self._add_joint_stencils(band, speed)
        dynamics = None
        if terms.dynamics:
            dynamics = self._dynamics_rows(motion, torque.reshape(terms.knot_count, -1))
        gradient, pressed = self._gradient(point, dynamics), self._pressed(motion, dynamics, weights.force)
        matrix = CondensedMatrix(band, dynamics)
        return ClipSystem(gradient, pressed, matrix, lambda dx: self._row_change(motion, dynamics, dx))

    def _squares(self, point: ClipPoint, air: np.ndarray, near: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Squares of all that looks at points, by positions: of each knot, and of each with the next."""
        terms, weights, packed = self.terms, self.terms.weights, self.terms.packed
        corner_weights = np.where(terms.floored, weights.height, 0.0)
        corner_weights.ravel()[self.airborne] = air
        _, direction = self._hand_gaps(point.motion)
        together = np.where(np.isfinite(terms.hand_gap), weights.hands, 0.0)
        count, dofs = terms.knot_count, self.dofs
        own, cross = np.empty((count, dofs, dofs)), np.zeros((max(count - 1, 0), dofs, dofs))
        put_position_squares(
            point.motion.jacobians,
            point.errors / point.softened[..., None],
            terms.emphasis / point.softened,
            _BEND,
            np.array(terms.hands),
            np.ascontiguousarray(direction),
            together,
            weights.path,
            corner_weights,
            np.where(self.skating, weights.skate, 0.0),
            (terms.near.frame, terms.near.bodies, terms.near.local, terms.near.normal, np.ascontiguousarray(near)),
            (packed.first_corner, packed.first_frame),
            own,
            cross,
        )
        joints = np.arange(_ROOT, dofs)
        own[:, joints, joints] += weights.posture
        return own, cross

    def _add_root_acceleration(self, band: np.ndarray, motion: Evaluation) -> None:
        """Squares of the root's accelerations, by control points."""
        rows = motion.knots.tangents[:, 12:18]
        squares = np.einsum("tea,e,teb->tab", rows, self.terms.acceleration[:_ROOT], rows)
        last, size = band.shape[1] - 1, self.dofs
        for i in range(3):
            for j in range(i + 1):
                for a in range(_ROOT):
                    for b in range(a + 1 if i == j else _ROOT):
                        row = (np.arange(self.terms.knot_count) + i) * size + a
                        band[row, last - (i - j) * size - a + b] += squares[:, 6 * i + a, 6 * j + b]

    def _add_joint_stencils(self, band: np.ndarray, speed: np.ndarray) -> None:
        """Squares of accelerations and of limited speeds of the joints, by control points."""
        terms, last, size = self.terms, band.shape[1] - 1, self.dofs
        bend = np.array([1.0, -2.0, 1.0]) / terms.step**2
        shaped = band.reshape(self.controls, size, 4 * size)
        joints = np.arange(_ROOT, size)
        for i in range(3):
            for j in range(i + 1):
                added = bend[i] * bend[j] * terms.acceleration[_ROOT:]
                shaped[i : self.controls - 2 + i, joints, last - (i - j) * size] += added
        if not len(speed):
            return
        limited = joints[self.limited]
        scaled = speed.reshape(self.controls - 1, -1) / (terms.speeds[self.limited] * terms.step) ** 2
        shaped[1:, limited, last] += scaled
        shaped[:-1, limited, last] += scaled
        shaped[1:, limited, last - size] -= scaled

    def _dynamics_rows(self, motion: Evaluation, stiffness: np.ndarray) -> DynamicsRows:
        terms, torques, packed = self.terms, self.terms.torques, self.terms.packed
        dof = np.concatenate([np.arange(_ROOT), torques.dof])
        scale = np.concatenate([self._wrench_scale(), torques.by_torque])
        by_speed = np.concatenate([np.zeros(_ROOT), torques.by_speed])
        count, number = terms.knot_count, len(dof)
        rows, gains = np.empty((count, number, 3 * self.dofs)), np.empty((count, number, len(self.pushes)))
        corners = motion.jacobians[:, :, 3 * packed.first_corner : 3 * packed.first_frame]
        put_dynamics_rows(
            motion.by_q,
            motion.by_v,
            motion.by_a,
            np.ascontiguousarray(corners),
            motion.knots.tangents,
            terms.step,
            dof,
            scale,
            by_speed,
            self.pushes,
            rows,
            gains,
        )
        whole = np.concatenate([np.full((count, _ROOT), terms.weights.wrench), stiffness], axis=1)
        return DynamicsRows(rows, gains, np.maximum(whole, _LEAST_STIFFNESS), self.active, terms.weights.spread)

    def _gradient(self, point: ClipPoint, dynamics: DynamicsRows | None) -> np.ndarray:
        terms, weights, motion = self.terms, self.terms.weights, point.motion
        packed, count = terms.packed, terms.knot_count
        by_points = np.zeros((count, len(packed.bodies), 3))
        pull = (terms.emphasis / point.softened)[..., None] * point.errors
        by_points[:, 1 : packed.first_corner] = pull
        by_points[:, 0] = weights.path * (motion.places[:, 0] - terms.path) - pull.sum(axis=1)
        gaps, direction = self._hand_gaps(motion)
        across = weights.hands * gaps[:, None] * direction
        by_points[:, 1 + terms.hands[0]] += across
        by_points[:, 1 + terms.hands[1]] -= across
        corners = by_points[:, packed.first_corner : packed.first_frame]
        corners[..., 2] = weights.height * np.where(terms.floored, self._heights(motion), 0.0)
        slips = weights.skate * self._slips(motion)
        corners[1:, :, :2] += slips
        corners[:-1, :, :2] -= slips
        by_positions = self._by_positions(motion, by_points)
        by_positions[:, _ROOT:] += weights.posture * (motion.knots.q - terms.posture)
        out = np.zeros((self.controls, self.dofs))
        put_lifted_gradient(by_positions, motion.knots.tangents, out)
        self._add_acceleration_gradient(motion, out)
        if dynamics is None:
            return out.ravel()
        values = np.zeros(dynamics.stiffness.shape)
        values[:, :_ROOT] = weights.wrench * point.wrench
        add_rows_gradient(dynamics.rows, values, out)
        by_forces = np.matmul(values[:, None, :], dynamics.gains)[:, 0].ravel()
        by_forces += weights.spread * point.x[self.size :]
        return np.concatenate([out.ravel(), np.where(self.active.ravel(), by_forces, 0.0)])

    def _add_acceleration_gradient(self, motion: Evaluation, out: np.ndarray) -> None:
        pull = self.terms.acceleration * motion.knots.a
        for i, share in enumerate((1.0, -2.0, 1.0)):
            out[i : self.controls - 2 + i, _ROOT:] += share / self.terms.step**2 * pull[:, _ROOT:]
        lifted = np.einsum("te,tea->ta", pull[:, :_ROOT], motion.knots.tangents[:, 12:18])
        for i in range(3):
            out[i : self.controls - 2 + i, :_ROOT] += lifted[:, 6 * i : 6 * i + 6]

    def _by_positions(self, motion: Evaluation, by_points: np.ndarray) -> np.ndarray:
        """J^T of forces at all points, [t, D]."""
        flat = by_points.reshape(len(by_points), -1, 1)
        return np.ascontiguousarray(np.matmul(motion.jacobians, flat)[..., 0])

    def _pressed(self, motion: Evaluation, dynamics: DynamicsRows | None, force: np.ndarray) -> np.ndarray:
        """J^T force of all rows."""
        terms, packed, near = self.terms, self.terms.packed, self.terms.near
        torque, speed, air, pairs = (force[begin:end] for begin, end in zip((0, *self.ends), self.ends, strict=False))
        by_points = np.zeros((terms.knot_count, len(packed.bodies), 3))
        knot, corner = np.divmod(self.airborne, packed.corners)
        by_points[knot, packed.first_corner + corner, 2] = air
        if len(pairs):
            pull = pairs[:, None] * near.normal
            for side, sign in ((0, 1.0), (1, -1.0)):
                local, begin = near.local[:, side], packed.first_frame + 4 * near.bodies[:, side]
                shares = np.column_stack([1.0 - local.sum(axis=1), local])
                for c in range(4):
                    np.add.at(by_points, (near.frame, begin + c), sign * shares[:, c : c + 1] * pull)
        out = np.zeros((self.controls, self.dofs))
        put_lifted_gradient(self._by_positions(motion, by_points), motion.knots.tangents, out)
        if len(speed):
            pull = speed.reshape(self.controls - 1, -1) / (terms.speeds[self.limited] * terms.step)
            columns = _ROOT + np.flatnonzero(self.limited)
            out[1:, columns] += pull
            out[:-1, columns] -= pull
        if dynamics is None:
            return out.ravel()
        values = np.zeros(dynamics.stiffness.shape)
        values[:, _ROOT:] = torque.reshape(terms.knot_count, -1)
        add_rows_gradient(dynamics.rows, values, out)
        by_forces = np.matmul(values[:, None, :], dynamics.gains)[:, 0]
        return np.concatenate([out.ravel(), np.where(self.active, by_forces, 0.0).ravel()])

    def _row_change(self, motion: Evaluation, dynamics: DynamicsRows | None, dx: np.ndarray) -> np.ndarray:
        """J dx of all rows."""
        terms, packed = self.terms, self.terms.packed
        moved = dx[: self.size].reshape(self.controls, self.dofs)
        positions = np.empty((terms.knot_count, self.dofs))
        put_position_change(moved, motion.knots.tangents, positions)
        places = np.matmul(positions[:, None, :], motion.jacobians)[:, 0].reshape(terms.knot_count, -1, 3)
        heights = places[:, packed.first_corner : packed.first_frame, 2].ravel()[self.airborne]
        columns = _ROOT + np.flatnonzero(self.limited)
        speeds = np.diff(moved[:, columns], axis=0) / (terms.speeds[self.limited] * terms.step)
        torques = np.zeros(0)
        if dynamics is not None:
            change = np.empty(dynamics.stiffness.shape)
            put_rows_change(dynamics.rows, moved, change)
            forces = np.where(self.active, dx[self.size :].reshape(self.active.shape), 0.0)
            change += np.matmul(dynamics.gains, forces[..., None])[..., 0]
            torques = change[:, _ROOT:].ravel()
        return np.concatenate([torques, speeds.ravel(), heights, self._distances(places)])
