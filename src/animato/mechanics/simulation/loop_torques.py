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
from animato.mechanics.simulation.closed import OPEN, build_linkage
from animato.mechanics.simulation.motor_profile import motor_frames
from animato.mechanics.simulation.system import System, build_system
from animato.motion import Clip
from animato.spatial import cubic_spline

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
    linkage = build_linkage(system, spline(where[:1])[0])
    z, gaps = linkage.followed(spline(where))
    _check_closed(system, where, gaps)
    found = linkage.loads(z, spline(where, derivative=1), spline(where, derivative=2))
    n_u, rows = system.unknown_count, linkage.memory.rows
    _check_regular(system, found.jac[:, rows, :n_u])
    lam = _multipliers(found.jac[:, :, :n_u], found.forces[:, :n_u])
    names, forces, moments = _in_closures(system, lam)
    return LoopTorques(
        system=system,
        times=where,
        names=system.motor_names,
        torques=found.torques,
        coordinates=z,
        velocities=found.v,
        accelerations=found.a,
        multipliers=lam,
        closures=names,
        closure_forces=forces,
        closure_moments=moments,
        redundant=system.row_count - len(rows),
    )


def _check_closed(system: System, times: np.ndarray, gaps: np.ndarray) -> None:
    apart = np.flatnonzero(gaps > OPEN)
    if len(apart):
        raise MechanismError(
            f"The loops of '{system.character.name}' do not close at {times[apart[0]]:.4f} s: they stay open by "
            f"{gaps[apart[0]]:.2g} m. Motors may ask for what the links cannot reach."
        )


def _check_regular(system: System, jac: np.ndarray) -> None:
    """Raises where loops leave passive joints undetermined, by their Jacobians [frame, row, n_u]."""
    if not jac.size:
        return
    values = np.linalg.svd(jac, compute_uv=False)
    if np.any(values[:, -1] < _SINGULAR * values[:, 0]):
        raise MotionError(f"'{system.character.name}' goes through a singular pose, where torques have no bound.")


def _multipliers(jac: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """The least multipliers [frame, m] that leave passive joints without forces [frame, n_u]."""
    if not jac.size:
        return np.zeros(jac.shape[:2])
    inverse = np.linalg.pinv(jac.transpose(0, 2, 1), rcond=1e-9)
    return np.asarray(-np.matmul(inverse, forces[..., None])[..., 0])


def _in_closures(system: System, lam: np.ndarray) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """Names of closures, and the size of force and moment in each, [frame, closure]."""
    names = tuple(dict.fromkeys(system.closures))
    forces, moments = np.zeros((2, len(lam), len(names)))
    for r, name in enumerate(system.closures):
        out = forces if system.packed.loops.row_kind[r] == 0 else moments
        out[:, names.index(name)] += lam[:, r] ** 2
    return names, np.sqrt(forces), np.sqrt(moments)
