"""Torques of a character that the floor carries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.character import Character
from animato.fix.pace.path_states import PathStates, PathTorque
from animato.fix.pace.tempo import NODES_A_FRAME, between
from animato.mechanics.contact import LEAST_STANDING, floor_support, standing_share
from animato.mechanics.tree import (
    GeneralizedForces,
    States,
    inverse_dynamics,
    inverse_dynamics_kernel,
    packed_tree,
    states_of_clip,
)
from animato.motion import Clip


def floor_torques(character: Character, clip: Clip) -> np.ndarray | None:
    """What motors give at the frames of a clip with the floor under the soles, [frame, dof]; None where none carries.

    Whether it does is decided as `limit_usage` does.
    """
    tree = packed_tree(character)
    if not (tree.has_free_root and character.floats and character.soles):
        return None
    states = states_of_clip(character, clip)
    forces = inverse_dynamics(character, states)
    support = floor_support(character, states, forces)
    if standing_share(character, states, forces, support.touching) < LEAST_STANDING:
        return None
    return support.torques


def with_floor(
    character: Character,
    clip: Clip,
    on_floor: np.ndarray,
    states: PathStates,
    watched: np.ndarray,
) -> PathStates:
    """The states with torques of a character that the floor carries, where motors are near their limits.

    Known are the torques at the artist's tempo and, for the poses of watched frames, at rest: what is between goes with
    the square of the tempo. What a change of tempo takes is that of a character carried by its root: next to its
    weight it is little. Elsewhere no torque counts.
    """
    torque = states.torque
    assert torque is not None
    near = watched[::NODES_A_FRAME]
    rest, square = np.zeros_like(on_floor), np.zeros_like(on_floor)
    if near.any():
        dq = states.dq[::NODES_A_FRAME][near]
        rest[near] = _resting_torques(character, clip, clip.times[near])
        square[near] = on_floor[near] - rest[near] - torque.damping * dq - torque.friction * np.sign(dq)
    kept = watched[:, None]
    found = PathTorque(
        np.where(kept, torque.of_change, 0.0),
        np.where(kept, between(square), 0.0),
        np.where(kept, between(rest), 0.0),
        torque.damping,
        torque.friction,
    )
    return replace(states, torque=found)


def _resting_torques(character: Character, clip: Clip, times: np.ndarray) -> np.ndarray:
    """What motors give to stand still in the poses of a clip, with the floor under the soles, [time, dof]."""
    tree = packed_tree(character)
    states = states_of_clip(character, clip, times)
    still = np.zeros_like(states.velocities)
    resting = States(states.times, states.positions, still, still, states.root, states.held)
    forces = np.empty_like(still)
    inverse_dynamics_kernel(tree.arrays, states.positions, still, still, states.root, forces)
    return floor_support(character, resting, GeneralizedForces(states.times, tree.dof_names, forces)).torques
