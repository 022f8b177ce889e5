"""Posing of characters with closed loops: motors move, all else follows and stays closed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Character, JointType, Limits
from animato.character.structure import topology_of
from animato.errors import CharacterError
from animato.mechanics.loops import loop_kinematics
from animato.mechanics.loops.assembly import build_mechanism, normalized_state, unit_scales
from animato.mechanics.loops.constraints import constraint_jacobians, factor_constraints
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform
from animato.studio.posing.figure import root_away, root_moved, soles_of
from animato.studio.posing.joint_reader import JointReader
from animato.studio.posing.ranges import ranges_of
from animato.studio.posing.stance import Closed, Stance

_ROUNDS = 14
_CLOSED = 1e-9  # [rad, or typical lengths]: a correction at which loops are closed
_LONGEST = 1.0  # the same: one that has lost its way
_NEAR = 0.1  # [rad or m] within which a pose is reached at once
_BEYOND = 1e-7  # [rad or m] by which a passive joint may be found beyond its limit


class LoopFigure:
    """A `Figure` of a mechanism: freedoms are its motors, after six of the root where it floats.

    The loops of a mechanism are solved with its root at rest; a root elsewhere carries all of it along.
    """

    def __init__(self, character: Character) -> None:
        """Assembles it.

        Raises:
            CharacterError: It cannot be assembled, or moves although its motors stand.
        """
        self.character = character
        self.soles = soles_of(character)
        self._mechanism = build_mechanism(character)
        self._scale = unit_scales(self._mechanism)[1]
        names = character.coordinate_names
        self.lower, self.upper = ranges_of(character)
        kept = self._mechanism.row_set("kept").control.columns  # motors that are too many follow the others
        known = self._mechanism.control_names
        self._controls = [n for n, name in enumerate(known) if name in names and n in kept]
        self._columns = np.array([names.index(self._mechanism.control_names[n]) for n in self._controls], dtype=int)
        self.driven = tuple(self._mechanism.control_names[n] for n in self._controls)
        self.root_freedoms = 6 if character.floats else 0
        self.lengths = np.zeros(self.root_freedoms + len(self._controls), dtype=bool)
        self.lengths[: self.root_freedoms // 2] = True
        sliding = {JointType.PRISMATIC, JointType.CARTESIAN}
        for n, name in enumerate(self.driven):
            joint = next(one for one in character.free_joints if name in one.coordinate_names)
            self.lengths[self.root_freedoms + n] = joint.type in sliding or name.endswith(".slide")
        self._order = [self._mechanism.body_names.index(body.name) for body in character.bodies]
        bodies, mine = self._mechanism.body_names, {*names} - {*self.driven}
        followers = [one for one in self._mechanism.joints if mine.issuperset(one.coordinate_names)]
        self._followers = JointReader(followers, bodies)
        self._follow = np.array([names.index(name) for name in self._followers.names], dtype=int)
        bounded = [one for one in followers if one.type is not JointType.SPHERICAL and _has_range(one.limits)]
        self._bounded = JointReader(bounded, bodies)
        self._bounds = np.array([limits.range for one in bounded for limits in one.limits]).reshape(-1, 2)
        self._bounds[np.abs(self._bounds) > np.pi] *= np.inf  # an angle that is read off bodies is never beyond these
        self._root_body = topology_of(self._mechanism.character).links[0].body
        at = 7 * self._mechanism.body_names.index(self._root_body)
        self.rest_root = self._mechanism.state[at : at + 7]
        self._back = RigidTransform(self.rest_root[:3], self.rest_root[3:]).inverse()
        rest = self._closed(self._mechanism.state, self._mechanism.controls)
        if rest is None:
            raise CharacterError(f"'{character.name}' cannot be posed: its loops do not close at rest.")
        self._still = self._stance_of(rest, self._mechanism.controls, self.rest_root, np.zeros(len(names)))
        places, _ = self.bodies(self._still)
        self.size = max(float(np.linalg.norm(np.ptp(places, axis=0))), 1e-3)

    def stance(self, coordinates: np.ndarray, root: np.ndarray | None = None, near: Stance | None = None) -> Stance:
        """As `Figure` says; where the loops do not close there, the pose near it."""
        near = near or self._still
        wanted = np.asarray(coordinates, dtype=np.float64)
        root = self.rest_root if root is None or not self.root_freedoms else np.asarray(root, dtype=np.float64)
        u = self._controls_of(near)
        u[self._controls] = np.clip(wanted, self.lower, self.upper)[self._columns]
        before = self._controls_of(near)
        if near.closed is not None and float(np.max(np.abs(u - before), initial=0.0)) < _NEAR:
            closed = self._closed(near.closed.state + near.closed.slope @ (u - before), u)
            if closed is not None and closed.side == near.closed.side:
                return self._stance_of(closed, u, root, near.coordinates)
        way = np.vstack([before, u])
        motion = loop_kinematics(self._mechanism, way, require_reached=False)
        closed = self._closed(motion.states[-1], u) if motion.reached[-1] else None
        if closed is None:
            return replace(near, root=root)
        return self._stance_of(closed, u, root, near.coordinates)

    def bodies(self, stance: Stance) -> tuple[np.ndarray, np.ndarray]:
        """As `Figure` says."""
        assert stance.closed is not None
        state = stance.closed.state.reshape(-1, 7)[self._order]
        if not self.root_freedoms:
            return state[:, :3], state[:, 3:]
        carried = self._carried(stance) @ RigidTransform(state[:, :3], state[:, 3:])
        return np.asarray(carried.position), np.asarray(carried.quaternion_wxyz)

    def jacobian(self, stance: Stance, body: int, local: np.ndarray) -> np.ndarray:
        """As `Figure` says."""
        closed = stance.closed
        assert closed is not None
        at = 7 * self._order[body]
        state, slope = closed.state[at : at + 7], closed.slope[at : at + 7, self._controls]
        place = state[:3] + quaternions.rotate(state[3:], local)
        turn = 2.0 * quaternions.multiply(slope[3:].T, quaternions.conjugate(state[3:]))[:, 1:]
        found = np.zeros((6, len(self.lengths)))
        mine = found[:, self.root_freedoms :]
        mine[:3] = slope[:3] + np.cross(turn, place - state[:3]).T
        mine[3:] = turn.T
        if self.root_freedoms:
            carried = self._carried(stance)
            mine[:3] = quaternions.rotate(carried.quaternion_wxyz, mine[:3].T).T
            mine[3:] = quaternions.rotate(carried.quaternion_wxyz, mine[3:].T).T
            axes = quaternions.matrix_from_quaternion(stance.root[3:])
            arm = carried.apply(place) - stance.root[:3]
            found[:3, :3], found[3:, 3:6] = axes, axes
            found[:3, 3:6] = np.cross(axes.T, arm).T
        return found

    def room(self, stance: Stance) -> tuple[np.ndarray, np.ndarray]:
        """As `Figure` says; passive joints are kept inside their limits by `moved`."""
        back, forth = np.full(len(self.lengths), -np.inf), np.full(len(self.lengths), np.inf)
        u = self._controls_of(stance)[self._controls]
        back[self.root_freedoms :] = self.lower[self._columns] - u
        forth[self.root_freedoms :] = self.upper[self._columns] - u
        return back, forth

    def moved(self, stance: Stance, step: np.ndarray) -> Stance | None:
        """As `Figure` says."""
        closed = stance.closed
        assert closed is not None
        root = root_moved(stance.root, step) if self.root_freedoms else stance.root
        u = self._controls_of(stance)
        change = np.zeros(len(u))
        change[self._controls] = step[self.root_freedoms :]
        wanted = u + change
        wanted[self._controls] = np.clip(wanted[self._controls], self.lower[self._columns], self.upper[self._columns])
        found = self._closed(closed.state + closed.slope @ (wanted - u), wanted)
        if found is None or found.side != closed.side or found.beyond > max(closed.beyond, _BEYOND):
            return None
        return replace(stance, closed=found, root=root, coordinates=self._with_controls(stance, wanted))

    def whole(self, stance: Stance) -> Stance:
        """With the coordinates of what follows, too; while a pose is searched for nobody needs them."""
        assert stance.closed is not None
        return self._stance_of(stance.closed, self._controls_of(stance), stance.root, stance.coordinates)

    def away(self, stance: Stance, other: Stance) -> np.ndarray:
        """As `Figure` says."""
        found = np.zeros(len(self.lengths))
        found[self.root_freedoms :] = stance.coordinates[self._columns] - other.coordinates[self._columns]
        if self.root_freedoms:
            found[:6] = root_away(stance.root, other.root)
        return found

    def rides_on_root(self, body: int) -> bool:
        """As `Figure` says."""
        return self.character.bodies[body].name == self._root_body

    def _closed(self, guess: np.ndarray, controls: np.ndarray) -> Closed | None:
        """The state near a guess at which all loops close; None where there is none."""
        m = self._mechanism
        state, u, p = guess[None], controls[None], m.design[None]
        for _ in range(_ROUNDS):
            found = constraint_jacobians(m, state, u, p)
            factors = factor_constraints(m, found.state)
            step = factors.solve(found.values)
            size = float(np.max(np.abs(step / self._scale)))
            if not size < _LONGEST:
                return None
            state = normalized_state(state - step)
            if size < _CLOSED:
                rows = found.rows.control.dense(found.control)
                side = float(factors.determinant_sign[0])
                return Closed(state[0], -factors.solve(rows)[0], side, self._beyond(state[0]))
        return None

    def _controls_of(self, stance: Stance) -> np.ndarray:
        u = self._mechanism.controls.copy()
        u[self._controls] = stance.coordinates[self._columns]
        return u

    def _with_controls(self, stance: Stance, controls: np.ndarray) -> np.ndarray:
        coordinates = stance.coordinates.copy()
        coordinates[self._columns] = controls[self._controls]
        return coordinates

    def _stance_of(self, closed: Closed, controls: np.ndarray, root: np.ndarray, before: np.ndarray) -> Stance:
        """All coordinates of a closed state; angles go on from where they were."""
        coordinates = before.copy()
        coordinates[self._follow] = self._followers.read(closed.state, before[self._follow])
        coordinates[self._columns] = controls[self._controls]
        return Stance(coordinates, root, closed)

    def _beyond(self, state: np.ndarray) -> float:
        """By how much passive joints are beyond their limits, at most [rad or m]."""
        if not len(self._bounds):
            return 0.0
        at = self._bounded.read(state)
        return float(np.max(np.maximum(at - self._bounds[:, 1], self._bounds[:, 0] - at), initial=0.0))

    def _carried(self, stance: Stance) -> RigidTransform:
        """From where the mechanism is solved to where its root is."""
        return RigidTransform(stance.root[:3], stance.root[3:]) @ self._back


def _has_range(limits: tuple[Limits, ...]) -> bool:
    return any(np.isfinite(one.range).any() for one in limits)
