"""A run of BDF2 that keeps what its derivatives are made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import OptionError
from animato.mechanics.simulation.dynamics import put_outputs
from animato.mechanics.simulation.integration import (
    ROW_SCALE,
    IntegrationOptions,
    Integrator,
    Prepared,
    Records,
    State,
    Trajectory,
    build_records,
    checked_motors,
    derivatives,
    factor_step,
    prepare,
    run_in_time,
)
from animato.mechanics.simulation.sensitivity.linearization import Linearization
from animato.mechanics.simulation.system import System
from animato.outcome import Progress


def simulate_and_linearize(
    system: System,
    motors: ArrayLike,
    step_s: float,
    options: IntegrationOptions | None = None,
    *,
    start: State | None = None,
    torques: bool = True,
    single_precision: bool = False,
    progress: Progress | None = None,
) -> tuple[Trajectory, Linearization | None]:
    """Simulates with BDF2 and keeps the factors of every step, fused in one pass.

    Args:
        system: What moves.
        motors: theta [rad or m], its velocity and acceleration, [t, 3, n_p].
        step_s: h [s].
        options: Tolerances; the integrator must be BDF2. Steps are never halved.
        start: See `integrate`.
        torques: Whether torques of the motors are outputs; without them less is kept.
        single_precision: Halves memory and time of sweeps; factors are then good to about seven digits, and both
            sweeps stay exactly transposed.
        progress: Told now and then.

    Returns:
        The run, and its derivatives; None for these where the run did not reach its end.

    Raises:
        OptionError: Another integrator is asked for.
    """
    chosen = options or IntegrationOptions(integrator=Integrator.BDF2)
    if chosen.integrator is not Integrator.BDF2:
        raise OptionError(f"Derivatives are recorded with the `integrator` 'bdf2' only, given '{chosen.integrator}'.")
    profile = checked_motors(system, motors, step_s)
    prepared = prepare(system, profile[0, 0])
    store = _store(prepared, len(profile), torques, np.float32 if single_precision else np.float64)

    def keep(first: int, count: int, block: Records) -> None:
        for kept, new in zip(store, block, strict=True):
            part = new[:count]
            kept[first : first + count] = part[:, : kept.shape[1]] if kept.ndim > 1 else part

    run = run_in_time(prepared, profile, step_s, chosen, start=start, sink=keep, progress=progress)
    if not run.outcome.solved:
        return run, None
    _put_first(prepared, run, store, held=start is not None)
    return run, Linearization(system, step_s, store, torques)


def _store(prepared: Prepared, count: int, torques: bool, dtype: type[np.floating]) -> Records:
    """Room for a run; without torques only for rows of the unknowns."""
    store = build_records(prepared.memory, count, dtype)
    n_u, n = prepared.system.unknown_count, prepared.system.coordinate_count
    if torques:
        return store
    rows = (count, n_u, n)
    return store._replace(by_z=np.zeros(rows, dtype), by_v=np.zeros(rows, dtype), by_a=np.zeros(rows, dtype))


def _put_first(prepared: Prepared, run: Trajectory, store: Records, *, held: bool) -> None:
    """Derivatives of the first moment: a static equilibrium, or unknowns that are held.

    Multipliers are those of the equilibrium, not those that its first acceleration asks for.
    """
    system, memory, work = prepared.system, prepared.memory, prepared.work
    n_u, still, z = system.unknown_count, np.zeros(system.coordinate_count), run.coordinates[0]
    lam = np.zeros(system.row_count)
    free = derivatives(system, work, z, still, still, lam)
    lam[memory.rows] = np.linalg.lstsq(free.jac[memory.rows, :n_u].T, -free.tau[:n_u], rcond=None)[0]
    found = derivatives(system, work, z, still, still, lam)
    put_outputs(system.packed, work, memory.points, memory.rotations, memory.point_jac, memory.rotation_jac)
    store.point_jac[0], store.rotation_jac[0] = memory.point_jac, memory.rotation_jac
    if held:
        store.factors[0], store.orders[0], store.scales[0] = (
            np.eye(len(memory.right)),
            np.arange(len(memory.right)),
            1.0,
        )
        return
    memory.by_z[:], memory.by_v[:], memory.by_a[:], memory.jac[:] = found.by_z, found.by_v, found.by_a, found.jac
    factor_step(memory, 0.0, 0.0)
    kept = store.by_z.shape[1]
    store.by_z[0], store.jac[0] = memory.by_z[:kept], memory.jac[memory.rows]
    # Velocities and accelerations are zero in the equilibrium, whatever the motors are about to do.
    store.by_v[0], store.by_a[0] = 0.0, 0.0
    store.factors[0], store.orders[0], store.scales[0] = memory.matrix, memory.order, memory.numbers[ROW_SCALE]
