"""Points, torques and passive joints of a character with closed loops, by what its motors do."""

from __future__ import annotations

import numpy as np

from animato.character import JointType, Limits
from animato.fix.loops.loop_reference import LoopReference
from animato.fix.loops.passive_rows import ACCELERATION, POSITION, VELOCITY, PassiveRows
from animato.fix.shape import MomentRows, Motion, MotorRows, Moving
from animato.mechanics.simulation import LinkageDerivatives

_OPEN = 1e-8  # [m, or a cosine] above which a pose counts as out of reach
_UNIT = 0.02  # of the longest link: gap that counts as one share
_MARGIN = 0.002  # of the longest link: by how much motors should come back from where loops begin to open
_LARGEST = 1e6  # shares: in singular poses torques have no bound


class LoopMechanics:
    """Of one linkage and one reference, whose other motors move as they do there.

    Rows are those of the motors, those of passive joints with limits, and one of the loops: it is beyond its limit
    where the loops cannot close, and all others say nothing there. Every pose is followed from the reference's at the
    same moment, so that what is told depends on nothing but the motion.
    """

    def __init__(self, reference: LoopReference, times: np.ndarray, moving: Moving, *, torque: bool = True) -> None:
        """Prepares.

        Args:
            reference: Who moves, and what it should do.
            times: Moments that will be asked for [s], [moment].
            moving: What may change.
            torque: Whether motors have limits.
        """
        self.linkage, self.moving = reference.linkage, moving
        self.near, self.velocities, self.accelerations = reference.at(times)
        system = self.linkage.system
        limits = _limits_by_name(reference)
        motors = [(n, name, limits[name]) for n, name in enumerate(system.motor_names) if name in limits]
        self.motors = MotorRows.of(motors if torque else [])
        self.passive = PassiveRows.of(reference.character, system.unknown_names)
        self.length = float(np.abs(system.packed.loops.row_point).max(initial=1e-3))
        self._known: tuple[Motion, np.ndarray, np.ndarray] | None = None

    @property
    def row_names(self) -> tuple[str, ...]:
        """Of motors, of passive joints, and of the loops."""
        return (*self.motors.names, *self.passive.names, "loops")

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
        return self.linkage.places(self._poses(motion)[0])

    def jacobians(self, motion: Motion) -> np.ndarray:
        """How they move, [moment, column, point, 3]."""
        return np.ascontiguousarray(_bounded(self.linkage.jacobians(self._poses(motion)[0])[:, self.moving.dofs]))

    def loads(self, motion: Motion) -> np.ndarray:
        """What motors, passive joints and loops use, in shares, [moment, row]."""
        z, gaps = self._poses(motion)
        v, a = self._motors(motion)
        found = self.linkage.moments(z, v, a)
        return self._shares(z, gaps, found.v, found.a, found.torques)[0]

    def load_rows(self, motion: Motion) -> MomentRows:
        """The same with derivatives."""
        z, gaps = self._poses(motion)
        found = self.linkage.derivatives(z, *self._motors(motion))
        values, slopes = self._shares(z, gaps, found.v, found.a, found.torques)
        parts = [
            np.concatenate([own, passive, np.zeros((len(z), 1, own.shape[2]))], axis=1)[:, :, self.moving.dofs]
            for own, passive in zip(self._motor_changes(found, slopes), self._passive_changes(found), strict=True)
        ]
        for k in np.flatnonzero(gaps > _OPEN):
            for part in parts:
                part[k] = 0.0
            parts[0][k, -1] = self.linkage.pull_together(z[k])[self.moving.dofs] / (_UNIT * self.length)
        return MomentRows(values, *(_bounded(part) for part in parts))

    def _poses(self, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
        """Of all joints, [moment, n], and how far loops stay open, [moment]."""
        if self._known is None or self._known[0] is not motion:
            near = self.near[motion.moments]
            motors = near[:, self.linkage.passive_count :].copy()
            motors[:, self.moving.dofs] = motion.q
            self._known = motion, *self.linkage.followed(motors, near)
        return self._known[1], self._known[2]

    def _motors(self, motion: Motion) -> tuple[np.ndarray, np.ndarray]:
        """Velocities and accelerations of all motors, [moment, n_p] each."""
        v, a = self.velocities[motion.moments].copy(), self.accelerations[motion.moments].copy()
        v[:, self.moving.dofs], a[:, self.moving.dofs] = motion.v, motion.a
        return v, a

    def _shares(
        self, z: np.ndarray, gaps: np.ndarray, v: np.ndarray, a: np.ndarray, torques: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """All rows, [moment, row], and slopes of the motors' rows by speed, [moment, motor row]."""
        n_u, far = self.linkage.passive_count, gaps > _OPEN
        own, slopes = self.motors.shares(torques, v[:, n_u:])
        passive = self.passive.shares((z[:, :n_u], v[:, :n_u], a[:, :n_u]))
        beyond = np.where(far, 1.0 + (gaps / self.length + _MARGIN) / _UNIT, 0.0)
        values = np.column_stack([own, passive, beyond])
        values[far, :-1] = 0.0
        return _bounded(values), slopes

    def _motor_changes(self, found: LinkageDerivatives, slopes: np.ndarray) -> list[np.ndarray]:
        """Derivatives of the motors' rows by positions, velocities and accelerations, [moment, row, n_p] each."""
        motors = self.motors
        scale = (motors.sign / motors.stall)[None, :, None]
        parts = [scale * one[:, motors.dof] for one in (found.by_q, found.by_v, found.by_a)]
        parts[1][:, np.arange(len(motors)), motors.dof] += slopes
        return parts

    def _passive_changes(self, found: LinkageDerivatives) -> list[np.ndarray]:
        """The same of the rows of passive joints."""
        nothing = np.zeros_like(found.follow)
        table = {
            POSITION: (found.follow, nothing, nothing),
            VELOCITY: (found.v_by_q, found.follow, nothing),
            ACCELERATION: (found.a_by_q, 2.0 * found.v_by_q, found.follow),
        }
        rows = self.passive
        parts = [np.zeros((len(nothing), len(rows), nothing.shape[2])) for _ in range(3)]
        for order, sources in table.items():
            own = np.flatnonzero(rows.order == order)
            for part, source in zip(parts, sources, strict=True):
                part[:, own] = rows.slope[own][None, :, None] * source[:, rows.column[own]]
        return parts


def _limits_by_name(reference: LoopReference) -> dict[str, Limits]:
    return {
        name: limits
        for joint in reference.character.joints
        if joint.type is not JointType.SPHERICAL
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=True)
    }


def _bounded(values: np.ndarray) -> np.ndarray:
    """Finite numbers, in singular poses too."""
    return np.clip(np.nan_to_num(values, nan=_LARGEST, posinf=_LARGEST, neginf=-_LARGEST), -_LARGEST, _LARGEST)
