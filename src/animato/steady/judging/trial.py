"""One simulation of profiles, on any model, beside what that model would do if it were slow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.simulation import IntegrationOptions, Integrator, System, Trajectory, integrate, quasi_static
from animato.mechanics.simulation.posing import Performance, perform
from animato.motion import Clip
from animato.spatial import cubic_spline
from animato.steady.problem import Problem
from animato.steady.profiles import ProfileBasis, piecewise_linear

_TARGET_S = 0.01  # [s] between targets, in which nothing that is seen swings far
_STILL = 0.02  # [m/s]: slower than this a target counts as standing
_PAUSE_S = 0.3


@dataclass(frozen=True, eq=False)
class Trial:
    """What a model does with profiles.

    Attributes:
        target: Static equilibria along the artist's clip, at every so many steps.
        run: What it does in time; it ends early where it failed.
        every: Steps from one target to the next.
        start: Time of the first step in the clip [s].
    """

    target: Trajectory
    run: Trajectory
    every: int = 1
    start: float = 0.0

    @property
    def times(self) -> np.ndarray:
        """Of the targets [s], [time]."""
        return self.start + self.every * self.run.step_s * np.arange(len(self.target.u))

    @property
    def finished(self) -> bool:
        """Whether the run reached its end."""
        return bool(self.run.outcome.usable)

    @property
    def errors(self) -> np.ndarray:
        """Of tracked bodies from their targets, at the targets that were reached [m], [time, body, 3]."""
        reached = self.run.points[:: self.every]
        return np.asarray(reached - self.target.points[: len(reached)])

    @property
    def deviations(self) -> np.ndarray:
        """Lengths of these [m], [time, body]."""
        return np.linalg.norm(self.errors, axis=2)

    @property
    def peak(self) -> float:
        """Largest of all [m]; infinite where the run failed."""
        return float(self.deviations.max()) if self.finished else float("inf")

    @property
    def rms(self) -> float:
        """Root mean square over time of the body that is off most [m]."""
        return float(np.sqrt(np.mean(self.deviations**2, axis=0)).max()) if self.finished else float("inf")

    @property
    def late_holds(self) -> np.ndarray:
        """Whether all targets stand still, and have for half of their pause, and will for a fifth of it, [time]."""
        step = self.every * self.run.step_s
        speed = np.linalg.norm(np.gradient(self.target.points, step, axis=0), axis=2).max(axis=1)
        late = np.zeros(len(speed), dtype=bool)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], (speed < _STILL).astype(int), [0]])))
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            if first > 0 and (last - first) * step >= _PAUSE_S:  # before the first motion nothing can ring
                # what comes next may begin a little early, and that is not ringing
                end = last if last == len(late) else last - (last - first) // 5
                late[(first + last) // 2 : end] = True
        return late

    @property
    def hold_peak(self) -> float:
        """Largest deviation late in pauses: what rings on [m]; not a number where there is no pause."""
        late = self.late_holds
        if not late.any():
            return float("nan")
        return float(self.deviations[late].max()) if self.finished else float("inf")

    def performance(self, rate_hz: float = 60.0) -> Performance:
        """The run for drawing, so many frames a second."""
        return _drawn(self.run, self.start + self.run.times, rate_hz)

    def target_performance(self, rate_hz: float = 60.0) -> Performance:
        """The targets for drawing."""
        return _drawn(self.target, self.times, rate_hz)


def try_profiles(
    problem: Problem,
    x: np.ndarray,
    system: System | None = None,
    *,
    step_s: float | None = None,
    integrator: Integrator = Integrator.BDF2,
    target: Trajectory | None = None,
) -> Trial:
    """Simulates profiles of unknowns.

    Args:
        problem: Whose profiles they are.
        x: Their control points, [size].
        system: The model; the nominal one where not given.
        step_s: The problem's own where not given.
        integrator: Of the run.
        target: Of the same model at the same steps, where it is there already.
    """
    times = _steps(problem, step_s)
    points = problem.basis.control_points(x)
    motors = np.stack([problem.basis.matrix(times, order) @ points for order in range(3)], axis=1)
    return _tried(problem, motors, times, system, integrator, target)


def try_clip(problem: Problem, clip: Clip, *, target: Trajectory | None = None) -> Trial:
    """Simulates another clip on the nominal model over the time of the problem's; as a spline with as many knots.

    Before its first frame a clip stands at its first pose, after its last frame at its last one.
    """
    basis, times = problem.basis, problem.times
    per_second = basis.count / basis.duration
    start = min(float(clip.times[0]), basis.start)
    end = max(float(clip.times[-1]), basis.start + basis.duration)
    own = ProfileBasis.over(basis.names, start, end - start, max(8, round(per_second * (end - start))))
    points = own.control_points(own.fitted(clip))
    late = basis.start - start
    motors = np.stack([own.matrix(times + late, order) @ points for order in range(3)], axis=1)
    return _tried(problem, motors, times, None, Integrator.BDF2, target)


def nominal_trials(problem: Problem, *profiles: np.ndarray) -> list[Trial]:
    """Several profiles on the nominal model at the steps that were optimized; targets are solved once."""
    found: list[Trial] = []
    for x in profiles:
        found.append(try_profiles(problem, x, target=found[0].target if found else None))
    return found


def _steps(problem: Problem, step_s: float | None) -> np.ndarray:
    if step_s is None:
        return problem.times
    count = max(8, round(problem.basis.duration / step_s))
    return np.linspace(0.0, problem.basis.duration, count + 1)


def _tried(
    problem: Problem,
    motors: np.ndarray,
    times: np.ndarray,
    system: System | None,
    integrator: Integrator,
    target: Trajectory | None,
) -> Trial:
    model = system or problem.scenarios[0].system
    start = problem.basis.start
    step = float(times[1] - times[0])
    every = max(1, round(_TARGET_S / step))
    while (len(times) - 1) % every:  # the last step has a target too
        every -= 1
    if target is None:
        target = quasi_static(model, piecewise_linear(problem.clip, start + times[::every]))
    run = integrate(model, np.ascontiguousarray(motors), step, IntegrationOptions(integrator=integrator))
    return Trial(target, run, every, start)


def _drawn(trajectory: Trajectory, times: np.ndarray, rate_hz: float) -> Performance:
    """Frames for drawing: coordinates between steps by the cubic spline through them."""
    count = max(2, round((times[-1] - times[0]) * rate_hz) + 1)
    where = np.linspace(times[0], times[-1], count)
    z = cubic_spline.interpolate(times, trajectory.coordinates)(where)
    return perform(trajectory.system, where, np.asarray(z))
