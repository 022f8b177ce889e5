"""Positions, velocities and accelerations of a whole clip, in the columns that the kernels take."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.errors import MotionError, unknown_name
from animato.mechanics.tree.packing import Tree, packed_tree
from animato.motion import Clip, Posture
from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class States:
    """The state of a character at many moments.

    Velocities and accelerations of a free root are its linear, then its angular ones, in the root
    body's own axes; those of a spherical joint are angular, in the child's axes.

    Attributes:
        times: [s], shape [time].
        positions: [rad or m; quaternion components], shape [time, coordinate].
        velocities: [rad/s or m/s], shape [time, dof].
        accelerations: [rad/s^2 or m/s^2], shape [time, dof]; for linear ones of the root that of its
            origin in space, along the root's axes.
        root: x, y, z [m] and qw, qx, qy, qz of the root body, shape [time, 7].
        held: Coordinates that the clip does not name; they rest.
    """

    times: np.ndarray
    positions: np.ndarray
    velocities: np.ndarray
    accelerations: np.ndarray
    root: np.ndarray
    held: tuple[str, ...] = ()


def states_of_clip(character: Character, clip: Clip, times: ArrayLike | None = None) -> States:
    """Evaluates a clip for a character.

    Args:
        character: A tree character.
        clip: Its coordinates must exist in the character; those it does not name rest.
        times: [s], the clip's own frames where not given.

    Raises:
        UnknownNameError: The clip names a coordinate that the character does not have.
        MotionError: The clip moves the base of a character that stands on the ground.
    """
    tree = packed_tree(character)
    where = clip.times if times is None else np.atleast_1d(np.asarray(times, dtype=np.float64))
    for name in clip.names:
        if name not in tree.coordinate_names:
            raise unknown_name("coordinate", name, tree.coordinate_names, character.name)
    columns = [tree.coordinate_names.index(name) for name in clip.names]
    count = len(where)
    positions = np.tile(tree.neutral, (count, 1))
    rates, bends = np.zeros((count, len(tree.neutral))), np.zeros((count, len(tree.neutral)))
    positions[:, columns] = clip.positions if times is None else clip.spline(where)
    rates[:, columns] = clip.spline(where, derivative=1)
    bends[:, columns] = clip.spline(where, derivative=2)
    velocities, accelerations = _dof_columns(character, tree, positions, rates, bends)
    root = _root_columns(character, tree, clip, where, velocities, accelerations)
    held = tuple(name for name in tree.coordinate_names if name not in clip.names)
    return States(where, positions, velocities, accelerations, root, held)


def states_of_posture(character: Character, posture: Posture | None = None) -> States:
    """One still moment: a posture, or the rest pose."""
    names, values = (posture.names, posture.positions) if posture is not None else ((), np.zeros(0))
    return states_of_clip(character, Clip(np.zeros(1), names, values[None]))


def _dof_columns(
    character: Character, tree: Tree, positions: np.ndarray, rates: np.ndarray, bends: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Velocities and accelerations by degree of freedom; normalizes quaternions in `positions`.

    For a quaternion u(t) of any length, w = 2 Im(u* u') / |u|^2 and
    w' = 2 Im(u* u'') / |u|^2 - 2 w (u . u') / |u|^2, both in the turned axes.
    """
    first = 6 if tree.has_free_root else 0
    velocities = np.zeros((len(positions), len(tree.dof_names)))
    accelerations = np.zeros_like(velocities)
    column, dof = 0, first
    for joint in character.free_joints:
        width = len(joint.coordinate_names)
        if width != 4:
            velocities[:, dof : dof + width] = rates[:, column : column + width]
            accelerations[:, dof : dof + width] = bends[:, column : column + width]
            column, dof = column + width, dof + width
            continue
        here = slice(column, column + 4)
        speed, change = angular_rates(positions[:, here], rates[:, here], bends[:, here])
        velocities[:, dof : dof + 3], accelerations[:, dof : dof + 3] = speed, change
        positions[:, here] = quaternions.normalized(positions[:, here])
        column, dof = column + 4, dof + 3
    return velocities, accelerations


def angular_rates(u: np.ndarray, first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Angular velocity and acceleration in the turned axes, of quaternions u [time, 4] and their derivatives."""
    square = np.sum(u * u, axis=1, keepdims=True)
    back = quaternions.conjugate(u)
    velocity = 2.0 * quaternions.multiply(back, first)[:, 1:] / square
    growth = np.sum(u * first, axis=1, keepdims=True) / square
    acceleration = 2.0 * quaternions.multiply(back, second)[:, 1:] / square - 2.0 * growth * velocity
    return velocity, acceleration


def _root_columns(
    character: Character,
    tree: Tree,
    clip: Clip,
    where: np.ndarray,
    velocities: np.ndarray,
    accelerations: np.ndarray,
) -> np.ndarray:
    """The pose of the root at each moment; fills its six velocities and accelerations."""
    rest = np.concatenate([tree.root_rest.position, tree.root_rest.quaternion_wxyz])
    root = np.tile(rest, (len(where), 1))
    base = clip.base_spline
    if base is None:
        return root
    if not tree.has_free_root:
        raise MotionError(
            f"The clip moves the base, but '{character.name}' is held on the ground. "
            f"Remove the base columns from the clip, or the ground joint from the character."
        )
    value, rate, bend = (base(where, derivative=order) for order in range(3))
    turn = quaternions.normalized(value[:, 3:])
    back = quaternions.conjugate(turn)
    root[:, :3], root[:, 3:] = value[:, :3], turn
    velocities[:, :3] = quaternions.rotate(back, rate[:, :3])
    accelerations[:, :3] = quaternions.rotate(back, bend[:, :3])
    velocities[:, 3:6], accelerations[:, 3:6] = angular_rates(value[:, 3:], rate[:, 3:], bend[:, 3:])
    return root
