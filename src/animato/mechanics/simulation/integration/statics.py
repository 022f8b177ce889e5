"""Static equilibria: one, or one for every frame of a clip."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import ArrayLike

from animato.errors import MechanismError, MotionError
from animato.mechanics.simulation.integration.blocks import run_blocks, trajectory_of
from animato.mechanics.simulation.integration.march_kernel import march
from animato.mechanics.simulation.integration.memory import OPEN, SINCE_START, build_moments, build_records
from animato.mechanics.simulation.integration.options import static_settings
from animato.mechanics.simulation.integration.preparation import Prepared, prepare
from animato.mechanics.simulation.integration.trajectory import State, Trajectory
from animato.mechanics.simulation.system import System
from animato.outcome import Progress

_STRIDE = 0.25  # [rad or m] of the fastest motor between equilibria on the way from rest


def solve_statics(system: System, theta: ArrayLike, start: State | None = None) -> Trajectory:
    """The static equilibrium with the motors held, under gravity: a trajectory of one moment.

    Without a start it is followed from the rest pose, where all coordinates are zero, with the motors going straight
    to where they are held. Loops may be redundant: of the multipliers that hold them the rows kept are then not zero.

    Args:
        system: What bends.
        theta: Motors [rad or m], [n_p].
        start: Where to begin.

    Raises:
        MechanismError: No equilibrium was found, or the motors contradict one another.
    """
    return quasi_static(system, np.asarray(theta, dtype=np.float64)[None], start=start)


def quasi_static(
    system: System, theta: ArrayLike, *, start: State | None = None, progress: Progress | None = None
) -> Trajectory:
    """Static equilibria along a path of the motors, each begun from the ones before it.

    Args:
        system: What bends.
        theta: Motors [rad or m], [frame, n_p].
        start: Near the first one; see `solve_statics`.
        progress: Told now and then.

    Raises:
        MechanismError: An equilibrium was not found, or the motors contradict one another.
    """
    motors = motor_positions(system, theta)
    begin = time.perf_counter()
    prepared = prepare(system, motors[0, 0])
    settle_at(prepared, motors[0, 0], start)
    settings = static_settings()
    memory, moments = prepared.memory, build_moments(prepared.memory, len(motors))
    # The first frame again, now for its outputs.
    records = build_records(memory, 0)
    if march(system.packed, prepared.work, memory, settings, 0, motors[[0, 0]], moments, records) != 1:
        raise _not_found(system, 0)
    memory.numbers[SINCE_START] = 0.0
    reached = run_blocks(prepared, settings, motors, moments, progress=progress, stage="equilibria")
    if reached < len(motors):
        raise _not_found(system, reached)
    found = trajectory_of(prepared, settings, motors, moments, reached, begin, "equilibrium")
    if not found.outcome.usable:
        raise MechanismError(f"'{system.character.name}' cannot be posed as asked: {found.outcome.reason}.")
    return found


def settle_at(prepared: Prepared, theta: np.ndarray, start: State | None = None) -> None:
    """Leaves in memory the equilibrium with the motors at theta [n_p], as the moment before a run.

    Raises:
        MechanismError: It was not found, or some loop stays open because motors contradict one another.
    """
    system, memory = prepared.system, prepared.memory
    n_u = system.unknown_count
    rest = system.rest()
    u, lam = (rest[:n_u], np.zeros(system.row_count)) if start is None else (start.u, start.lam)
    steps = 0 if start is not None else int(np.ceil(np.max(np.abs(theta - rest[n_u:]), initial=0.0) / _STRIDE))
    if not _followed(prepared, u, lam, rest[n_u:], theta, steps) and not _followed(prepared, u, lam, theta, theta, 0):
        raise _not_found(system, 0)
    if np.max(np.abs(memory.gap), initial=0.0) > OPEN:
        row = int(np.argmax(np.abs(memory.gap)))
        raise MechanismError(
            f"The loops of '{system.character.name}' cannot close with its motors where the clip has them: "
            f"'{system.closures[row]}' stays open by {abs(memory.gap[row]):.2g} m. Motors that drive one loop twice "
            "contradict one another; make some of its joints passive, or move them so that they agree."
        )


def _followed(
    prepared: Prepared, u: np.ndarray, lam: np.ndarray, begin: np.ndarray, end: np.ndarray, steps: int
) -> bool:
    """Whether equilibria could be followed from unknowns near one with motors at `begin` to motors at `end`."""
    memory, settings = prepared.memory, static_settings()._replace(stride=0, energy_stride=0)
    n_p = len(end)
    memory.u_old[:], memory.lam_old[:] = u, lam
    memory.v_old[:] = memory.a_old[:] = 0.0
    memory.numbers[:] = 0.0
    motors = np.zeros((steps + 2, 3, n_p))
    motors[0, 0] = begin
    motors[1:, 0] = np.linspace(begin, end, steps + 1) if steps else end
    moments, records = build_moments(memory, steps + 1), build_records(memory, 0)
    reached = march(prepared.system.packed, prepared.work, memory, settings, 0, motors, moments, records)
    memory.numbers[SINCE_START] = 0.0
    memory.a_smooth[:] = 0.0
    return bool(reached == steps + 1)


def motor_positions(system: System, theta: ArrayLike) -> np.ndarray:
    """Positions [t, n_p] of motors that stand still, as [t, 3, n_p].

    Raises:
        MotionError: There are not as many columns as motors, or some are not finite.
    """
    held = np.asarray(theta, dtype=np.float64)
    if held.ndim != 2 or held.shape[1] != len(system.motor_names) or not np.all(np.isfinite(held)):
        raise MotionError(
            f"Motors of '{system.character.name}' are {len(system.motor_names)} finite numbers a frame "
            f"({', '.join(system.motor_names[:6])}{', ...' if len(system.motor_names) > 6 else ''}), "
            f"given an array of shape {held.shape}."
        )
    motors = np.zeros((len(held), 3, held.shape[1]))
    motors[:, 0] = held
    return motors


def _not_found(system: System, frame: int) -> MechanismError:
    return MechanismError(
        f"No static equilibrium of '{system.character.name}' was found at frame {frame}: loops cannot close there, or "
        "nothing holds some passive joint. Check the pose, or add stiffness to what moves freely."
    )
