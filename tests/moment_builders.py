"""One moment of a system: forces, derivatives and outputs as arrays, and central differences of them."""

from __future__ import annotations

import numpy as np

from animato.mechanics.simulation.dynamics import build_work, put_forces, put_forces_and_derivatives, put_outputs
from animato.mechanics.simulation.system import System


class Moment:
    """Memory and answers of the kernels for one system.

    Attributes:
        tau, gap, by_z, by_v, by_a, jac: As the kernels say.
        points, rotations, point_jac, rotation_jac: Of the tracked bodies.
    """

    def __init__(self, system: System) -> None:
        n, m, k = system.coordinate_count, system.row_count, len(system.tracked)
        self.system, self.work = system, build_work(system.packed)
        self.tau, self.gap, self.jac = np.empty(n), np.empty(m), np.empty((m, n))
        self.by_z, self.by_v, self.by_a = np.empty((n, n)), np.empty((n, n)), np.empty((n, n))
        self.points, self.rotations = np.empty((k, 3)), np.empty((k, 3, 3))
        self.point_jac, self.rotation_jac = np.empty((k, 3, n)), np.empty((k, 3, n))
        self.still, self.none = np.zeros(n), np.zeros(m)

    def look(
        self,
        z: np.ndarray,
        v: np.ndarray | None = None,
        a: np.ndarray | None = None,
        lam: np.ndarray | None = None,
    ) -> Moment:
        """Writes everything at a moment; what is not given is zero."""
        v, a = self.still if v is None else v, self.still if a is None else a
        lam = self.none if lam is None else lam
        found = (self.tau, self.gap, self.by_z, self.by_v, self.by_a, self.jac)
        put_forces_and_derivatives(self.system.packed, self.work, z, v, a, lam, *found)
        put_outputs(self.system.packed, self.work, self.points, self.rotations, self.point_jac, self.rotation_jac)
        return self

    def forces(self, z: np.ndarray, v: np.ndarray, a: np.ndarray, lam: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Forces and gaps alone."""
        tau, gap = np.empty_like(self.tau), np.empty_like(self.gap)
        put_forces(self.system.packed, self.work, z, v, a, lam, tau, gap)
        return tau, gap

    def statics(self, force: np.ndarray, moment: np.ndarray | None = None, *, increments: int = 8) -> np.ndarray:
        """Coordinates at rest with a dead force and moment in the world on the first tracked body; Newton."""
        z, step = np.zeros(len(self.still)), 1e-6
        moment = np.zeros(3) if moment is None else moment

        def load(z: np.ndarray) -> np.ndarray:
            self.look(z)
            return np.asarray(self.point_jac[0].T @ force + self.rotation_jac[0].T @ moment)

        for share in np.arange(1, increments + 1) / increments:
            for _ in range(40):
                columns = [(load(z + step * e) - load(z - step * e)) / (2.0 * step) for e in np.eye(len(z))]
                pull = load(z)
                change = np.linalg.solve(self.by_z - share * np.array(columns).T, share * pull - self.tau)
                z = z + change
                if np.max(np.abs(change)) < 1e-10:
                    break
            else:
                raise AssertionError("statics did not converge")
        self.look(z)
        return z


def differences(
    moment: Moment, state: tuple[np.ndarray, np.ndarray, np.ndarray], lam: np.ndarray, which: int, steps: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Central differences of tau [n, n] and gap [m, n] by z (0), v (1) or a (2)."""
    by_tau, by_gap = [], []
    for i, step in enumerate(steps):
        ends = []
        for sign in (1.0, -1.0):
            z, v, a = (one.copy() for one in state)
            (z, v, a)[which][i] += sign * step
            ends.append(moment.forces(z, v, a, lam))
        by_tau.append((ends[0][0] - ends[1][0]) / (2.0 * step))
        by_gap.append((ends[0][1] - ends[1][1]) / (2.0 * step))
    return np.array(by_tau).T, np.array(by_gap).T
