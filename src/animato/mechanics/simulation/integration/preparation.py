"""What a run needs before its first step: memory, independent rows of the loops, sizes of the unknowns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.loops.assembly import find_redundancy
from animato.mechanics.simulation.dynamics import Work, build_work, put_forces_and_derivatives
from animato.mechanics.simulation.integration.memory import Memory, build_memory
from animato.mechanics.simulation.system import System

_CLOSING_ITERATIONS = 30
_CLOSED = 1e-9  # [m] a pose that is closed to this counts when rows are chosen
_NOISE = 1e-9  # rows that no unknown moves by more than this [m per unit] follow from nothing and are dropped
_POSES, _SPREAD = 4, 0.05  # poses at which rows are compared, and how far motors go for them [rad or m]


@dataclass(frozen=True, eq=False)
class Derivatives:
    """Forces of one moment with their derivatives; see `put_forces_and_derivatives`."""

    tau: np.ndarray
    gap: np.ndarray
    by_z: np.ndarray
    by_v: np.ndarray
    by_a: np.ndarray
    jac: np.ndarray


@dataclass(frozen=True, eq=False)
class Prepared:
    """A system with the memory of one run; not for two threads at once.

    Attributes:
        system: What moves.
        work: Memory of the dynamics.
        memory: Memory of the steps.
    """

    system: System
    work: Work
    memory: Memory


def derivatives(
    system: System, work: Work, z: np.ndarray, v: np.ndarray, a: np.ndarray, lam: np.ndarray
) -> Derivatives:
    """Forces and derivatives of one moment as arrays of their own."""
    n, m = system.coordinate_count, system.row_count
    found = Derivatives(
        np.zeros(n), np.zeros(m), np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n)), np.zeros((m, n))
    )
    put_forces_and_derivatives(
        system.packed,
        work,
        np.ascontiguousarray(z, dtype=np.float64),
        np.ascontiguousarray(v, dtype=np.float64),
        np.ascontiguousarray(a, dtype=np.float64),
        np.ascontiguousarray(lam, dtype=np.float64),
        found.tau,
        found.gap,
        found.by_z,
        found.by_v,
        found.by_a,
        found.jac,
    )
    return found


def prepare(system: System, near: np.ndarray | None = None) -> Prepared:
    """Memory for runs of a system.

    Args:
        system: What moves.
        near: Motors near which the run takes place, [n_p]; those of the rest where not given. Rows of the loops that
            follow from others there are dropped.
    """
    work, n_u = build_work(system.packed), system.unknown_count
    still = np.zeros(system.coordinate_count)
    rest = derivatives(system, work, system.rest(), still, still, np.zeros(system.row_count))
    mass = float(np.sum(system.packed.tree.mass[1:])) or 1.0
    lengths = np.sqrt(np.maximum(np.diagonal(rest.by_a)[:n_u], 0.0) / mass)
    if n_u:
        lengths = np.maximum(lengths, max(1e-3 * lengths.max(), 1e-6))
    rows = _independent_rows(system, work, lengths, near)
    memory = build_memory(n_u, system.coordinate_count - n_u, system.row_count, rows, len(system.tracked), lengths)
    return Prepared(system, work, memory)


def _independent_rows(system: System, work: Work, lengths: np.ndarray, near: np.ndarray | None) -> np.ndarray:
    """Rows of the loops that do not follow from the others, at closed poses around some place."""
    if system.row_count == 0 or system.unknown_count == 0:
        return np.zeros(0, dtype=np.int64)
    random, n_u = np.random.default_rng(7), system.unknown_count
    jacobians = []
    for pose in range(_POSES):
        z = system.rest()
        if near is not None:
            z[n_u:] = near
        if pose:
            z[n_u:] += random.uniform(-_SPREAD, _SPREAD, len(z) - n_u)
        jac, closed = _closed(system, work, z, lengths)
        if closed or pose == 0:
            jacobians.append(jac)
    stacked = np.stack(jacobians)
    stacked[np.linalg.norm(stacked, axis=2) < _NOISE] = 0.0
    removed = find_redundancy(stacked).removed
    return np.setdiff1d(np.arange(system.row_count), removed)


def _closed(system: System, work: Work, z: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, bool]:
    """Moves the unknowns of z as little as closes the loops; Jacobian in unknowns of one size, and whether they are."""
    n_u, still, lam = len(lengths), np.zeros(len(z)), np.zeros(system.row_count)
    for _ in range(_CLOSING_ITERATIONS):
        found = derivatives(system, work, z, still, still, lam)
        jac = found.jac[:, :n_u] / lengths
        if np.max(np.abs(found.gap)) < _CLOSED:
            return jac, True
        change = np.linalg.lstsq(jac, -found.gap, rcond=1e-9)[0]
        z[:n_u] += change / lengths * min(1.0, 0.3 / max(float(np.linalg.norm(change)), 1e-12))
    return jac, False
