"""The ways in which a mechanism can be put together while its actuators stand still."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from animato.character import Character, JointRole, Vector
from animato.character.structure import rezeroed
from animato.errors import OptionError
from animato.kernels.one_thread import one_blas_thread
from animato.mechanics.loops.assembly.build import build_mechanism
from animato.mechanics.loops.assembly.closing import closed_from
from animato.mechanics.loops.assembly.mobility import unit_scales
from animato.mechanics.loops.assembly.starts import start_states
from animato.mechanics.loops.constraints import Mechanism, joint_coordinates

_SAME = 1e-4  # [rad, or typical lengths] below which two closed poses are one
_MOST_STARTS = 10_000


@dataclass(frozen=True, eq=False)
class AssemblyMode:
    """One closed pose of a mechanism.

    Attributes:
        state: Position and quaternion of all bodies, shape [state].
        coordinates: Of every joint that moves [rad, m or quaternion], by joint.
        distance: How far bodies are from the rest pose, root of the mean square [rad, or typical lengths].
        found: How many starts led here.
    """

    state: np.ndarray
    coordinates: Mapping[str, Vector]
    distance: float
    found: int


@one_blas_thread
def assembly_modes(character: Character, *, starts: int = 100, seed: int = 0) -> tuple[AssemblyMode, ...]:
    """Closed poses with all actuators at rest, the one nearest to the rest pose first.

    Found from many starts, so the list may lack some that few starts lead to; more starts find more.
    Poses that differ only by an idle spin count as one.

    Args:
        character: Complete and not moving freely, see `build_mechanism`.
        starts: How many layouts of its joints are tried.
        seed: Of these.

    Raises:
        MechanismError: It cannot be assembled at all.
    """
    if not 1 <= starts <= _MOST_STARTS:
        raise OptionError(f"`starts` must be between 1 and {_MOST_STARTS}, not {starts}.")
    mechanism = build_mechanism(character)
    rows = np.setdiff1d(np.arange(len(mechanism.rows)), mechanism.row_indices("surplus"))
    scale = unit_scales(mechanism)[1]
    spinning = {name for spin in mechanism.idle for name in spin.bodies}
    seen = np.repeat([name not in spinning for name in mechanism.body_names], 7)
    seen.reshape(-1, 7)[:, :3] = True
    states, counts = [mechanism.state], [0]
    for guess in start_states(mechanism, actuators_free=False, seed=seed, layouts=starts):
        state = closed_from(mechanism, rows, guess)
        if state is None:
            continue
        known = next((n for n, one in enumerate(states) if _apart(one, state, scale)[seen].max() < _SAME), None)
        if known is None:
            states.append(state)
            counts.append(1)
        else:
            counts[known] += 1
    modes = [_mode(mechanism, state, count, scale) for state, count in zip(states, counts, strict=True)]
    return tuple(sorted(modes, key=lambda mode: mode.distance))


def in_mode(character: Character, mode: AssemblyMode) -> Character:
    """The character drawn in another of its modes: its passive joints rest where they stand there.

    Args:
        character: Whose mode it is.
        mode: Of `assembly_modes(character)`.
    """
    zeros = {
        joint.name: mode.coordinates[joint.name]
        for joint in character.free_joints
        if joint.role is JointRole.PASSIVE and joint.name in mode.coordinates
    }
    return rezeroed(character, zeros)


def _apart(first: np.ndarray, second: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """By how much states differ, shape [state]; a quaternion and its negative are the same turn."""
    one, other = (first / scale).reshape(-1, 7), (second / scale).reshape(-1, 7).copy()
    other[:, 3:] *= np.where(np.sum(one[:, 3:] * other[:, 3:], axis=1) < 0.0, -1.0, 1.0)[:, None]
    return np.abs(one - other).ravel()


def _mode(mechanism: Mechanism, state: np.ndarray, found: int, scale: np.ndarray) -> AssemblyMode:
    values = joint_coordinates(mechanism, state[None])
    at = dict(zip(values.names, values.values[0].tolist(), strict=True))
    coordinates = {
        joint.name: tuple(at[name] for name in joint.coordinate_names)
        for joint in mechanism.joints
        if joint.coordinate_names
    }
    distance = float(np.sqrt(np.mean(_apart(mechanism.state, state, scale) ** 2)))
    return AssemblyMode(state, coordinates, distance, found)
