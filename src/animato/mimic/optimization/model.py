"""The whole clip as one problem of an interior point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.mimic.curve import ControlPoints
from animato.mimic.optimization.evaluation import Evaluation, evaluated
from animato.mimic.optimization.leaning import EDGES, Leaning
from animato.mimic.optimization.newton import (
    ClipSystem,
    CondensedMatrix,
    DynamicsRows,
    add_position_terms,
    add_root_squares,
    add_rows_gradient,
    put_dynamics_rows,
    put_lifted_gradient,
    put_position_squares,
)
from animato.mimic.optimization.rows import RowLimits, Rows
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
        rows: In the order of `ClipModel`, [m].
        errors: Of landmarks [m], [t, landmark, 3].
        softened: Their lengths, softened, [t, landmark].
    """

    x: np.ndarray
    motion: Evaluation
    cost: float
    rows: np.ndarray
    errors: np.ndarray
    softened: np.ndarray


class ClipModel:
    """What `InteriorPoint` asks of a problem.

    Unknowns are increments of control points [knot + 2, dof], then forces along the edges of friction cones [knot,
    corner, edge] in weights of the robot. Rows, in this order: of dynamics [knot, row], the wrench that nothing gives,
    then torques, then leaning loads; velocities between control points [knot + 1, coordinate]; ranges of control points
    [knot + 2, coordinate]; heights of corners [knot, corner]; displacements of what is planted; gaps of hands that are
    together; distances of near bodies.
    """

    def __init__(
        self,
        character: Character,
        terms: Terms,
        reference: ControlPoints,
        leaning: Leaning | None = None,
        *,
        held: int = 0,
    ) -> None:
        self.character, self.terms, self.reference, self.leaning = character, terms, reference, leaning
        count, dofs = terms.knot_count, terms.dof_count
        self.controls, self.dofs = count + 2, dofs
        arrays = terms.tree.arrays
        self.weight = float(arrays.mass.sum() * np.linalg.norm(arrays.gravity))
        self.arm = max(0.05, float(np.median(terms.path[:, 2])))  # turns forces into metres, as moments are
        self.edges = len(terms.generators)
        self.pushes = np.tile(self.weight * terms.generators, (terms.packed.corners, 1))
        self.size = self.controls * dofs
        self.active = np.repeat(terms.pushing, self.edges, axis=1) & terms.dynamics
        self.limited = np.isfinite(terms.speeds)
        self.together = np.isfinite(terms.hand_gap)
        self.row_dof = np.concatenate([np.arange(_ROOT), terms.torques.dof])
        self.edge_count = 0 if leaning is None or not terms.dynamics else EDGES
        self.row_scale = np.concatenate([self.wrench_scale, terms.torques.by_torque])
        self.row_speed = np.concatenate([np.zeros(_ROOT), terms.torques.by_speed])
        self.load_weights = np.where(terms.pushing.any(axis=1), terms.weights.load, 0.0)
        self.skating = terms.planted[1:] & terms.planted[:-1]
        self._set_unknowns(held)
        self.limits = RowLimits.of(terms, leaning)
        self.row_lower, self.row_upper = self.limits.lower, self.limits.upper
        self.row_stiffness, self.row_price = self.limits.stiffness, self.limits.price
        self.row_band, self.row_tolerance = self.limits.band, self.limits.tolerance

    def _set_unknowns(self, held: int) -> None:
        terms = self.terms
        self.force_size = terms.knot_count * terms.force_count if terms.dynamics else 0
        anywhere = np.full(self.size, np.inf)
        self.lower = np.concatenate([-anywhere, np.zeros(self.force_size)])
        self.upper = np.concatenate([anywhere, np.full(self.force_size, np.inf)])
        self.free = np.concatenate([np.arange(self.size) >= held * self.dofs, self.active.ravel()[: self.force_size]])

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
        cost += 0.5 * float(np.sum(terms.posture_weights * (motion.knots.q - terms.posture) ** 2))
        if terms.mesh is not None:
            off = self._mesh_offsets(motion)
            cost += 0.5 * float(np.sum(off * np.matmul(terms.mesh, off)))
        cost += 0.5 * float(np.sum(terms.acceleration * motion.knots.a**2))
        if terms.dynamics:
            forces = x[self.size :]
            cost += 0.5 * weights.spread * float(forces @ forces) + 0.5 * float(
                self._overload(x) ** 2 @ self.load_weights
            )
        return ClipPoint(x, motion, cost, self._rows(motion, x), errors, softened)

    def loads(self, x: np.ndarray) -> np.ndarray:
        """Vertical forces of the corners in weights, [t, corner]."""
        return np.asarray(x[self.size :].reshape(self.terms.knot_count, -1, self.edges).sum(axis=2))

    def _overload(self, x: np.ndarray) -> np.ndarray:
        """Vertical force of all contacts in weights, less 1, [t]."""
        return np.asarray(self.loads(x).sum(axis=1) - 1.0)

    def forces(self, x: np.ndarray) -> np.ndarray:
        """Forces at the corners of unknowns, in the world [N], [t, corner, 3]."""
        count, corners = self.terms.knot_count, self.terms.packed.corners
        if not self.terms.dynamics:
            return np.zeros((count, corners, 3))
        shares = x[self.size :].reshape(count, corners, self.edges)
        return self.weight * shares @ self.terms.generators

    @property
    def wrench_scale(self) -> np.ndarray:
        """Turns forces and moments of the root into metres of the ZMP, [6]."""
        return np.array([self.arm] * 3 + [1.0] * 3) / self.weight

    def _mesh_offsets(self, motion: Evaluation) -> np.ndarray:
        """Pelvis and landmarks from where the mesh has them [m], [t, 1 + landmark, 3]."""
        return np.asarray(motion.places[:, : self.terms.packed.first_corner] - self.terms.mesh_places)

    def _hands(self, places: np.ndarray) -> np.ndarray:
        """From the second wrist to the first [m], [t, 3]."""
        left, right = self.terms.hands
        return np.asarray(places[:, 1 + left] - places[:, 1 + right])

    def corners(self, places: np.ndarray) -> np.ndarray:
        """Of all points, those that may touch, [t, corner, 3]."""
        return places[:, self.terms.packed.first_corner : self.terms.packed.first_frame]

    def _rows(self, motion: Evaluation, x: np.ndarray) -> np.ndarray:
        terms, corners = self.terms, self.corners(motion.places)
        dynamic = np.zeros(0)
        if terms.dynamics:
            dynamic = motion.tau[:, self.row_dof] * self.row_scale + motion.knots.v[:, self.row_dof] * self.row_speed
            if self.edge_count and self.leaning is not None:
                leaned = np.einsum("tec,tc->te", self.leaning.reach, self.loads(x))
                dynamic = np.hstack([dynamic, leaned])
        speeds = np.diff(motion.controls.joints[:, self.limited], axis=0) / (terms.speeds[self.limited] * terms.step)
        gaps = np.linalg.norm(self._hands(motion.places)[self.together], axis=1) - terms.hand_gap[self.together]
        return np.concatenate(
            [
                dynamic.ravel(),
                speeds.ravel(),
                motion.controls.joints.ravel(),
                (corners[..., 2] - terms.heights).ravel(),
                np.diff(corners[..., :2], axis=0)[self.skating].ravel(),
                gaps,
                self._distances(motion.places),
            ]
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
        stiffness = self.limits.grouped(weights.stiffness)
        motion, terms = point.motion, self.terms
        band = np.zeros((self.size, 4 * self.dofs))
        own, cross = self._squares(point, stiffness)
        add_position_terms(band, own, cross, motion.knots.tangents)
        self._add_root_acceleration(band, motion)
        self._add_joint_stencils(band, stiffness.speed, stiffness.range)
        dynamics = self._dynamics_rows(motion, stiffness.dynamic) if terms.dynamics else None
        gradient = self._gradient(point)
        pressed = self._pressed(motion, dynamics, self.limits.grouped(weights.force))
        matrix = CondensedMatrix(band, dynamics)
        return ClipSystem(gradient, pressed, matrix)

    def shift_like(self, other: ClipModel, shift: np.ndarray) -> np.ndarray:
        """The shift of another model's rows, as far as this one has the same; stiffer rows have shifted less."""
        old, new = other.limits.grouped(shift * other.row_stiffness), self.limits.grouped(np.zeros(len(self.row_lower)))
        groups = [a if len(a) == len(b) else b for a, b in zip(old[:-1], new[:-1], strict=True)]
        return np.concatenate([*groups, new.near]) / self.row_stiffness

    def _squares(self, point: ClipPoint, stiffness: Rows) -> tuple[np.ndarray, np.ndarray]:
        """Squares of all that looks at points, by positions: of each knot, and of each with the next."""
        terms, weights, packed = self.terms, self.terms.weights, self.terms.packed
        count, dofs = terms.knot_count, self.dofs
        skate, together = np.zeros(self.skating.shape), np.zeros(count)
        skate[self.skating] = stiffness.skate[::2]
        together[self.together] = stiffness.hands
        between = self._hands(point.motion.places)
        between /= np.maximum(np.linalg.norm(between, axis=1), 1e-9)[:, None]
        own, cross = np.empty((count, dofs, dofs)), np.zeros((max(count - 1, 0), dofs, dofs))
        put_position_squares(
            point.motion.jacobians,
            point.errors / point.softened[..., None],
            terms.emphasis / point.softened,
            _BEND,
            np.array(terms.hands),
            between,
            together,
            weights.path,
            np.ascontiguousarray(stiffness.height.reshape(count, -1)),
            skate,
            (terms.near.frame, terms.near.bodies, terms.near.local, terms.near.normal, stiffness.near.copy()),
            (packed.first_corner, packed.first_frame),
            own,
            cross,
        )
        joints = np.arange(_ROOT, dofs)
        own[:, joints, joints] += terms.posture_weights
        if terms.mesh is not None:
            shown = point.motion.jacobians[:, :, : 3 * terms.mesh.shape[1]]
            by_axis = shown.reshape(count, dofs, -1, 3).transpose(0, 3, 1, 2)
            own += np.matmul(np.matmul(by_axis, terms.mesh[:, None]), by_axis.transpose(0, 1, 3, 2)).sum(axis=1)
        return own, cross

    def _add_root_acceleration(self, band: np.ndarray, motion: Evaluation) -> None:
        """Squares of the root's accelerations, by control points."""
        rows = motion.knots.tangents[:, 12:18]
        squares = np.matmul((rows * self.terms.acceleration[:, :_ROOT, None]).transpose(0, 2, 1), rows)
        add_root_squares(band, squares, self.dofs)

    def _add_joint_stencils(self, band: np.ndarray, speed: np.ndarray, ranges: np.ndarray) -> None:
        """Squares of accelerations, limited speeds and ranges of the joints, by control points."""
        terms, last, size = self.terms, band.shape[1] - 1, self.dofs
        bend = np.array([1.0, -2.0, 1.0]) / terms.step**2
        shaped = band.reshape(self.controls, size, 4 * size)
        joints = np.arange(_ROOT, size)
        for i in range(3):
            for j in range(i + 1):
                added = bend[i] * bend[j] * terms.acceleration[:, _ROOT:]
                shaped[i : self.controls - 2 + i, joints, last - (i - j) * size] += added
        shaped[:, joints, last] += ranges.reshape(self.controls, -1)
        if not len(speed):
            return
        limited = joints[self.limited]
        scaled = speed.reshape(self.controls - 1, -1) / (terms.speeds[self.limited] * terms.step) ** 2
        shaped[1:, limited, last] += scaled
        shaped[:-1, limited, last] += scaled
        shaped[1:, limited, last - size] -= scaled

    def _dynamics_rows(self, motion: Evaluation, stiffness: np.ndarray) -> DynamicsRows:
        terms, packed, count = self.terms, self.terms.packed, self.terms.knot_count
        number = len(self.row_dof) + self.edge_count
        rows, gains = np.zeros((count, number + 1, 3 * self.dofs)), np.ones((count, number + 1, len(self.pushes)))
        if self.edge_count and self.leaning is not None:
            gains[:, len(self.row_dof) : number] = np.repeat(self.leaning.reach, self.edges, axis=2)
        corners = motion.jacobians[:, :, 3 * packed.first_corner : 3 * packed.first_frame]
        put_dynamics_rows(
            motion.by_q,
            motion.by_v,
            motion.by_a,
            np.ascontiguousarray(corners),
            motion.knots.tangents,
            terms.step,
            self.row_dof,
            self.row_scale,
            self.row_speed,
            self.pushes,
            rows,
            gains,
        )
        felt = np.column_stack([stiffness.reshape(count, number), self.load_weights])  # the load is the last row
        return DynamicsRows(rows, gains, np.maximum(felt, _LEAST_STIFFNESS), self.active, terms.weights.spread)

    def _gradient(self, point: ClipPoint) -> np.ndarray:
        terms, weights, motion = self.terms, self.terms.weights, point.motion
        by_points = np.zeros((terms.knot_count, len(terms.packed.bodies), 3))
        pull = (terms.emphasis / point.softened)[..., None] * point.errors
        by_points[:, 1 : terms.packed.first_corner] = pull
        by_points[:, 0] = weights.path * (motion.places[:, 0] - terms.path) - pull.sum(axis=1)
        if terms.mesh is not None:
            by_points[:, : terms.packed.first_corner] += np.matmul(terms.mesh, self._mesh_offsets(motion))
        by_positions = self._by_positions(motion, by_points)
        by_positions[:, _ROOT:] += terms.posture_weights * (motion.knots.q - terms.posture)
        out = np.zeros((self.controls, self.dofs))
        put_lifted_gradient(by_positions, motion.knots.tangents, out)
        self._add_acceleration_gradient(motion, out)
        if not terms.dynamics:
            return out.ravel()
        by_forces = weights.spread * point.x[self.size :].reshape(self.active.shape)
        by_forces = by_forces + (self.load_weights * self._overload(point.x))[:, None]
        return np.concatenate([out.ravel(), np.where(self.active, by_forces, 0.0).ravel()])

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

    def _pressed(self, motion: Evaluation, dynamics: DynamicsRows | None, force: Rows) -> np.ndarray:
        """J^T force of all rows."""
        terms, packed, near = self.terms, self.terms.packed, self.terms.near
        by_points = np.zeros((terms.knot_count, len(packed.bodies), 3))
        corners = self.corners(by_points)
        corners[..., 2] = force.height.reshape(terms.knot_count, -1)
        slips = np.zeros((*self.skating.shape, 2))
        slips[self.skating] = force.skate.reshape(-1, 2)
        corners[1:, :, :2] += slips
        corners[:-1, :, :2] -= slips
        between = self._hands(motion.places)[self.together]
        across = force.hands[:, None] * between / np.maximum(np.linalg.norm(between, axis=1), 1e-9)[:, None]
        by_points[self.together, 1 + terms.hands[0]] += across
        by_points[self.together, 1 + terms.hands[1]] -= across
        if len(force.near):
            pull = force.near[:, None] * near.normal
            for side, sign in ((0, 1.0), (1, -1.0)):
                local, begin = near.local[:, side], packed.first_frame + 4 * near.bodies[:, side]
                shares = np.column_stack([1.0 - local.sum(axis=1), local])
                for c in range(4):
                    np.add.at(by_points, (near.frame, begin + c), sign * shares[:, c : c + 1] * pull)
        out = np.zeros((self.controls, self.dofs))
        put_lifted_gradient(self._by_positions(motion, by_points), motion.knots.tangents, out)
        out[:, _ROOT:] += force.range.reshape(self.controls, -1)
        if len(force.speed):
            pull = force.speed.reshape(self.controls - 1, -1) / (terms.speeds[self.limited] * terms.step)
            columns = _ROOT + np.flatnonzero(self.limited)
            out[1:, columns] += pull
            out[:-1, columns] -= pull
        if dynamics is None:
            return out.ravel()
        values = np.column_stack([force.dynamic.reshape(terms.knot_count, -1), np.zeros(terms.knot_count)])
        add_rows_gradient(dynamics.rows, values, out)
        by_forces = np.matmul(values[:, None, :], dynamics.gains)[:, 0]
        return np.concatenate([out.ravel(), np.where(self.active, by_forces, 0.0).ravel()])
