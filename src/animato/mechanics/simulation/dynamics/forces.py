"""Forces of a system at one moment, and their exact first derivatives."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.mechanics.simulation.dynamics.work import Work
from animato.mechanics.simulation.system import PackedSystem


@kernel
def put_forces(
    system: PackedSystem,
    work: Work,
    z: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    lam: np.ndarray,
    tau: np.ndarray,
    gap: np.ndarray,
) -> None:
    """Writes tau(z, v, a, lambda) [n] and gap(z) [m] at one moment.

    Args:
        system: What moves.
        work: Memory of `build_work`.
        z: Coordinates [rad, m, 1/m], [n].
        v: dz/dt, [n].
        a: d2z/dt2, [n].
        lam: Multipliers of the loops' rows [N or N m], [m].
        tau: Written: forces along the coordinates; zero where nothing drives them, [n].
        gap: Written: by how much the loops are open [m, or a cosine], [m].
    """


@kernel
def put_forces_and_derivatives(
    system: PackedSystem,
    work: Work,
    z: np.ndarray,
    v: np.ndarray,
    a: np.ndarray,
    lam: np.ndarray,
    tau: np.ndarray,
    gap: np.ndarray,
    by_z: np.ndarray,
    by_v: np.ndarray,
    by_a: np.ndarray,
    jac: np.ndarray,
) -> None:
    """Writes the same and the derivatives of tau by z, v, a [n, n] and of gap by z [m, n], all C-contiguous."""


@kernel
def put_outputs(
    system: PackedSystem,
    work: Work,
    points: np.ndarray,
    rotations: np.ndarray,
    point_jac: np.ndarray,
    rotation_jac: np.ndarray,
) -> None:
    """Writes where the tracked bodies are, after one of the two above; in the world.

    Args:
        system: What moves.
        work: As the last call left it.
        points: Written: centres of mass [m], [k, 3].
        rotations: Written, [k, 3, 3].
        point_jac: Written: velocities of the points per unit of v, [k, 3, n].
        rotation_jac: Written: angular velocities per unit of v, [k, 3, n].
    """


@kernel
def put_energy(system: PackedSystem, work: Work, z: np.ndarray, v: np.ndarray) -> tuple[float, float, float]:
    """Kinetic, gravitational and elastic energy [J]."""
    return 0.0, 0.0, 0.0
