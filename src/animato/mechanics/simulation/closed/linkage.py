"""A character with closed loops whose motors move everything else, at many moments at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.errors import MechanismError
from animato.mechanics.simulation.closed.linkage_kernel import (
    DERIVATIVES,
    FOLLOW,
    MOMENTS,
    POINTS,
    build_job,
    do_job,
)
from animato.mechanics.simulation.closed.memory import ClosedMemory, build_closed_memory
from animato.mechanics.simulation.dynamics import Work
from animato.mechanics.simulation.integration import derivatives, prepare
from animato.mechanics.simulation.system import Outputs, PackedSystem, System

OPEN = 1e-9
"""Gaps of loops above this [m, or a cosine] count as open."""

_AGREES = 1e-5  # of the largest entry of the Jacobian: rows that follow from others move no more than this


@dataclass(frozen=True, eq=False)
class LinkageMoments:
    """What a linkage does at closed poses.

    Attributes:
        v, a: Of passive joints, then motors, [k, n].
        torques: Of the motors [N m or N], [k, n_p].
    """

    v: np.ndarray
    a: np.ndarray
    torques: np.ndarray


@dataclass(frozen=True, eq=False)
class LinkageLoads(LinkageMoments):
    """The same with forces inside.

    Attributes:
        forces: Along all coordinates, were the loops cut [N m or N], [k, n].
        jac: Of the gaps of the loops, [k, m, n].
    """

    forces: np.ndarray
    jac: np.ndarray


@dataclass(frozen=True, eq=False)
class LinkageDerivatives(LinkageMoments):
    """The same with derivatives by positions q, velocities v and accelerations a of the motors.

    Attributes:
        follow: Positions of passive joints by q; also their velocities by v and accelerations by a, [k, n_u, n_p].
        v_by_q: Velocities of passive joints by q, [k, n_u, n_p]; accelerations by v are twice as much.
        a_by_q: Accelerations of passive joints by q, [k, n_u, n_p].
        by_q, by_v, by_a: Of the torques, [k, n_p, n_p].
    """

    follow: np.ndarray
    v_by_q: np.ndarray
    a_by_q: np.ndarray
    by_q: np.ndarray
    by_v: np.ndarray
    by_a: np.ndarray


@dataclass(frozen=True, eq=False)
class Linkage:
    """A rigid character with or without loops, held in the world. It has memory: not for two threads at once.

    Nothing here raises at poses that cannot be reached or are singular: loops then stay open by the least, which is
    told, and what has no bound becomes large.

    Attributes:
        system: In minimal coordinates: passive joints (n_u), then motors (n_p), n in all.
        packed: The same for the kernels, with the points that are tracked.
        work, memory: What the kernels work in.
    """

    system: System
    packed: PackedSystem
    work: Work
    memory: ClosedMemory

    @property
    def passive_count(self) -> int:
        """n_u."""
        return self.system.unknown_count

    @property
    def motor_count(self) -> int:
        """n_p."""
        return len(self.system.motor_names)

    def followed(self, motors: np.ndarray, near: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Poses of all joints [k, n], and how far loops stay open [m], [k].

        Args:
            motors: [rad or m], [k, n_p].
            near: A known pose for each, [k, n]; where not given, they are followed one after another from the rest.
        """
        z, gaps = np.zeros((len(motors), self.system.coordinate_count)), np.zeros(len(motors))
        z[:, self.passive_count :] = motors
        if near is None:
            known = np.ascontiguousarray(self.system.rest()[None])
        else:
            known = np.ascontiguousarray(near, dtype=np.float64)
        self._do(FOLLOW, z, near=known, gaps=gaps)
        return z, gaps

    def moments(self, z: np.ndarray, v: np.ndarray, a: np.ndarray) -> LinkageMoments:
        """Motion of all joints and torques of the motors.

        Args:
            z: Closed poses, [k, n].
            v: Velocities of the motors, [k, n_p].
            a: Their accelerations, [k, n_p].
        """
        full, torques = self._motion(v, a), np.zeros(v.shape)
        self._do(MOMENTS, z, v=full[0], a=full[1], torques=torques)
        return LinkageMoments(*full, torques)

    def loads(self, z: np.ndarray, v: np.ndarray, a: np.ndarray) -> LinkageLoads:
        """The same with what the loops carry."""
        full, torques = self._motion(v, a), np.zeros(v.shape)
        forces = np.zeros((len(z), self.system.coordinate_count))
        jac = np.zeros((len(z), self.system.row_count, self.system.coordinate_count))
        self._do(MOMENTS, z, v=full[0], a=full[1], torques=torques, forces=forces, jac=jac)
        return LinkageLoads(*full, torques, forces, jac)

    def derivatives(self, z: np.ndarray, v: np.ndarray, a: np.ndarray) -> LinkageDerivatives:
        """The same with derivatives."""
        k, n_p, n_u = len(z), self.motor_count, self.passive_count
        full, torques = self._motion(v, a), np.zeros(v.shape)
        by = {name: np.zeros((k, n_u, n_p)) for name in ("follow", "v_by_q", "a_by_q")}
        by |= {name: np.zeros((k, n_p, n_p)) for name in ("by_q", "by_v", "by_a")}
        self._do(DERIVATIVES, z, v=full[0], a=full[1], torques=torques, **by)
        return LinkageDerivatives(*full, torques, **by)

    def places(self, z: np.ndarray) -> np.ndarray:
        """Where the points are at closed poses [m], [k, point, 3]."""
        return self._points(z, 0)[0]

    def jacobians(self, z: np.ndarray) -> np.ndarray:
        """How they move with the motors, [k, n_p, point, 3]."""
        return self._points(z, len(z))[1]

    def pull_together(self, z: np.ndarray) -> np.ndarray:
        """How the gap of one open pose grows with the motors [m/rad or 1], [n_p]; passive joints do what they can."""
        zero = np.zeros(len(z))
        found = derivatives(self.system, self.work, z, zero, zero, np.zeros(self.system.row_count))
        size = max(float(np.linalg.norm(found.gap)), 1e-300)
        return np.asarray(found.gap @ found.jac[:, self.passive_count :] / size)

    def contradicts(self, z: np.ndarray) -> bool:
        """Whether loops have more motors than freedoms, so that motors have to agree; at one closed pose [n]."""
        if len(self.memory.rows) == self.system.row_count:
            return False
        self.places(np.ascontiguousarray(z[None]))
        jac, n_u = self.memory.jac, self.passive_count
        open_rows = jac[:, n_u:] + jac[:, :n_u] @ self.memory.follow
        return bool(np.abs(open_rows).max(initial=0.0) > _AGREES * np.abs(jac).max(initial=0.0))

    def _points(self, z: np.ndarray, told: int) -> tuple[np.ndarray, np.ndarray]:
        count = len(self.packed.outputs.step)
        places, jacobians = np.zeros((len(z), count, 3)), np.zeros((told, self.motor_count, count, 3))
        self._do(POINTS, z, places=places, jacobians=jacobians)
        return places, jacobians

    def _do(self, task: int, z: np.ndarray, **parts: np.ndarray) -> None:
        do_job(self.packed, self.work, self.memory, task, build_job(z, **parts))

    def _motion(self, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        full = np.zeros((2, len(v), self.system.coordinate_count))
        full[0, :, self.passive_count :], full[1, :, self.passive_count :] = v, a
        return full[0], full[1]


def build_linkage(
    system: System, motors: np.ndarray | None = None, points: tuple[tuple[str, np.ndarray], ...] = ()
) -> Linkage:
    """Prepares a character.

    Args:
        system: Of a rigid character. Its loops must determine all passive joints, but for rods that spin idly: these
            turn as little as they can.
        motors: Near which it moves [rad or m], [n_p]; those of the rest where not given.
        points: (body, place on it [m]) of what is looked at.

    Raises:
        MechanismError: Something moves freely.
    """
    prepared = prepare(system, motors)
    _check_determined(system, len(prepared.memory.rows))
    stands = [(system.bodies[body], place) for body, place in points]
    outputs = Outputs(
        np.array([stand.step for stand, _ in stands], dtype=np.int64),
        np.array([stand.transform.apply(place) for stand, place in stands]).reshape(-1, 3),
        np.tile(np.eye(3), (len(stands), 1, 1)),
    )
    memory = build_closed_memory(system.unknown_count, system.coordinate_count, system.row_count, prepared.memory.rows)
    return Linkage(system, system.packed._replace(outputs=outputs), prepared.work, memory)


def _check_determined(system: System, kept: int) -> None:
    free = system.unknown_count - kept
    if free > 0 and free != _idle_count(system.character):
        raise MechanismError(
            f"The motors of '{system.character.name}' leave {free} of its {system.unknown_count} passive or flexible "
            "coordinates free, so that torques follow from no frame alone. Simulate the clip instead."
        )


def _idle_count(character: Character) -> int:
    """How many rods spin about themselves, which moves and loads nothing else; 0 where it lacks motors as well."""
    from animato.mechanics.loops.assembly import build_mechanism  # only what is not determined needs it

    try:
        return build_mechanism(character).counts.idle
    except MechanismError:
        return 0
