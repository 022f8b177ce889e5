"""Points and torques of a character whose joints form a tree, carried by the world or by its root."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from animato.character import Character, JointType, Limits
from animato.fix.shape.mechanics import MomentRows, Motion
from animato.fix.shape.motor_rows import MotorRows
from animato.fix.shape.moving import ROOT, Moving
from animato.fix.shape.root_motion import RootMotion, moved_root
from animato.mechanics.tree import (
    ContactPoints,
    RneaDerivatives,
    States,
    build_contact_points,
    contact_torques,
    forward_kinematics,
    inverse_dynamics,
    packed_tree,
    rnea_derivatives,
)
from animato.spatial import quaternions


class TreeMechanics:
    """Of one character and one reference, whose other coordinates move as they do there."""

    def __init__(
        self,
        character: Character,
        reference: States,
        moving: Moving,
        points: tuple[tuple[str, np.ndarray], ...],
        *,
        torque: bool = True,
        unloaded: frozenset[str] = frozenset(),
    ) -> None:
        """Prepares.

        Args:
            character: Who moves.
            reference: What it should do, at all moments that will be asked for.
            moving: What may change.
            points: (body, place on it [m]) of what is seen.
            torque: Whether motors have limits.
            unloaded: Motors whose loads are not looked at.
        """
        self.character, self.reference, self.moving = character, reference, moving
        self.tree = packed_tree(character)
        self.points: ContactPoints = build_contact_points(self.tree, points)
        self.bodies = np.array([self.tree.body_names.index(body) for body, _ in points], dtype=np.int64)
        self.local = np.array([place for _, place in points]).reshape(-1, 3)
        motors = _motors(character) if torque else []
        self.motors = MotorRows.of((one for one in motors if one[1] not in unloaded), self.tree.friction)

    @property
    def row_names(self) -> tuple[str, ...]:
        """Of the motors."""
        return self.motors.names

    @property
    def has_friction(self) -> bool:
        """Whether dry friction turns round with the motion."""
        return bool(self.motors.friction.any())

    @property
    def smoothable(self) -> slice:
        """All of them."""
        return slice(None)

    def places(self, motion: Motion) -> np.ndarray:
        """Where the points are [m], [moment, point, 3]."""
        poses = forward_kinematics(self.character, self.states(motion))
        turns = poses.quaternions_wxyz[:, self.bodies]
        return np.asarray(poses.positions[:, self.bodies] + quaternions.rotate(turns, self.local))

    def jacobians(self, motion: Motion) -> np.ndarray:
        """How they move, [moment, column, point, 3]."""
        states, root = self._states(motion)
        nothing = np.zeros((len(states.times), len(self.local), 3))
        felt = contact_torques(self.tree, states.positions, states.root, self.points, nothing).by_f
        columns = felt[:, self.moving.dofs]
        if root is not None:
            columns[:, :ROOT] = root.by_deviation(felt[:, :ROOT].reshape(len(felt), ROOT, -1)).reshape(
                columns[:, :ROOT].shape
            )
        return np.ascontiguousarray(columns)

    def loads(self, motion: Motion) -> np.ndarray:
        """What each motor gives, in shares, [moment, row]."""
        states = self.states(motion)
        return self.motors.shares(inverse_dynamics(self.character, states).values, states.velocities)[0]

    def load_rows(self, motion: Motion) -> MomentRows:
        """The same with derivatives."""
        states, root = self._states(motion)
        derivatives = rnea_derivatives(self.character, states)
        return self._motor_rows(states, derivatives, self._by_columns(derivatives, root))

    def states(self, motion: Motion) -> States:
        """Of all coordinates."""
        return self._states(motion)[0]

    def _states(self, motion: Motion) -> tuple[States, RootMotion | None]:
        whole, part, moving = self.reference, motion.moments, self.moving
        first = moving.root
        positions, velocities, accelerations = (
            np.array(one[part]) for one in (whole.positions, whole.velocities, whole.accelerations)
        )
        positions[:, moving.coordinates[first:]] = motion.q[:, first:]
        velocities[:, moving.dofs[first:]] = motion.v[:, first:]
        accelerations[:, moving.dofs[first:]] = motion.a[:, first:]
        states = States(whole.times[part], positions, velocities, accelerations, whole.root[part], whole.held)
        if not first:
            return states, None
        root = moved_root(states, motion.q[:, :ROOT], motion.v[:, :ROOT], motion.a[:, :ROOT])
        velocities[:, :ROOT], accelerations[:, :ROOT] = root.velocity, root.acceleration
        return replace(states, root=root.pose), root

    def _by_columns(
        self, derivatives: RneaDerivatives, root: RootMotion | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivatives of all torques by the columns that may change, [moment, dof, column] each."""
        parts = [one[:, :, self.moving.dofs] for one in (derivatives.by_q, derivatives.by_v, derivatives.by_a)]
        if root is not None:
            whole = (derivatives.by_q, derivatives.by_v, derivatives.by_a)
            for part, own in zip(parts, root.lifted(*(one[:, :, :ROOT] for one in whole)), strict=True):
                part[:, :, :ROOT] = own
        return parts[0], parts[1], parts[2]

    def _motor_rows(
        self, states: States, derivatives: RneaDerivatives, by: tuple[np.ndarray, np.ndarray, np.ndarray]
    ) -> MomentRows:
        motors, moving = self.motors, self.moving
        values, slopes = motors.shares(derivatives.tau, states.velocities)
        scale = (motors.sign / motors.stall)[None, :, None]
        parts = [scale * one[:, motors.dof] for one in by]
        column = {int(dof): n for n, dof in enumerate(moving.dofs)}
        own = np.array([column.get(int(dof), -1) for dof in motors.dof], dtype=np.int64)
        rows = np.flatnonzero(own >= 0)
        parts[1][:, rows, own[rows]] += slopes[:, rows]
        return MomentRows(values, *parts)


@lru_cache(maxsize=16)
def _motors(character: Character) -> list[tuple[int, str, Limits]]:
    """Column, name and limits of every axis that has a motor, whether it may change or not."""
    found, dof = [], ROOT if packed_tree(character).has_free_root else 0
    for joint in character.free_joints:
        if joint.type is JointType.SPHERICAL:
            dof += 3
            continue
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=True):
            found.append((dof, name, limits))
            dof += 1
    return found
