"""The paper's system in maximal coordinates: rigid bodies in the world, flexible parts beside them, all tied by rows.

State (eqs. 8, 9): U = (c, q, u) and V = (w, omega, v): centres of mass [m], quaternions wxyz, modal coordinates of the
parts one after the other; velocities, angular velocities in the world, modal velocities. Quaternions are normalized
where they are used, so that their length may drift without harm.

Index 2 (eq. 10), with Baumgarte's alpha:

    U' = T V,      M V' - F - (C_U T)^T Lambda = 0,      C_t + C_U T V + alpha C = 0.

Constraint forces act on bodies and on the nodes of the parts, as in absolute coordinates: the frame of an interface
passes nothing to the body that its part is written relative to; the body gets its share through its own rows.

All functions take states with leading shapes [...], so that a Jacobian by differences is one call.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.described import Described
from animato.mechanics.flexible.interface import polar_rotation
from animato.spatial.quaternions import matrix_from_quaternion, normalized
from animato.steady.published.maximal.constraint_rows import ConstraintRows, PlacedRows, placed
from animato.steady.published.maximal.relative_part import RelativePart


@dataclass(frozen=True, eq=False)
class Frames:
    """Frames of a state: the world, the bodies, then the interfaces of all parts.

    Attributes:
        origins: [m], [..., frame, 3].
        rotations: [..., frame, 3, 3].
        turns: Of each interface: turn along its own axes per unit of a mode, [..., 3, mode] each.
    """

    origins: np.ndarray
    rotations: np.ndarray
    turns: tuple[np.ndarray, ...]


@dataclass(frozen=True, eq=False, repr=False)
class MaximalSystem(Described):
    """Bodies, parts and rows.

    Attributes:
        name: Of the character.
        body_names: Of the bodies that move, [body].
        masses: [kg], [body].
        inertias: About the centres of mass, along the bodies' axes [kg m^2], [body, 3, 3].
        parts: Flexible ones.
        rows: What ties them.
        motor_names: In the order of a motor's number.
        rest: U of the undeformed character.
        gravity: [m/s^2], [3].
    """

    name: str
    body_names: tuple[str, ...]
    masses: np.ndarray
    inertias: np.ndarray
    parts: tuple[RelativePart, ...]
    rows: ConstraintRows
    motor_names: tuple[str, ...]
    rest: np.ndarray
    gravity: np.ndarray

    @property
    def body_count(self) -> int:
        """Bodies that move."""
        return len(self.body_names)

    @property
    def mode_count(self) -> int:
        """Of all parts."""
        return sum(part.mode_count for part in self.parts)

    @property
    def position_count(self) -> int:
        """Length of U."""
        return 7 * self.body_count + self.mode_count

    @property
    def velocity_count(self) -> int:
        """Length of V."""
        return 6 * self.body_count + self.mode_count

    @property
    def frame_count(self) -> int:
        """The world, bodies, interfaces."""
        return 1 + self.body_count + sum(len(part.interfaces) for part in self.parts)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "character": self.name,
            "rigid freedoms": str(6 * self.body_count),
            "modes": str(self.mode_count),
            "rows": str(len(self.rows)),
        }

    def bodies_of(self, U: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Centres of mass [..., body, 3] and rotations [..., body, 3, 3]."""
        b, lead = self.body_count, U.shape[:-1]
        q = normalized(U[..., 3 * b : 7 * b].reshape(*lead, b, 4))
        return U[..., : 3 * b].reshape(*lead, b, 3), matrix_from_quaternion(q)

    def _modes(self, x: np.ndarray, first: int) -> list[np.ndarray]:
        cuts = np.cumsum([part.mode_count for part in self.parts])[:-1]
        return np.split(x[..., first:], cuts, axis=-1) if self.parts else []

    def frames(self, U: np.ndarray) -> Frames:
        """Where everything is."""
        lead = U.shape[:-1]
        centres, turned = self.bodies_of(U)
        origins = [np.zeros((*lead, 3)), *np.moveaxis(centres, -2, 0)]
        rotations = [np.broadcast_to(np.eye(3), (*lead, 3, 3)), *np.moveaxis(turned, -3, 0)]
        turns = []
        for part, u in zip(self.parts, self._modes(U, 7 * self.body_count), strict=True):
            c, R = origins[part.reference], rotations[part.reference]
            for one in part.interfaces:
                A = one.rest + np.einsum("kpq,...k->...pq", one.linear, u)
                P = polar_rotation(A)
                S = np.swapaxes(P, -1, -2) @ A
                spread = np.trace(S, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - S
                B = np.einsum("...pq,kpr->...kqr", P, one.linear)
                axial = np.stack(
                    (B[..., 2, 1] - B[..., 1, 2], B[..., 0, 2] - B[..., 2, 0], B[..., 1, 0] - B[..., 0, 1]), -2
                )
                turns.append(np.linalg.solve(spread, axial))
                origins.append(c + np.einsum("...pq,...q->...p", R, one.centroid + u @ one.shift))
                rotations.append(R @ P)
        return Frames(np.stack(origins, axis=-2), np.stack(rotations, axis=-3), tuple(turns))

    def placed_rows(self, frames: Frames, motors: np.ndarray) -> PlacedRows:
        """The rows where the frames are, with motors at [motor]."""
        return placed(self.rows, frames.origins, frames.rotations, motors)

    def twists(self, frames: Frames, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Velocities of the frames' origins and their angular velocities, [..., frame, 3] each."""
        b, lead, frame = self.body_count, V.shape[:-1], 1 + self.body_count
        moves, turns = np.zeros((*lead, self.frame_count, 3)), np.zeros((*lead, self.frame_count, 3))
        moves[..., 1 : 1 + b, :] = V[..., : 3 * b].reshape(*lead, b, 3)
        turns[..., 1 : 1 + b, :] = V[..., 3 * b : 6 * b].reshape(*lead, b, 3)
        for part, v in zip(self.parts, self._modes(V, 6 * b), strict=True):
            at, R = part.reference, frames.rotations[..., part.reference, :, :]
            for one in part.interfaces:
                arm = frames.origins[..., frame, :] - frames.origins[..., at, :]
                own = frames.rotations[..., frame, :, :]
                turn = np.einsum("...pk,...k->...p", frames.turns[frame - 1 - b], v)
                shift = np.einsum("...pq,...q->...p", R, v @ one.shift)
                moves[..., frame, :] = moves[..., at, :] + np.cross(turns[..., at, :], arm) + shift
                turns[..., frame, :] = turns[..., at, :] + np.einsum("...pq,...q->...p", own, turn)
                frame += 1
        return moves, turns

    def constraint_forces(self, frames: Frames, rows: PlacedRows, multipliers: np.ndarray) -> np.ndarray:
        """(C_U T)^T Lambda, [..., velocity], of multipliers [..., row]."""
        forces, moments = rows.wrenches(multipliers, self.frame_count)
        b, lead, frame = self.body_count, forces.shape[:-2], 1 + self.body_count
        found = [forces[..., 1 : 1 + b, :].reshape(*lead, 3 * b), moments[..., 1 : 1 + b, :].reshape(*lead, 3 * b)]
        for part in self.parts:
            R, total = frames.rotations[..., part.reference, :, :], 0.0
            for one in part.interfaces:
                own = frames.rotations[..., frame, :, :]
                push = np.einsum("...pq,...p->...q", R, forces[..., frame, :])
                twist = np.einsum("...pq,...p->...q", own, moments[..., frame, :])
                turn = frames.turns[frame - 1 - b]
                total = total + push @ one.shift.T + np.einsum("...pk,...p->...k", turn, twist)
                frame += 1
            found.append(np.asarray(total))
        return np.concatenate(found, axis=-1)

    def inertial_forces(self, U: np.ndarray, V: np.ndarray, a: np.ndarray) -> np.ndarray:
        """M V' - F without what is elastic (eqs. 3, 14 to 18), [..., velocity], for V' = a."""
        b, lead = self.body_count, U.shape[:-1]
        _, R = self.bodies_of(U)
        spin = V[..., 3 * b : 6 * b].reshape(*lead, b, 3)
        pull = a[..., : 3 * b].reshape(*lead, b, 3) - self.gravity
        turn = a[..., 3 * b : 6 * b].reshape(*lead, b, 3)
        own_spin, own_turn, own_pull = (np.einsum("...bpq,...bp->...bq", R, x) for x in (spin, turn, pull))
        momentum = np.einsum("bpq,...bq->...bp", self.inertias, own_spin)
        torque = np.einsum("bpq,...bq->...bp", self.inertias, own_turn) + np.cross(own_spin, momentum)
        force = self.masses[:, None] * pull
        found = [
            force.reshape(*lead, 3 * b),
            np.einsum("...bpq,...bq->...bp", R, torque).reshape(*lead, 3 * b),
        ]
        still = np.zeros((*lead, 3))
        for part, u, v, acceleration in zip(
            self.parts,
            self._modes(U, 7 * b),
            self._modes(V, 6 * b),
            self._modes(a, 6 * b),
            strict=True,
        ):
            at = part.reference - 1
            if at < 0:
                motion = (still, still, still - self.gravity)
            else:
                motion = (own_spin[..., at, :], own_turn[..., at, :], own_pull[..., at, :])
            found.append(part.inertial_forces(u, v, acceleration, *motion))
        return np.concatenate(found, axis=-1)

    def elastic_forces(self, U: np.ndarray, V: np.ndarray) -> np.ndarray:
        """What is elastic or damping, [velocity]; of one state."""
        b, found = self.body_count, np.zeros(self.velocity_count)
        first = 6 * b
        for part, u, v in zip(self.parts, self._modes(U, 7 * b), self._modes(V, 6 * b), strict=True):
            found[first : first + part.mode_count] = part.elastic_forces(u, v)
            first += part.mode_count
        return found

    def stiffness(self, U: np.ndarray, rate: float = 0.0) -> np.ndarray:
        """K(u) + `rate` times the damping matrix, of all parts, [mode, mode]."""
        found, first = np.zeros((self.mode_count, self.mode_count)), 0
        for part, u in zip(self.parts, self._modes(U, 7 * self.body_count), strict=True):
            block = slice(first, first + part.mode_count)
            found[block, block] = part.stiffness(u, rate)
            first += part.mode_count
        return found

    def position_rates(self, U: np.ndarray, V: np.ndarray) -> np.ndarray:
        """T V (eq. 8), [..., position]: q' is half of (0, omega) q."""
        b, lead = self.body_count, U.shape[:-1]
        q = U[..., 3 * b : 7 * b].reshape(*lead, b, 4)
        omega = V[..., 3 * b : 6 * b].reshape(*lead, b, 3)
        scalar = -np.sum(omega * q[..., 1:], axis=-1, keepdims=True)
        vector = q[..., :1] * omega + np.cross(omega, q[..., 1:])
        rates = 0.5 * np.concatenate((scalar, vector), axis=-1)
        return np.concatenate((V[..., : 3 * b], rates.reshape(*lead, 4 * b), V[..., 6 * b :]), axis=-1)
