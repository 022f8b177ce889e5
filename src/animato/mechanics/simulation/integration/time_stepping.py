"""Runs through time."""

from __future__ import annotations

import math
import time

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MotionError, OptionError
from animato.mechanics.simulation.dynamics import put_energy, put_forces, put_outputs
from animato.mechanics.simulation.integration.blocks import Sink, run_blocks, trajectory_of
from animato.mechanics.simulation.integration.memory import Moments, build_moments
from animato.mechanics.simulation.integration.options import IntegrationOptions, settings_of
from animato.mechanics.simulation.integration.preparation import Prepared, prepare
from animato.mechanics.simulation.integration.start import put_start
from animato.mechanics.simulation.integration.trajectory import State, Trajectory
from animato.mechanics.simulation.system import System
from animato.outcome import Progress


def integrate(
    system: System,
    motors: ArrayLike,
    step_s: float,
    options: IntegrationOptions | None = None,
    *,
    start: State | None = None,
    progress: Progress | None = None,
) -> Trajectory:
    """Simulates a system whose motors follow a given motion.

    A step that does not converge is halved; where that does not help, the trajectory ends there and its `outcome` says
    so. Nothing is raised for it.

    Args:
        system: What moves.
        motors: theta [rad or m], its velocity and acceleration at every step, [t, 3, n_p].
        step_s: Between them [s].
        options: Scheme and tolerances.
        start: Unknowns and velocities at the first moment; the static equilibrium with the motors where they begin, at
            rest, where not given.
        progress: Told now and then.

    Raises:
        MechanismError: There is no such equilibrium, or loops are open at the start.
        MotionError: The motors are not [t, 3, n_p].
        OptionError: The step is not above zero.
    """
    profile = checked_motors(system, motors, step_s)
    prepared = prepare(system, profile[0, 0])
    return run_in_time(prepared, profile, step_s, options or IntegrationOptions(), start=start, progress=progress)


def run_in_time(
    prepared: Prepared,
    motors: np.ndarray,
    step_s: float,
    options: IntegrationOptions,
    *,
    start: State | None = None,
    sink: Sink | None = None,
    progress: Progress | None = None,
) -> Trajectory:
    """The same with memory and motors that are ready; a sink gets the derivatives of every step but the first."""
    begin = time.perf_counter()
    settings = settings_of(options, step_s, record=sink is not None)
    memory = prepared.memory
    moments = build_moments(memory, len(motors))
    put_start(prepared, motors[0], start)
    _put_first(prepared, moments)
    memory.counts[:] = 0
    reached = run_blocks(prepared, settings, motors, moments, sink, progress)
    return trajectory_of(prepared, settings, motors, moments, reached, begin, "step")


def _put_first(prepared: Prepared, moments: Moments) -> None:
    """Writes the moment in memory as the first one."""
    memory, packed, work = prepared.memory, prepared.system.packed, prepared.work
    n_u = len(memory.lengths)
    put_forces(packed, work, memory.z, memory.v, memory.a, memory.lam, memory.tau, memory.gap)
    put_outputs(packed, work, memory.points, memory.rotations, memory.point_jac, memory.rotation_jac)
    moments.u[0], moments.v[0], moments.a[0] = memory.z[:n_u], memory.v[:n_u], memory.a[:n_u]
    moments.lam[0], moments.torques[0] = memory.lam, memory.tau[n_u:]
    moments.gaps[0] = np.max(np.abs(memory.gap), initial=0.0)
    moments.points[0], moments.rotations[0] = memory.points, memory.rotations
    moments.energies[0] = put_energy(packed, work, memory.z, memory.v)


def checked_motors(system: System, motors: ArrayLike, step_s: float) -> np.ndarray:
    """The motors' motion as a row-major array [t, 3, n_p].

    Raises:
        MotionError: It has another shape, no moment, or numbers that are not finite.
        OptionError: The step is not above zero.
    """
    if not (math.isfinite(step_s) and step_s > 0.0):
        raise OptionError(f"`step_s` is a time above 0 s, given {step_s}.")
    profile = np.ascontiguousarray(motors, dtype=np.float64)
    count = len(system.motor_names)
    if profile.ndim != 3 or profile.shape[1:] != (3, count) or not len(profile) or not np.all(np.isfinite(profile)):
        raise MotionError(
            f"Motors of '{system.character.name}' are positions, velocities and accelerations, finite and of shape "
            f"[step, 3, {count}], given {profile.shape}."
        )
    return profile
