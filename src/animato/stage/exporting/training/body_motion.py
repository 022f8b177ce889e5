"""Where bodies are and how fast they go, at every frame of a take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from animato.character import Character, Frame, mass_properties_of
from animato.formats.training import base_rows
from animato.mechanics.tree import States, forward_kinematics, frame_jacobians, packed_tree, states_of_clip
from animato.spatial import quaternions
from animato.stage.exporting.take import Take

MeasuredAt = Literal["origin", "centre of mass"]

_BLOCK = 4096  # frames at a time: a Jacobian has six numbers a frame and degree of freedom


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """Bodies in the world.

    Attributes:
        positions: Of their origins [m], shape [frame, body, 3].
        quaternions_wxyz: Without jumps, shape [frame, body, 4].
        linear: Velocities [m/s] along the world's axes, shape [frame, body, 3].
        angular: Velocities [rad/s] about the world's axes, shape [frame, body, 3].
    """

    positions: np.ndarray
    quaternions_wxyz: np.ndarray
    linear: np.ndarray
    angular: np.ndarray


def body_motion(take: Take, bodies: tuple[str, ...], measured_at: MeasuredAt, *, melted: bool) -> BodyMotion:
    """Poses at the frames; velocities are derivatives of the original clip's spline, not differences of frames.

    Args:
        take: What is exported; its character is a tree.
        bodies: Names, in order.
        measured_at: The point of a body whose linear velocity is meant.
        melted: Whether the centre of mass is that of all bodies that are fixed to one another.
    """
    character = take.character
    poses = forward_kinematics(character, take.clip)
    columns = [poses.names.index(body) for body in bodies]
    states = states_of_clip(character, take.original, times_in_original(take))
    points = [_centre(character, body, melted) if measured_at == "centre of mass" else (0.0,) * 3 for body in bodies]
    rates = np.zeros((len(states.times), len(bodies), 6))
    for start in range(0, len(rates), _BLOCK):
        part = slice(start, start + _BLOCK)
        some = _part(states, part)
        for n, (body, point) in enumerate(zip(bodies, points, strict=True)):
            jacobians = frame_jacobians(character, some, body, Frame(point))
            rates[part, n] = np.einsum("tij,tj->ti", jacobians, some.velocities)
    places, turns = poses.positions[:, columns], poses.quaternions_wxyz[:, columns]
    if take.clip.has_base and packed_tree(character).root_body in bodies:
        root = bodies.index(packed_tree(character).root_body)
        places[:, root], turns[:, root] = np.split(base_rows(character, take.clip), [3], axis=1)  # to the bit
    return BodyMotion(
        places,
        quaternions.continuous(turns),
        rates[:, :, :3],
        rates[:, :, 3:],
    )


def times_in_original(take: Take) -> np.ndarray:
    """When the frames of a take are in the clip that it was made of [s], shape [frame]."""
    clip = take.original
    return np.minimum(take.clip.times + clip.times[0], clip.times[-1])


def _part(states: States, part: slice) -> States:
    return replace(
        states,
        times=states.times[part],
        positions=states.positions[part],
        velocities=states.velocities[part],
        accelerations=states.accelerations[part],
        root=states.root[part],
    )


def _centre(character: Character, body: str, melted: bool) -> tuple[float, float, float]:
    """Centre of mass in the body's frame [m], of the body or of all that is fixed to it."""
    tree = packed_tree(character)
    index = tree.body_names.index(body)
    step = tree.arrays.body_step[index]
    if melted and tree.arrays.mass[step] > 0.0:
        away = tree.arrays.centre[step] - tree.arrays.body_position[index]
        x, y, z = tree.arrays.body_rotation[index].T @ away
    else:
        known = next((one for one in character.bodies if one.name == body), None)
        x, y, z = np.zeros(3) if known is None else mass_properties_of(known).centre
    return float(x), float(y), float(z)
