"""Torques of motors and forces in closures of rigid characters with closed loops, frame by frame.

The motors' motion determines all else: positions of the passive joints from the loops' gaps, velocities and
accelerations from their first two time derivatives, multipliers from the equations of the passive joints, which have no
motors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.errors import MechanismError, MotionError
from animato.mechanics.simulation.integration import Prepared, derivatives, gap_curvature, prepare
from animato.mechanics.simulation.motor_profile import motor_frames
from animato.mechanics.simulation.system import System, build_system
from animato.motion import Clip
from animato.spatial import cubic_spline

_ITERATIONS = 30
_CLOSED = 1e-11  # [m]
_STRIDE = 0.1  # [rad or m] of the fastest motor between poses that are followed
_SINGULAR = 1e-7


@dataclass(frozen=True, eq=False)
class LoopTorques:
    """What the motors of a rigid character with loops must give.

    Attributes:
        system: The character in minimal coordinates.
        times: [s], [frame].
        names: Of the motors.
        torques: [N m, or N on sliding axes], [frame, n_p].
        coordinates: Passive joints, then motors, [frame, n].
        velocities: [frame, n].
        accelerations: [frame, n].
        multipliers: Of the rows of the loops [N or N m], [frame, m]; the least ones where loops are redundant.
        closures: Names of the closures.
        closure_forces: Force in each closure [N], [frame, closure].
        closure_moments: Moment in each closure [N m], [frame, closure].
        redundant: Rows of the loops that follow from others: forces in them depend on play and stiffness, which a rigid
            character does not have, so the least are given. Torques of motors do not depend on it.
    """

    system: System
    times: np.ndarray
    names: tuple[str, ...]
    torques: np.ndarray
    coordinates: np.ndarray
    velocities: np.ndarray
    accelerations: np.ndarray
    multipliers: np.ndarray
    closures: tuple[str, ...]
    closure_forces: np.ndarray
    closure_moments: np.ndarray
    redundant: int


def loop_torques(character: Character, clip: Clip, times: ArrayLike | None = None) -> LoopTorques:
    """Torques of the motors along a clip, with the loops' forces.

    Args:
        character: Rigid, with or without loops, held in the world. Its loops must determine all passive joints, but
            for rods that spin idly: these turn as little as they can.
        clip: Of the motors, with the derivatives of its cubic spline.
        times: [s], rising; its frames where not given.

    Raises:
        MechanismError: Something moves freely (then `simulate`), or loops do not close.
    """
    system = build_system(character)
    where = clip.times if times is None else np.asarray(times, dtype=np.float64)
    spline = cubic_spline.interpolate(clip.times, motor_frames(system, clip))
    positions = spline(where)
    prepared = prepare(system, positions[0])
    _check_determined(prepared)
    n_u, n, m = system.unknown_count, system.coordinate_count, system.row_count
    z, v, a = np.zeros((3, len(where), n))
    z[:, n_u:], v[:, n_u:], a[:, n_u:] = positions, spline(where, derivative=1), spline(where, derivative=2)
    tau, lam = np.zeros((len(where), n)), np.zeros((len(where), m))
    last = system.rest()
    for k in range(len(where)):
        z[k, :n_u] = _followed(prepared, last, z[k], float(where[k]))
        tau[k], lam[k] = _moment(prepared, z[k], v[k], a[k])
        last = z[k]
    names, forces, moments = _in_closures(system, lam)
    return LoopTorques(
        system=system,
        times=where,
        names=system.motor_names,
        torques=tau[:, n_u:],
        coordinates=z,
        velocities=v,
        accelerations=a,
        multipliers=lam,
        closures=names,
        closure_forces=forces,
        closure_moments=moments,
        redundant=m - len(prepared.memory.rows),
    )


def _check_determined(prepared: Prepared) -> None:
    system, rows = prepared.system, prepared.memory.rows
    free = system.unknown_count - len(rows)
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


def _followed(prepared: Prepared, last: np.ndarray, z: np.ndarray, when: float) -> np.ndarray:
    """Passive joints that close the loops with the motors of z, followed from the pose `last`; [n_u]."""
    system, n_u = prepared.system, prepared.system.unknown_count
    parts = max(1, int(np.ceil(np.max(np.abs(z[n_u:] - last[n_u:]), initial=0.0) / _STRIDE)))
    pose, still = last.copy(), np.zeros(len(z))
    none, rows = np.zeros(system.row_count), prepared.memory.rows
    for part in range(parts):
        pose[n_u:] = last[n_u:] + (part + 1) / parts * (z[n_u:] - last[n_u:])
        for _ in range(_ITERATIONS):
            found = derivatives(system, prepared.work, pose, still, still, none)
            if np.max(np.abs(found.gap), initial=0.0) <= _CLOSED:
                break
            pose[:n_u] -= np.linalg.lstsq(found.jac[rows, :n_u], found.gap[rows], rcond=None)[0]
        else:
            raise MechanismError(
                f"The loops of '{system.character.name}' do not close at {when:.4f} s: they stay open by "
                f"{np.max(np.abs(found.gap)):.2g} m. Motors may ask for what the links cannot reach."
            )
    return pose[:n_u]


def _moment(prepared: Prepared, z: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Forces [n] and multipliers [m] at a closed pose; writes velocities and accelerations of the passive joints."""
    system, rows, n_u = prepared.system, prepared.memory.rows, prepared.system.unknown_count
    none = np.zeros(system.row_count)
    jac = derivatives(system, prepared.work, z, np.zeros(len(z)), np.zeros(len(z)), none).jac
    J = jac[rows]
    if n_u:
        values = np.linalg.svd(J[:, :n_u], compute_uv=False)
        if values[-1] < _SINGULAR * values[0]:
            raise MotionError(f"'{system.character.name}' goes through a singular pose, where torques have no bound.")
        v[:n_u] = _least(J[:, :n_u], -J[:, n_u:] @ v[n_u:])
        bend = gap_curvature(prepared, z, v)[rows]
        a[:n_u] = _least(J[:, :n_u], -J[:, n_u:] @ a[n_u:] - bend)
    tau = derivatives(system, prepared.work, z, v, a, none).tau
    lam = np.linalg.lstsq(jac[:, :n_u].T, -tau[:n_u], rcond=1e-9)[0] if n_u else none
    return tau + jac.T @ lam, lam


def _least(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The solution, and of several, where rods spin idly, the smallest."""
    square = matrix.shape[0] == matrix.shape[1]
    return np.linalg.solve(matrix, right) if square else np.linalg.lstsq(matrix, right, rcond=None)[0]


def _in_closures(system: System, lam: np.ndarray) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Names of closures, and the size of force and moment in each, [frame, closure]."""
    names = tuple(dict.fromkeys(system.closures))
    forces, moments = np.zeros((2, len(lam), len(names)))
    for r, name in enumerate(system.closures):
        out = forces if system.packed.loops.row_kind[r] == 0 else moments
        out[:, names.index(name)] += lam[:, r] ** 2
    return names, np.sqrt(forces), np.sqrt(moments)
