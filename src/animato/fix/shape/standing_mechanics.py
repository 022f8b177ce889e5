"""Points, torques and balance of a character that stands on its soles.

What inverse dynamics leaves at the root, F and M about the world's origin, the floor must give. Its pushes come from
the corners that touch, so the point without moment is inside their hull, n . (-M_y, M_x) <= c F_z for each side of it,
and friction holds, |(F_x, F_y)| <= mu F_z. Both are linear in the wrench, so that rows of balance are as good as exact
to first order. The corners' forces follow from the wrench as in `contact.support`: with the active edges of their
friction pyramids fixed, whose columns are C, edges push by x = C^T l, (r^2 + C C^T) l = w, and motors feel tau - J^T f
of f = E^T x. With S = C^T (r^2 + C C^T)^-1 a change of the motion changes them by

    dx = S (dw - dC x) + (1 - S C) dC^T l.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.character import Character
from animato.fix.shape.mechanics import MomentRows, Motion
from animato.fix.shape.moving import ROOT, Moving
from animato.fix.shape.root_motion import RootMotion, crossing
from animato.fix.shape.tree_mechanics import TreeMechanics
from animato.mechanics.contact import (
    CONE_SIDES,
    FRICTION,
    REGULARIZATION,
    convex_hull,
    friction_cone,
    shared_wrench,
    sole_points,
    weight_of,
)
from animato.mechanics.tree import (
    ContactTorques,
    RneaDerivatives,
    States,
    build_contact_points,
    contact_torques,
    forward_kinematics,
    inverse_dynamics,
    rnea_derivatives,
)
from animato.spatial import quaternions

SIDES = 8
"""Sides of a hull that are looked at."""

_NONE = -10.0  # shares that a row uses which looks at nothing
_LEVER = 0.05  # [m]: a point without moment that is so far outside is one share beyond its limit


@dataclass(frozen=True, eq=False)
class Standing:
    """What touches the floor, moment by moment of the reference.

    Attributes:
        touching: Which corners, [moment, corner].
        sides: Outward normals of the hull's sides and their distances from the origin [m], [moment, SIDES, 3]; zero
            where there are fewer.
    """

    touching: np.ndarray
    sides: np.ndarray

    @staticmethod
    def of(places: np.ndarray, touching: np.ndarray) -> Standing:
        """Of corners at places [m], [moment, corner, 3]."""
        sides = np.zeros((len(places), SIDES, 3))
        known: dict[bytes, np.ndarray] = {}
        for moment in np.flatnonzero(touching.any(axis=1)).tolist():
            flat = places[moment, touching[moment], :2]
            key = np.round(flat, 6).tobytes()
            if key not in known:
                known[key] = _sides(flat)
            sides[moment] = known[key]
        return Standing(touching, sides)


def _sides(flat: np.ndarray) -> np.ndarray:
    """Normals and distances of a hull's sides, [SIDES, 3]; a hull with more is cut short by its smallest corners."""
    hull = convex_hull(flat)
    out = np.zeros((SIDES, 3))
    while len(hull) > SIDES:
        ends = np.roll(hull, -1, axis=0) - np.roll(hull, 1, axis=0)
        reach = hull - np.roll(hull, 1, axis=0)
        hull = np.delete(hull, int(np.argmin(np.abs(ends[:, 0] * reach[:, 1] - ends[:, 1] * reach[:, 0]))), axis=0)
    if len(hull) < 3:
        return out
    along = np.roll(hull, -1, axis=0) - hull
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    out[: len(hull), :2] = normals
    out[: len(hull), 2] = np.sum(normals * hull, axis=1)
    return out


@dataclass(frozen=True, eq=False)
class _Pushes:
    """What the floor gives, edge by edge of the corners' friction pyramids.

    Attributes:
        forces: At the corners [N], [moment, corner, 3].
        chosen: C, what edges that push do to the root; zero for others, [moment, 6, edge].
        by_wrench: S, [moment, edge, 6].
        twist: l, along the root's own axes, [moment, 6].
    """

    forces: np.ndarray
    chosen: np.ndarray
    by_wrench: np.ndarray
    twist: np.ndarray


class StandingMechanics(TreeMechanics):
    """Of one character whose soles touch the floor as they do in its reference."""

    def __init__(
        self,
        character: Character,
        reference: States,
        moving: Moving,
        points: tuple[tuple[str, np.ndarray], ...],
        touching: np.ndarray,
        *,
        torque: bool = True,
    ) -> None:
        """Prepares; see `TreeMechanics`. `touching` says which corners of the soles do, [moment, corner]."""
        super().__init__(character, reference, moving, points, torque=torque)
        self.corners = build_contact_points(self.tree, sole_points(character))
        self.corner_bodies = np.array([self.tree.body_names.index(body) for body in self.corners.bodies])
        self.corner_local = np.array([place for _, place in sole_points(character)]).reshape(-1, 3)
        self.weight = weight_of(character)
        self.edges = friction_cone(FRICTION)
        self.standing = Standing.of(self._corner_places(reference), touching)

    @cached_property
    def row_names(self) -> tuple[str, ...]:
        """Of the motors, then of balance and friction."""
        return (*self.motors.names, *["balance"] * SIDES, *["friction"] * CONE_SIDES)

    def loads(self, motion: Motion) -> np.ndarray:
        """Shares of motors, of balance and of friction, [moment, row]."""
        states = self.states(motion)
        forces = inverse_dynamics(self.character, states).values
        touching = self.standing.touching[motion.moments]
        pushes = self._pushes(states, forces, touching).forces
        felt = contact_torques(self.tree, states.positions, states.root, self.corners, pushes).values
        shares = self.motors.shares(forces - felt, states.velocities)[0]
        force, moment = _world_wrench(states, forces)
        values = _floor_values(self._floor_rows(motion), force, moment)
        return np.concatenate([shares, values], axis=1)

    def load_rows(self, motion: Motion) -> MomentRows:
        """The same with derivatives."""
        states, root = self._states(motion)
        derivatives = rnea_derivatives(self.character, states)
        touching = self.standing.touching[motion.moments]
        pushes = self._pushes(states, derivatives.tau, touching)
        felt = contact_torques(self.tree, states.positions, states.root, self.corners, pushes.forces)
        by = self._by_columns(derivatives, root)
        floor = self._floor_rows_by(motion, states, root, derivatives, by)
        by_edge = self._by_edge(felt.by_f)
        gain = np.matmul(by_edge, pushes.by_wrench)  # torques by the root's wrench, [moment, dof, 6]
        own = RneaDerivatives(
            derivatives.times,
            derivatives.names,
            derivatives.tau - felt.values,
            derivatives.by_q - felt.by_q - np.matmul(by_edge, self._edges_by_q(states, pushes, felt)),
            derivatives.by_v,
            derivatives.by_a,
        )
        lifted = self._by_columns(own, root)
        parts = [one - np.matmul(gain, free[:, :ROOT]) for one, free in zip(lifted, by, strict=True)]
        motors = self._motor_rows(states, own, (parts[0], parts[1], parts[2]))
        return MomentRows(
            np.concatenate([motors.values, floor.values], axis=1),
            np.concatenate([motors.by_q, floor.by_q], axis=1),
            np.concatenate([motors.by_v, floor.by_v], axis=1),
            np.concatenate([motors.by_a, floor.by_a], axis=1),
        )

    def _corner_places(self, states: States) -> np.ndarray:
        poses = forward_kinematics(self.character, states)
        turns = poses.quaternions_wxyz[:, self.corner_bodies]
        return np.asarray(poses.positions[:, self.corner_bodies] + quaternions.rotate(turns, self.corner_local))

    def _by_edge(self, by_force: np.ndarray) -> np.ndarray:
        """What unit pushes along the edges do, [moment, dof, edge], from what forces do, [moment, dof, corner, 3]."""
        return np.matmul(by_force, self.edges.T).reshape(*by_force.shape[:2], -1)

    def _pushes(self, states: States, forces: np.ndarray, touching: np.ndarray) -> _Pushes:
        """Of the floor on the corners that touch."""
        count, corners = touching.shape
        nothing = np.zeros((count, corners, 3))
        jacobians = contact_torques(self.tree, states.positions, states.root, self.corners, nothing).by_f
        columns = self._by_edge(jacobians[:, :ROOT]) * np.repeat(touching, len(self.edges), axis=1)[:, None]
        shares = shared_wrench(columns, forces[:, :ROOT])
        chosen = np.where(shares[:, None] > 0.0, columns, 0.0)
        stiffness = REGULARIZATION**-2
        inner = np.eye(ROOT) + stiffness * np.matmul(chosen, chosen.transpose(0, 2, 1))
        by_wrench = stiffness * np.linalg.solve(inner, chosen).transpose(0, 2, 1)
        twist = stiffness * np.linalg.solve(inner, forces[:, :ROOT, None])[..., 0]
        return _Pushes(shares.reshape(count, corners, -1) @ self.edges, chosen, by_wrench, twist)

    def _edges_by_q(self, states: States, pushes: _Pushes, felt: ContactTorques) -> np.ndarray:
        """How much more each edge pushes as corners move while the wrench stays, [moment, edge, dof].

        Edges push by how far l, taken as a small motion of the root, would move their corners along them: by
        u = l_v + l_w x (p - root), which changes as corners move, and turns with the root.
        """
        turned = quaternions.matrix_from_quaternion(states.root[:, 3:])
        shift, spin = (np.matmul(turned, part[..., None])[..., 0] for part in np.split(pushes.twist, 2, axis=1))
        away = self._corner_places(states) - states.root[:, None, :3]
        along = shift[:, None] + np.cross(spin[:, None], away)
        moved = np.cross(spin[:, None, None], felt.by_f)
        moved[:, :3] = 0.0
        moved[:, 3:ROOT] = np.cross(turned.transpose(0, 2, 1)[:, :, None], along[:, None])
        free = np.where(np.any(pushes.chosen != 0.0, axis=1)[..., None], self._by_edge(moved).transpose(0, 2, 1), 0.0)
        return free - np.matmul(pushes.by_wrench, felt.by_q[:, :ROOT] + np.matmul(pushes.chosen, free))

    def _floor_rows(self, motion: Motion) -> np.ndarray:
        """Rows over (F, M) that are at most 0, in shares, [moment, row, 6]."""
        sides = self.standing.sides[motion.moments]
        rows = np.zeros((len(sides), SIDES + CONE_SIDES, 2 * 3))
        rows[:, :SIDES, 4], rows[:, :SIDES, 3] = -sides[..., 0], sides[..., 1]
        rows[:, :SIDES, 2] = -sides[..., 2]
        rows[:, :SIDES] /= self.weight * _LEVER
        angles = 2.0 * np.pi * np.arange(CONE_SIDES) / CONE_SIDES
        stands = np.any(sides[..., :2] != 0.0, axis=(1, 2))[:, None]
        inner = FRICTION * np.cos(np.pi / CONE_SIDES)
        for column, values in enumerate((np.cos(angles), np.sin(angles), np.full(CONE_SIDES, -inner))):
            rows[:, SIDES:, column] = np.where(stands, values / self.weight, 0.0)
        return rows

    def _floor_rows_by(
        self,
        motion: Motion,
        states: States,
        root: RootMotion | None,
        derivatives: RneaDerivatives,
        by: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> MomentRows:
        """Balance and friction with their derivatives."""
        rows = self._floor_rows(motion)
        force, moment = _world_wrench(states, derivatives.tau)
        turned = quaternions.matrix_from_quaternion(states.root[:, 3:])
        place = crossing(states.root[:, :3])
        parts = []
        for order, one in enumerate(by):
            by_force, by_moment = np.matmul(turned, one[:, :3]), np.matmul(turned, one[:, 3:ROOT])
            if order == 0 and root is not None:
                for wrench, by_turn in ((derivatives.tau[:, :3], by_force), (derivatives.tau[:, 3:ROOT], by_moment)):
                    by_turn[:, :, 3:ROOT] -= np.matmul(np.matmul(turned, crossing(wrench)), root.spread)
                by_moment[:, :, :3] -= crossing(force)
            by_moment += np.matmul(place, by_force)
            parts.append(np.matmul(rows, np.concatenate([by_force, by_moment], axis=1)))
        return MomentRows(_floor_values(rows, force, moment), parts[0], parts[1], parts[2])


def _floor_values(rows: np.ndarray, force: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Rows that are 1 at their limit, and far below where there is none, [moment, row]."""
    values = 1.0 + np.matmul(rows, np.concatenate([force, moment], axis=1)[..., None])[..., 0]
    return np.where(np.any(rows != 0.0, axis=2), values, _NONE)


def _world_wrench(states: States, forces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What must be given from outside [N], and its moment about the world's origin [N m], [moment, 3] each."""
    turn = states.root[:, 3:]
    force = quaternions.rotate(turn, forces[:, :3])
    return force, quaternions.rotate(turn, forces[:, 3:ROOT]) + np.cross(states.root[:, :3], force)
