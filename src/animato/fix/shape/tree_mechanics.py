"""Points and torques of a character whose joints form a tree, carried by the world or by its root."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.fix.shape.mechanics import MomentRows, Motion
from animato.fix.shape.motor_rows import MotorRows
from animato.fix.shape.moving import Moving
from animato.mechanics.tree import (
    ContactPoints,
    States,
    build_contact_points,
    contact_torques,
    forward_kinematics,
    inverse_dynamics,
    put_rnea_derivatives,
)
from animato.spatial import quaternions


class TreeMechanics:
    """Of one character and one reference, whose other coordinates and root move as they do there."""

    def __init__(
        self,
        character: Character,
        reference: States,
        moving: Moving,
        points: tuple[tuple[str, np.ndarray], ...],
        *,
        torque: bool = True,
    ) -> None:
        """Prepares.

        Args:
            character: Who moves.
            reference: What it should do, at all moments that will be asked for.
            moving: What may change.
            points: (body, place on it [m]) of what is seen.
            torque: Whether motors have limits.
        """
        self.character, self.reference, self.moving = character, reference, moving
        self.points: ContactPoints = build_contact_points(moving.tree, points)
        self.bodies = np.array([moving.tree.body_names.index(body) for body, _ in points], dtype=np.int64)
        self.local = np.array([place for _, place in points]).reshape(-1, 3)
        self.motors = MotorRows.of(moving.limits if torque else ())

    @property
    def row_names(self) -> tuple[str, ...]:
        """Of the motors."""
        return tuple(self.moving.names[column] for column in self.motors.column)

    def states(self, motion: Motion) -> States:
        """Of all coordinates."""
        whole, part = self.reference, motion.moments
        positions, velocities, accelerations = (
            np.array(one[part]) for one in (whole.positions, whole.velocities, whole.accelerations)
        )
        positions[:, self.moving.coordinates] = motion.q
        velocities[:, self.moving.dofs] = motion.v
        accelerations[:, self.moving.dofs] = motion.a
        return States(whole.times[part], positions, velocities, accelerations, whole.root[part], whole.held)

    def places(self, motion: Motion) -> np.ndarray:
        """Where the points are [m], [moment, point, 3]."""
        poses = forward_kinematics(self.character, self.states(motion))
        turns = poses.quaternions_wxyz[:, self.bodies]
        return np.asarray(poses.positions[:, self.bodies] + quaternions.rotate(turns, self.local))

    def jacobians(self, motion: Motion) -> np.ndarray:
        """How they move, [moment, column, point, 3]."""
        states, count = self.states(motion), len(self.local)
        nothing = np.zeros((len(states.times), count, 3))
        felt = contact_torques(self.moving.tree, states.positions, states.root, self.points, nothing)
        return np.ascontiguousarray(felt.by_f[:, self.moving.dofs])

    def loads(self, motion: Motion) -> np.ndarray:
        """What each motor gives, in shares, [moment, row]."""
        torques = inverse_dynamics(self.character, self.states(motion)).values
        return self.motors.shares(torques[:, self.moving.dofs], motion.v)[0]

    def load_rows(self, motion: Motion) -> MomentRows:
        """The same with derivatives."""
        states, dofs = self.states(motion), self.moving.dofs
        count, width = states.velocities.shape
        tau = np.empty((count, width))
        by_q, by_v, by_a = (np.empty((count, width, width)) for _ in range(3))
        put_rnea_derivatives(
            self.moving.tree,
            states.positions,
            states.velocities,
            states.accelerations,
            states.root,
            tau,
            by_q,
            by_v,
            by_a,
        )
        motors = self.motors
        values, slopes = motors.shares(tau[:, dofs], motion.v)
        scale = (motors.sign / motors.stall)[None, :, None]
        rows, columns = dofs[motors.column], dofs
        parts = [scale * one[:, rows[:, None], columns[None, :]] for one in (by_q, by_v, by_a)]
        parts[1][:, np.arange(len(motors)), motors.column] += slopes
        return MomentRows(values, *parts)
