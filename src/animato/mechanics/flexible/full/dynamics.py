"""Full simulation of one part in time: Newton's method with a factor that is kept while it converges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from time import perf_counter

import numpy as np

from animato.described import Described
from animato.errors import MotionError
from animato.mechanics.flexible.elements import Elements
from animato.mechanics.flexible.full.base_motion import BaseMotion, LocalBase
from animato.mechanics.flexible.full.clamped_body import ClampedBody
from animato.mechanics.flexible.full.constrained_factor import ConstrainedFactor, factor_with_conditions
from animato.mechanics.flexible.full.full_part import FullPart, build_full_part
from animato.mechanics.flexible.full.integrators import Bdf2, FullIntegrator, GeneralizedAlpha
from animato.mechanics.flexible.full.statics import solve_full_statics
from animato.mechanics.flexible.mesh import PartMesh

_MOST_ITERATIONS = 60
_MEMORY = 6
"""Corrections that are combined."""
_FACTOR_COST = 10
"""What a new factor costs, in corrections from a kept one; 25 measured at 30,000 freedoms, 10 at 3,000."""


@dataclass(frozen=True, repr=False)
class FullSimulation(Described):
    """What a part did.

    Attributes:
        times: [s], shape [t].
        positions: Centroids of all interfaces in the part's frame [m], shape [t, interface, 3].
        rotations: Their rotations there, shape [t, interface, 3, 3].
        body_centres: Centres of mass of the bodies in the world [m], shape [t, body, 3].
        reactions: What the base supplies: moment about the origin of the part's frame [N m] and force [N], in the
            axes of that frame, shape [t, 6].
        snapshot_times: [s], shape [k].
        snapshots: Displacements in the part's frame [m], shape [k, 3 node].
        energies: Kinetic (in the world, of part and bodies) and elastic [J], at the times of snapshots, shape [k, 2].
        seconds: Time that it took [s].
        iterations: Of Newton's method.
        factorizations: Of its matrix.
    """

    times: np.ndarray
    positions: np.ndarray
    rotations: np.ndarray
    body_centres: np.ndarray
    reactions: np.ndarray
    snapshot_times: np.ndarray
    snapshots: np.ndarray
    energies: np.ndarray
    seconds: float
    iterations: int
    factorizations: int

    @property
    def steps_per_s(self) -> float:
        """Steps that were simulated in a second."""
        return (len(self.times) - 1) / self.seconds

    def facts(self) -> dict[str, str]:
        """Size and speed at a glance."""
        return {
            "steps": str(len(self.times) - 1),
            "snapshots": str(len(self.snapshots)),
            "took": f"{self.seconds:.3g} s ({self.steps_per_s:.3g} steps/s)",
            "iterations": str(self.iterations),
            "factorizations": str(self.factorizations),
        }


def simulate_full(
    part: PartMesh | Elements | FullPart,
    bodies: tuple[ClampedBody, ...] = (),
    *,
    motion: BaseMotion,
    integrator: FullIntegrator = FullIntegrator.GENERALIZED_ALPHA,
    rho: float = 0.9,
    snapshot_every: int = 10,
    start: np.ndarray | None = None,
    tolerance: float = 1e-8,
    progress: Callable[[float], None] | None = None,
) -> FullSimulation:
    """Simulates a part whose reference interface moves as prescribed.

    Args:
        part: With at least one interface; the first is the reference.
        bodies: What rides on the others (not where `part` is a `FullPart`, which has them).
        motion: Of the part's frame, at every step.
        integrator: Generalized-alpha, or BDF2.
        rho: Spectral radius of generalized-alpha at infinite frequency.
        snapshot_every: Steps between two snapshots.
        start: Displacements to be released from, at rest relative to the frame [m], shape [node, 3]; None for the
            static shape at the first time.
        tolerance: Of the last correction of a step, as a share of the part's size.
        progress: Called with the time [s] after each snapshot.

    Raises:
        MotionError: A step did not converge; the message says when.
    """
    full = part if isinstance(part, FullPart) else build_full_part(part, bodies)
    if len(motion.times) < 2:
        raise MotionError("A simulation needs a motion of at least two times.")
    began = perf_counter()
    base = motion.at(0)
    still = LocalBase(base.lift, np.zeros(3), np.zeros(3))
    u = solve_full_statics(full, base=still).u if start is None else np.array(start, dtype=np.float64).reshape(-1, 3)
    v = np.zeros_like(u)
    a = _starting_acceleration(full, u, v, base)
    step = float(motion.times[1] - motion.times[0])
    state = GeneralizedAlpha(u, v, a, step, rho) if integrator == "generalized_alpha" else Bdf2(u, v, a, step)
    recorder = _Recorder(full, motion, snapshot_every)
    recorder.take(0, u, v, a)
    newton = _KeptNewton(full, tolerance * float(np.ptp(full.mesh.nodes, axis=0).max()))
    for index in range(1, len(motion.times)):
        converged = newton.step(state, motion.at(index))
        if not converged:
            raise MotionError(
                f"The full simulation of '{full.mesh.name}' did not converge at {motion.times[index]:.5g} s with a "
                f"step of {step:.3g} s. Take a smaller step."
            )
        recorder.take(index, state.u, state.v, state.a)
        if progress is not None and index % snapshot_every == 0:
            progress(float(motion.times[index]))
    return recorder.finished(perf_counter() - began, newton.iterations, newton.factorizations)


def _starting_acceleration(full: FullPart, u: np.ndarray, v: np.ndarray, base: LocalBase) -> np.ndarray:
    """Accelerations at the start that balance the forces there."""
    out = full.forces(u, v, np.zeros_like(u), base)
    return factor_with_conditions(full, full.mass_matrix(u)).solve(-out)


class _KeptNewton:
    """Newton's method for steps with a factor that is kept over many of them.

    Corrections from an old factor are combined with those before (Anderson: Iterative Procedures for Nonlinear Integral
    Equations, 1965), which converges where the old factor alone would not. The factor is made anew where
    the corrections that are still to come would cost more.
    """

    def __init__(self, full: FullPart, tolerance: float) -> None:
        self.full, self.tolerance = full, tolerance
        self.iterations = self.factorizations = 0
        self._factor: ConstrainedFactor | None = None

    def step(self, state: GeneralizedAlpha | Bdf2, base: LocalBase) -> bool:
        """Advances the state by one step; False where that does not converge, with a new factor each time either."""
        return self._try(state, base, state.guess(), kept=True) or self._try(state, base, state.u, kept=False)

    def _try(self, state: GeneralizedAlpha | Bdf2, base: LocalBase, u: np.ndarray, *, kept: bool) -> bool:
        first, tried = 0.0, 0
        memory: list[tuple[np.ndarray, np.ndarray]] = []
        for _ in range(_MOST_ITERATIONS):
            v, a = state.follow(u)
            if self._factor is None or not kept:
                self._factor = factor_with_conditions(self.full, self.full.matrix(u, v, a, base, state.rates))
                self.factorizations += 1
                memory, tried = [], 0
            change = self._factor.solve(-self.full.forces(u, v, a, base))
            self.iterations += 1
            length = float(np.abs(change).max())
            if not np.isfinite(length):
                break
            if length < self.tolerance:
                state.accept(u + change, *state.follow(u + change))
                return True
            first, tried = (length, 1) if tried == 0 else (first, tried + 1)
            if tried > 2 and self._is_worth_a_factor(length / first, length, tried):
                self._factor = None
            memory = [*memory[-_MEMORY:], (u, change)]
            u = _mixed(memory)
        self._factor = None
        return False

    def _is_worth_a_factor(self, shrunk: float, length: float, tried: int) -> bool:
        """Whether corrections that go on shrinking as they did would cost more than a new factor."""
        if shrunk >= 1.0:
            return True
        remaining = (tried - 1) * np.log(self.tolerance / length) / np.log(shrunk)
        return bool(remaining > _FACTOR_COST)


def _mixed(memory: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The next displacements from the last ones and their corrections: the combination of least correction."""
    u, change = memory[-1]
    if len(memory) == 1:
        return u + change
    steps = np.stack([(later - u_before).ravel() for (u_before, _), (later, _) in pairwise(memory)])
    shifts = np.stack([(later - c_before).ravel() for (_, c_before), (_, later) in pairwise(memory)])
    gram = shifts @ shifts.T
    gram[np.diag_indices(len(gram))] *= 1.0 + 1e-12
    share = np.linalg.solve(gram, shifts @ change.ravel())
    return u + change - (share @ (steps + shifts)).reshape(u.shape)


class _Recorder:
    """Collects what a simulation is asked for."""

    def __init__(self, full: FullPart, motion: BaseMotion, every: int) -> None:
        self.full, self.motion, self.every = full, motion, every
        count, interfaces = len(motion.times), full.mesh.interfaces
        self.positions = np.empty((count, len(interfaces), 3))
        self.rotations = np.empty((count, len(interfaces), 3, 3))
        self.centres = np.empty((count, len(full.bodies), 3))
        self.reactions = np.empty((count, 6))
        self.kept: list[tuple[float, np.ndarray, tuple[float, float]]] = []

    def take(self, index: int, u: np.ndarray, v: np.ndarray, a: np.ndarray) -> None:
        full, base = self.full, self.motion.at(index)
        names = [interface.name for interface in full.mesh.interfaces]
        for i, interface in enumerate(full.mesh.interfaces):
            self.positions[index, i], self.rotations[index, i] = full.pose(interface, u)
        for b, body in enumerate(full.bodies):
            i = names.index(body.interface)
            arm = body.centre - full.mesh.interfaces[i].centroid
            local = self.positions[index, i] + self.rotations[index, i] @ arm
            self.centres[index, b] = self.motion.rotations[index] @ local + self.motion.positions[index]
        out = full.forces(u, v, a, base)
        self.reactions[index, :3] = np.cross(full.mesh.nodes + u, out).sum(axis=0)
        self.reactions[index, 3:] = out.sum(axis=0)
        if index % self.every == 0:
            self.kept.append((self.motion.times[index], u.ravel().copy(), full.energies(u, v, base.spin)))

    def finished(self, seconds: float, iterations: int, factorizations: int) -> FullSimulation:
        return FullSimulation(
            self.motion.times,
            self.positions,
            self.rotations,
            self.centres,
            self.reactions,
            np.array([when for when, _, _ in self.kept]),
            np.array([u for _, u, _ in self.kept]),
            np.array([energies for _, _, energies in self.kept]),
            seconds,
            iterations,
            factorizations,
        )
