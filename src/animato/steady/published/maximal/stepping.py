"""Statics and time steps of the paper's system: BDF2 after one step of BDF1, Newton's method (Sec. 4.4).

    (U - U^) / h - T V = 0,      M (V - V^) / h - F - (C_U T)^T Lambda = 0,      C_t + C_U T V + alpha C = 0,

with U^ = 4/3 of the last state less 1/3 of the one before it and h two thirds of the step; in print the signs of these
are those of the moved term. Newton's matrix is taken by differences, all columns in one call, but for the elastic
forces, whose tangent is known; it is kept while it converges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import lu_factor, lu_solve, qr

from animato.errors import MechanismError, OptionError
from animato.steady.published.maximal.system import MaximalSystem

_ITERATIONS = 30
_SLOW = 0.3  # a rate of convergence at which another matrix is worth its price
_FAR = 1e-2  # a change that is too large for an old matrix [m]
_DIFFERENCE = 1e-7
_DEPENDENT = 1e-8


@dataclass(frozen=True, eq=False)
class MaximalRun:
    """A simulation in maximal coordinates.

    Attributes:
        system: What was simulated; only its independent rows.
        times: [s], [time].
        U, V, multipliers: States, [time, ...].
        gaps: Largest |C| of each state [m, or a cosine], [time].
        matrices: How often Newton's matrix was made.
    """

    system: MaximalSystem
    times: np.ndarray
    U: np.ndarray
    V: np.ndarray
    multipliers: np.ndarray
    gaps: np.ndarray
    matrices: int

    def centres(self, body: str) -> np.ndarray:
        """Of mass of a body, in the world [m], [time, 3]."""
        return self.system.bodies_of(self.U)[0][:, self.system.body_names.index(body)]

    def rotations(self, body: str) -> np.ndarray:
        """Of a body, [time, 3, 3]."""
        return self.system.bodies_of(self.U)[1][:, self.system.body_names.index(body)]


def simulate_maximal(
    system: MaximalSystem,
    times: np.ndarray,
    theta: np.ndarray,
    theta_v: np.ndarray,
    *,
    baumgarte: float = 20.0,
    start: np.ndarray | None = None,
    tolerance: float = 1e-10,
) -> MaximalRun:
    """Simulates from rest.

    Args:
        system: Of `build_maximal_system`.
        times: Evenly spaced [s], [time].
        theta: Motors [rad or m], [time, motor].
        theta_v: Their speeds; at rest in the beginning.
        baumgarte: alpha [1/s].
        start: U in the beginning, with V = 0; where not given, that of `solve_maximal_statics`.
        tolerance: Of Newton's last change, as a displacement [m].
    """
    steps = np.diff(times)
    if len(times) < 2 or np.ptp(steps) > 1e-6 * steps[0]:
        raise OptionError("`times` must be evenly spaced, at least two of them.")
    system = _with_independent_rows(system, system.rest, theta[0] * 0.0)
    first = solve_maximal_statics(system, theta[0]) if start is None else start
    count = len(system.rows)
    U = np.zeros((len(times), system.position_count))
    V = np.zeros((len(times), system.velocity_count))
    multipliers = np.zeros((len(times), count))
    U[0] = first
    newton = _Newton(tolerance)
    for k in range(1, len(times)):
        h = steps[0] if k == 1 else 2.0 / 3.0 * steps[0]
        U_past = U[0] if k == 1 else 4.0 / 3.0 * U[k - 1] - U[k - 2] / 3.0
        V_past = V[0] if k == 1 else 4.0 / 3.0 * V[k - 1] - V[k - 2] / 3.0
        step = _Step(system, h, U_past, V_past, theta[k], theta_v[k], baumgarte)
        ahead = U[k - 1] + steps[0] * system.position_rates(U[k - 1], V[k - 1])
        guess = step.joined(ahead, V[k - 1], multipliers[k - 1])
        if k == 2:
            newton.forget()
        found = newton.solve(step.residual, step.matrix, step.size, guess)
        if found is None:
            raise MechanismError(f"The step to {times[k]:.6g} s does not converge; take smaller ones.")
        U[k], V[k], multipliers[k] = step.split(found)
    gaps = np.array([np.abs(_values(system, one, at)).max(initial=0.0) for one, at in zip(U, theta, strict=True)])
    return MaximalRun(system, times, U, V, multipliers, gaps, newton.matrices)


def solve_maximal_statics(system: MaximalSystem, theta: np.ndarray, *, parts: int = 4) -> np.ndarray:
    """U at rest under gravity.

    Args:
        system: Any.
        theta: Motors, [motor].
        parts: Of the way from the undeformed state, on which gravity and motors grow.
    """
    system = _with_independent_rows(system, system.rest, theta * 0.0)
    b, count = system.body_count, len(system.rows)
    x = np.concatenate((system.rest, np.zeros(count)))
    still = np.zeros(system.velocity_count)

    def smooth(x: np.ndarray, motors: np.ndarray, share: float) -> np.ndarray:
        U, multipliers = x[..., : system.position_count], x[..., system.position_count :]
        frames = system.frames(U)
        rows = system.placed_rows(frames, motors)
        zero = np.broadcast_to(still, (*U.shape[:-1], len(still)))
        forces = share * system.inertial_forces(U, zero, zero) - system.constraint_forces(frames, rows, multipliers)
        q = U[..., 3 * b : 7 * b].reshape(*U.shape[:-1], b, 4)
        lengths = np.sum(q * q, axis=-1) - 1.0
        return np.concatenate((forces, rows.values, lengths), axis=-1)

    for part in range(1, parts + 1):
        motors, share = theta * part / parts, part / parts

        def residual(x: np.ndarray, motors: np.ndarray = motors, share: float = share) -> np.ndarray:
            found = smooth(x, motors, share)
            found[: len(still)] += system.elastic_forces(x[: system.position_count], still)
            return found

        def matrix(x: np.ndarray, motors: np.ndarray = motors, share: float = share) -> np.ndarray:
            found = _by_differences(lambda y: smooth(y, motors, share), x)
            found[6 * b : len(still), 7 * b : system.position_count] += system.stiffness(x[: system.position_count])
            return found

        answer = _Newton(1e-11, keep=False).solve(residual, matrix, np.ones(len(x)), x, only=system.position_count)
        if answer is None:
            raise MechanismError(f"'{system.name}' finds no static equilibrium; does anything hold all its joints?")
        x = answer
    return x[: system.position_count]


class _Step:
    """The equations of one step; unknowns U, V, Lambda h."""

    def __init__(
        self,
        system: MaximalSystem,
        h: float,
        U_past: np.ndarray,
        V_past: np.ndarray,
        motors: np.ndarray,
        speeds: np.ndarray,
        baumgarte: float,
    ) -> None:
        self.system, self.h, self.U_past, self.V_past = system, h, U_past, V_past
        self.motors, self.speeds, self.baumgarte = motors, speeds, baumgarte
        self.size = np.concatenate((np.ones(len(U_past)), np.full(len(V_past), h), np.zeros(len(system.rows))))

    def joined(self, U: np.ndarray, V: np.ndarray, multipliers: np.ndarray) -> np.ndarray:
        return np.concatenate((U, V, self.h * multipliers), axis=-1)

    def split(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        first = len(self.U_past)
        last = first + len(self.V_past)
        return x[..., :first], x[..., first:last], x[..., last:] / self.h

    def _smooth(self, x: np.ndarray) -> np.ndarray:
        U, V, multipliers = self.split(x)
        system, h = self.system, self.h
        frames = system.frames(U)
        rows = system.placed_rows(frames, self.motors)
        forces = system.inertial_forces(U, V, (V - self.V_past) / h)
        forces = h * (forces - system.constraint_forces(frames, rows, multipliers))
        closing = rows.rates(*system.twists(frames, V), self.speeds) + self.baumgarte * rows.values
        return np.concatenate((U - self.U_past - h * system.position_rates(U, V), forces, closing), axis=-1)

    def residual(self, x: np.ndarray) -> np.ndarray:
        U, V, _ = self.split(x)
        found = self._smooth(x)
        found[len(U) : len(U) + len(V)] += self.h * self.system.elastic_forces(U, V)
        return found

    def matrix(self, x: np.ndarray) -> np.ndarray:
        system, h = self.system, self.h
        found = _by_differences(self._smooth, x)
        U = self.split(x)[0]
        if system.parts:
            b, first, modes = system.body_count, len(self.U_past) + 6 * system.body_count, system.mode_count
            K = system.stiffness(U)
            found[first : first + modes, 7 * b : 7 * b + modes] += h * K
            if any(part.is_damped for part in system.parts):
                found[first : first + modes, first : first + modes] += h * (system.stiffness(U, 1.0) - K)
        return found


class _Newton:
    """Newton's method with a matrix that is kept over steps while it converges well."""

    def __init__(self, tolerance: float, *, keep: bool = True) -> None:
        self.tolerance, self.keep, self.matrices = tolerance, keep, 0
        self._factor: tuple[np.ndarray, np.ndarray] | None = None

    def forget(self) -> None:
        """The next step has another matrix."""
        self._factor = None

    def solve(
        self,
        residual: Callable[[np.ndarray], np.ndarray],
        matrix: Callable[[np.ndarray], np.ndarray],
        size: np.ndarray,
        x: np.ndarray,
        *,
        only: int | None = None,
    ) -> np.ndarray | None:
        """The root near x, or None. A change counts as large as its part `only` of first unknowns, times `size`."""
        before, slow = np.inf, not self.keep
        for _ in range(_ITERATIONS):
            kept = self._factor is not None and not slow
            if not kept:
                self._factor = lu_factor(matrix(x))
                self.matrices += 1
            change = lu_solve(self._factor, -residual(x))
            length = float(np.abs(size * change)[:only].max(initial=0.0))
            if not np.isfinite(length):
                return None
            if kept and length > min(_FAR, _SLOW * before):
                slow = True  # an old matrix leads astray; this change is not taken
                continue
            x = x + change
            if length <= self.tolerance:
                return x
            before = length
        return None


def _by_differences(function: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """The Jacobian of a function that takes many states at once."""
    states = np.concatenate((x[None], x + _DIFFERENCE * np.eye(len(x))))
    values = function(states)
    return np.asarray((values[1:] - values[0]).T / _DIFFERENCE)


def _values(system: MaximalSystem, U: np.ndarray, motors: np.ndarray) -> np.ndarray:
    return system.placed_rows(system.frames(U), motors).values


def _with_independent_rows(system: MaximalSystem, U: np.ndarray, motors: np.ndarray) -> MaximalSystem:
    """Without rows that follow from others, as a plane mechanism of hinges has them."""
    count = len(system.rows)
    if count == 0:
        return system
    frames = system.frames(np.broadcast_to(U, (count, len(U))))
    forces = system.constraint_forces(frames, system.placed_rows(frames, motors), np.eye(count))
    forces = forces / np.linalg.norm(forces, axis=1)[:, None]
    triangle, order = qr(forces.T, mode="r", pivoting=True)[-2:]
    diagonal = np.abs(np.diag(triangle))
    rank = int(np.sum(diagonal > _DEPENDENT * diagonal[0]))
    if rank == count:
        return system
    return replace(system, rows=system.rows.chosen(np.sort(order[:rank])))
