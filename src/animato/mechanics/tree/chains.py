"""The joints between the root and an end-point, as plain arrays for compiled solvers.

After joint i has moved, its frame is F_i = F_{i-1} (rotation_i, position_i) motion_i(q_i); the end-point is
F_n (tip_rotation, tip_position). How a joint's frame is turned is the packed tree's choice: go by `axis` in it.

This is the one model of a chain; what real-time kernels take of it (`PackedTurns`, `Sight`) is packed from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from animato.character import Character, EndPoint, Limits
from animato.errors import CharacterError
from animato.mechanics.tree.packing import BALL, SLIDE, TURN, PackedTree, Tree, packed_tree
from animato.mechanics.tree.states import states_of_posture
from animato.mechanics.tree.steps import world_poses
from animato.spatial import quaternions

_TWIST = 1.0 - 1e-9  # |axis . segment| above which a joint turns about its own segment
_NO_LENGTH = 1e-9  # [m] below which a segment has no direction of its own
_BY_JOINT = ("slides", "axis", "rotation", "position", "segment", "twister", "lower", "upper")  # fields over joints


class PackedChain(NamedTuple):
    """What kernels take. Arrays over joints i = 0 ... n - 1 from the root to the end-point.

    Attributes:
        base_rotation: Of the frame before the first joint, in the world, [3, 3].
        base_position: Of the same [m], [3].
        slides: Whether a joint slides instead of turning, [n].
        axis: Unit axis in the joint's own frame, [n, 3].
        rotation: Of the joint's frame at position zero in the frame before it, [n, 3, 3].
        position: Of the same [m], [n, 3].
        tip_rotation: Of the end-point in the last joint's frame, [3, 3].
        tip_position: Of the same [m], [3].
        segment: Unit direction from joint i to joint i + 1 (or the end-point) in the joint's own
            frame; of a segment without length that of the nearest one that has length, [n, 3].
        twister: Whether a joint turns about its own segment, so that it does not bend the chain, [n].
        lower: Lowest position, -inf where free [rad or m], [n].
        upper: Highest position, inf where free, [n].
    """

    base_rotation: np.ndarray
    base_position: np.ndarray
    slides: np.ndarray
    axis: np.ndarray
    rotation: np.ndarray
    position: np.ndarray
    tip_rotation: np.ndarray
    tip_position: np.ndarray
    segment: np.ndarray
    twister: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


class AtZero(NamedTuple):
    """A chain in the world while all its joints are at zero.

    Attributes:
        axis: Of each joint, [n, 3].
        origin: Of each joint's frame [m], [n, 3].
        tip_rotation: Of the end-point, [3, 3].
        tip_position: Of the end-point [m], [3].
    """

    axis: np.ndarray
    origin: np.ndarray
    tip_rotation: np.ndarray
    tip_position: np.ndarray


@dataclass(frozen=True, eq=False)
class Chain:
    """A packed chain and the names of its joints.

    Attributes:
        arrays: What kernels take.
        names: Coordinates from the root to the end-point.
        limits: Of each coordinate.
        end_point: What faces the world.
    """

    arrays: PackedChain
    names: tuple[str, ...]
    limits: tuple[Limits, ...]
    end_point: EndPoint

    def at_zero(self) -> AtZero:
        """Where axes, frames and the end-point are while all joints are at zero."""
        arrays = self.arrays
        axis, origin = np.empty((len(self.names), 3)), np.empty((len(self.names), 3))
        rotation, position = arrays.base_rotation, arrays.base_position
        for i in range(len(self.names)):
            position = position + rotation @ arrays.position[i]
            rotation = rotation @ arrays.rotation[i]
            axis[i], origin[i] = rotation @ arrays.axis[i], position
        return AtZero(axis, origin, rotation @ arrays.tip_rotation, position + rotation @ arrays.tip_position)

    def orientations(self, positions: np.ndarray, joints: int | None = None) -> np.ndarray:
        """Orientation in the world of the frame behind the first joints, wxyz; plain numpy.

        Args:
            positions: Of the chain's joints [rad or m], [m, n].
            joints: How many of them; all where not given.
        """
        arrays = self.arrays
        total = np.broadcast_to(quaternions.quaternion_from_matrix(arrays.base_rotation), (len(positions), 4))
        for i in range(len(self.names) if joints is None else joints):
            total = quaternions.multiply(total, quaternions.quaternion_from_matrix(arrays.rotation[i]))
            if not arrays.slides[i]:
                total = quaternions.multiply(total, quaternions.quaternion_about(arrays.axis[i], positions[:, i]))
        return total

    def behind(self, joints: int) -> Chain:
        """The chain without its first joints, seen from the frame behind them; itself where there are none to leave."""
        if joints == 0:
            return self
        arrays = self.arrays
        behind = arrays._replace(
            base_rotation=np.eye(3),
            base_position=np.zeros(3),
            **{name: np.ascontiguousarray(getattr(arrays, name)[joints:]) for name in _BY_JOINT},
        )
        return Chain(behind, self.names[joints:], self.limits[joints:], self.end_point)


def build_chain(character: Character, end_point: str) -> Chain:
    """The chain that moves an end-point.

    Args:
        character: A tree character; joints on the way must turn or slide about one axis each.
        end_point: Name of the end-point.

    Raises:
        UnknownNameError: The character has no such end-point.
        CharacterError: The chain has fewer than two joints, or one that is spherical, coupled or walked
            backward; or the character has loops.
    """
    tip = character.end_point(end_point)
    tree = packed_tree(character)
    arrays = tree.arrays
    body = tree.body_names.index(tip.body)
    steps = _steps_to(arrays, body)
    if len(steps) < 2:
        raise CharacterError(
            f"End-point '{end_point}' of '{character.name}' hangs on {len(steps)} joint(s); holding a posture while "
            f"facing needs at least 2."
        )
    for step in steps:
        _check_step(character, tree, step, end_point)
    names = tuple(tree.coordinate_names[arrays.coordinate[step]] for step in steps)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise CharacterError(
            f"'{twice}' of '{character.name}' drives several joints on the way to end-point '{end_point}'; each must "
            f"move on its own."
        )
    by_name = {
        name: limits
        for joint in character.free_joints
        for name, limits in zip(joint.coordinate_names, joint.limits, strict=False)
    }
    limits = tuple(by_name[name] for name in names)
    base_rotation, base_position = _base(character, int(arrays.parent[steps[0]]))
    frame = tip.frame.transform
    tip_rotation = arrays.body_rotation[body] @ frame.rotation
    tip_position = arrays.body_rotation[body] @ frame.position + arrays.body_position[body]
    axis = np.tile((0.0, 0.0, 1.0), (len(steps), 1))  # every step of the tree moves about z of its frame
    rotation, position = arrays.rotation[steps], arrays.position[steps]
    segment = _segments(rotation, position, tip_position, tip_rotation @ np.array(tip.forward))
    packed = PackedChain(
        base_rotation,
        base_position,
        arrays.kind[steps] == SLIDE,
        axis,
        rotation,
        position,
        tip_rotation,
        tip_position,
        segment,
        np.abs(np.sum(axis * segment, axis=1)) > _TWIST,
        np.array([one.range[0] for one in limits]),
        np.array([one.range[1] for one in limits]),
    )
    return Chain(packed, names, limits, tip)


def _steps_to(arrays: PackedTree, body: int) -> list[int]:
    """Steps from the root, which is not among them, to the one that carries a body."""
    steps: list[int] = []
    step = int(arrays.body_step[body])
    while step > 0:
        steps.insert(0, step)
        step = int(arrays.parent[step])
    return steps


def _check_step(character: Character, tree: Tree, step: int, end_point: str) -> None:
    """Raises where a step on the way is not a plain turn or slide."""
    arrays = tree.arrays
    column = int(arrays.coordinate[step])
    joint = next(one for one in character.free_joints if tree.coordinate_names[column] in one.coordinate_names)
    place = f"Joint '{joint.name}' of '{character.name}', on the way to end-point '{end_point}',"
    if arrays.kind[step] == BALL:
        raise CharacterError(f"{place} is spherical; write it as three revolute joints to hold a posture with it.")
    moves = arrays.kind[step] in (TURN, SLIDE)
    if not moves or arrays.scale[step] != 1.0 or arrays.offset[step] != 0.0:
        raise CharacterError(
            f"{place} drives the chain through a gear or backward; joints on the way must turn or slide about one axis "
            f"each, from parent to child and without a coupling."
        )


def _base(character: Character, above: int) -> tuple[np.ndarray, np.ndarray]:
    """Pose in the world, at rest, of the frame before the first joint."""
    arrays = packed_tree(character).arrays
    states = states_of_posture(character)
    count = len(arrays.parent)
    rotation, position = np.empty((count, 3, 3)), np.empty((count, 3))
    world_poses(arrays, states.positions, states.root, 0, rotation, position)
    return rotation[above].copy(), position[above].copy()


def _segments(rotations: np.ndarray, positions: np.ndarray, tip: np.ndarray, forward: np.ndarray) -> np.ndarray:
    """Unit direction of each segment in its own joint's frame.

    A segment without length goes on the way the one before it came, at position zero; before the first that has length,
    and where none has, it points along the next, or where the end-point faces.
    """
    count = len(positions)
    ends = np.vstack([positions[1:], tip[None]])
    lengths = np.linalg.norm(ends, axis=1)
    out = np.full((count, 3), np.nan)
    for i in range(count):
        if lengths[i] > _NO_LENGTH:
            out[i] = ends[i] / lengths[i]
        elif i == count - 1:
            out[i] = forward
        elif i > 0:
            out[i] = rotations[i].T @ out[i - 1]
    for i in range(count - 2, -1, -1):
        if np.isnan(out[i]).any():
            out[i] = rotations[i + 1] @ out[i + 1]
    return out


def tip_orientations(chain: Chain, positions: np.ndarray) -> np.ndarray:
    """Orientation of the end-point in the world, wxyz, for joint positions [m, n]; plain numpy, for checks."""
    return quaternions.multiply(
        chain.orientations(positions), quaternions.quaternion_from_matrix(chain.arrays.tip_rotation)
    )
