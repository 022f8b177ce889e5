"""Modes of a system about an equilibrium, motors held.

With K = d tau/dz, C = d tau/dv, M = d tau/da of the unknown coordinates u at rest, loops included, and N a basis of the
null space of the loops' Jacobian J_u, small motions u = N q obey

    N^T M N q'' + N^T C N q' + N^T K N q = 0.

K holds gravity and the loops' forces, so a rod that carries a weight upright is softer than it is without it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigh

from animato.described import Described
from animato.errors import OptionError
from animato.mechanics.simulation.dynamics import build_work, put_forces_and_derivatives
from animato.mechanics.simulation.system import System

_RANK = 1e-9  # share of the largest singular value below which a row of a loop says nothing new


@dataclass(frozen=True, eq=False, repr=False)
class Modes(Described):
    """Free vibrations, the slowest first.

    Attributes:
        frequencies_hz: Without damping, [mode]; not a number where the pose is no stable equilibrium.
        damping_ratios: Share of critical damping, modes taken one by one, [mode].
        shapes: Changes of the coordinates z per unit of each mode, of unit modal mass; motors are still, [mode, n].
        pose: z of the equilibrium, [n].
    """

    frequencies_hz: np.ndarray
    damping_ratios: np.ndarray
    shapes: np.ndarray
    pose: np.ndarray

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.frequencies_hz)

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {"modes": ", ".join(f"{one:.4g} Hz" for one in self.frequencies_hz)}


def vibration_modes(
    system: System, theta: ArrayLike, u: ArrayLike, lam: ArrayLike | None = None, count: int = 6
) -> Modes:
    """The slowest modes about a static equilibrium.

    Args:
        system: What vibrates.
        theta: Motors [rad or m], held, [n_p].
        u: Unknown coordinates of the equilibrium, as statics gives them, [n_u].
        lam: Its multipliers, [m]; zeros where there are no loops.
        count: How many modes at the most.
    """
    if count < 1:
        raise OptionError(f"`count` must be at least 1, not {count}.")
    n_u, n, m = system.unknown_count, system.coordinate_count, system.row_count
    z = np.concatenate([np.asarray(u, dtype=np.float64), np.asarray(theta, dtype=np.float64)])
    forces = np.zeros(m) if lam is None else np.ascontiguousarray(lam, dtype=np.float64)
    still = np.zeros(n)
    tau, gap = np.zeros(n), np.zeros(m)
    by_z, by_v, by_a, jac = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n)), np.zeros((m, n))
    work = build_work(system.packed)
    put_forces_and_derivatives(system.packed, work, z, still, still.copy(), forces, tau, gap, by_z, by_v, by_a, jac)
    free = _null_space(jac[:, :n_u])
    stiffness, damping, mass = (free.T @ one[:n_u, :n_u] @ free for one in (by_z, by_v, by_a))
    stiffness, mass = 0.5 * (stiffness + stiffness.T), 0.5 * (mass + mass.T)
    if not len(mass):
        return Modes(np.zeros(0), np.zeros(0), np.zeros((0, n)), z)
    values, vectors = eigh(stiffness, mass, subset_by_index=[0, min(count, len(mass)) - 1])
    omega = np.sqrt(np.where(values > 0.0, values, np.nan))
    share = np.einsum("im,ij,jm->m", vectors, damping, vectors) / (2.0 * omega)
    shapes = np.zeros((len(values), n))
    shapes[:, :n_u] = (free @ vectors).T
    return Modes(omega / (2.0 * np.pi), share, shapes, z)


def _null_space(jac: np.ndarray) -> np.ndarray:
    """Orthonormal columns that keep all loops closed, [n_u, free]."""
    if not jac.size:
        return np.eye(jac.shape[1])
    _, values, rows = np.linalg.svd(jac)
    rank = int(np.sum(values > _RANK * max(float(values[0]), 1e-300)))
    return np.asarray(rows[rank:].T)
