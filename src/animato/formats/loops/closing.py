"""Closes the loops of a character whose file has them open at zero, as a URDF file cut into a tree does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.character import FREEDOM, Character, Joint, JointRole, JointType, Vector
from animato.character.structure import (
    JointStand,
    TreeLink,
    joint_motion,
    joint_stand,
    rest_coordinates,
    rest_poses,
    rezeroed,
    rezeroed_joint,
    topology_of,
)
from animato.errors import CharacterError
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

CLOSED = 1e-9  # [m or rad]
_STEPS = 200
_STARTS = 12
_REACH = 1.0  # [rad or m] the longest step of a coordinate
_TINY = 1e-6  # [rad or m] either side of a coordinate, for its twist


def closed_at_rest(tree: Character, ties: Sequence[Joint]) -> Character:
    """The robot with its ties, its joints counted from a pose in which all loops close.

    Motors keep their zero where the loops can be closed with all motors at zero; only where they
    cannot is the zero of motors moved too, which the description then says. Of several ways to close
    the loops the one is taken to which Gauss-Newton steps from zero lead.

    Args:
        tree: The robot without its loops.
        ties: Fixed or spherical joints that close them.

    Raises:
        CharacterError: The loops cannot be closed; each is named with its gap.
    """
    movable = [joint for joint in tree.joints if joint.is_free_coordinate]
    passive = [joint for joint in movable if joint.role is not JointRole.ACTUATED]
    closing = _Closing(tree, ties)
    found = closing.solve([]) or closing.solve(passive) or closing.solve(movable)
    if found is None:
        stands = _stands(rezeroed(tree, closing.nearest), ties)
        gaps = ", ".join(
            f"'{name}' by {stand.distance * 1e3:.3g} mm and {np.degrees(stand.angle):.3g} deg"
            for name, stand in stands.items()
        )
        raise CharacterError(
            f"The loops cannot be closed; at best they stay open: {gaps}. Check the names of the frames that are "
            f"tied, the type of the ties, and the lengths of the links."
        )
    zeros = found.values
    moved = [
        f"{joint.name} {', '.join(f'{value:.4g}' for value in zeros[joint.name])}"
        for joint in movable
        if joint.role is JointRole.ACTUATED and joint.name in zeros and zeros[joint.name] != joint.neutral
    ]
    closed = rezeroed(tree, zeros)
    stands = _stands(closed, ties)
    # A ball stands somewhere in its socket; counted from there it is neutral at rest like all others.
    joints = (*closed.joints, *(rezeroed_joint(tie, stands[tie.name].coordinates) for tie in ties))
    description = f"Zero of the motors is where the file has {', '.join(moved)}" if moved else tree.description
    return replace(closed, joints=joints, description=description)


def _stands(tree: Character, ties: Sequence[Joint]) -> dict[str, JointStand]:
    poses = rest_poses(tree)
    stands = {}
    for tie in ties:
        first, second = poses[tie.parent] @ tie.frame_parent.transform, poses[tie.child] @ tie.frame_child.transform
        stands[tie.name] = joint_stand(tie, first.inverse() @ second)
    return stands


@dataclass(frozen=True)
class _Pose:
    """Coordinates of joints, by name, in a pose with closed loops."""

    values: dict[str, Vector]


class _Closing:
    """Damped Gauss-Newton over tree coordinates, on the gaps of the ties that close loops."""

    def __init__(self, tree: Character, ties: Sequence[Joint]) -> None:
        self.links, self.ties = topology_of(tree).links, ties
        self.path: dict[str, frozenset[str]] = {}
        for link in self.links:
            above = frozenset() if link.parent is None else self.path[link.parent]
            self.path[link.body] = above | ({link.joint.name} if link.joint is not None else set())
        self.nearest: dict[str, Vector] = {}
        self.nearest_gap = np.inf

    def solve(self, joints: Sequence[Joint]) -> _Pose | None:
        """Coordinates of these joints that close the loops, or None where no start leads there."""
        sizes = [FREEDOM[joint.type] for joint in joints]
        rng = np.random.default_rng(1)
        for start in range(_STARTS if joints else 1):
            x = np.zeros(sum(sizes)) if start == 0 else rng.normal(scale=0.3 * (1 + start // 4), size=sum(sizes))
            x, gap = self._descended(x, joints, sizes)
            values = _values(x, joints, sizes)
            if gap < self.nearest_gap:
                self.nearest, self.nearest_gap = values, gap
            if gap < CLOSED:
                return _Pose(values)
        return None

    def _descended(self, x: np.ndarray, joints: Sequence[Joint], sizes: list[int]) -> tuple[np.ndarray, float]:
        damping = 1e-3
        residual, jacobian = self._gaps(x, joints, sizes)
        for _ in range(_STEPS):
            gap = float(np.abs(residual).max())
            if gap < 1e-15 or damping > 1e8 or not len(x):
                break
            # Damping by the gap itself: far away it keeps steps short, near the end it vanishes.
            lhs = jacobian.T @ jacobian + damping * min(1.0, gap) * np.eye(len(x))
            step = -np.linalg.lstsq(lhs, jacobian.T @ residual, rcond=None)[0]
            step *= min(1.0, _REACH / max(float(np.abs(step).max()), 1e-300))
            new_residual, new_jacobian = self._gaps(x + step, joints, sizes)
            if np.linalg.norm(new_residual) < np.linalg.norm(residual):
                x, residual, jacobian, damping = x + step, new_residual, new_jacobian, max(damping / 10.0, 1e-12)
            elif gap < CLOSED / 1e3:
                break
            else:
                damping *= 10.0
        return x, float(np.abs(residual).max())

    def _gaps(self, x: np.ndarray, joints: Sequence[Joint], sizes: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Gaps of all loops [m, rad] and their derivatives by x, turns to first order."""
        values = _values(x, joints, sizes)
        poses: dict[str, RigidTransform] = {}
        for link in self.links:
            above = RigidTransform() if link.parent is None else poses[link.parent]
            poses[link.body] = above if link.joint is None else above @ _step(link, _stand_of(link.joint, values))
        twists = self._twists(x, joints, sizes, poses)
        rows, slopes = [], []
        for joint in self.ties:
            first = poses[joint.parent] @ joint.frame_parent.transform
            second = poses[joint.child] @ joint.frame_child.transform
            columns = np.zeros((6, len(x)))
            place = 0
            for moving, size in zip(joints, sizes, strict=True):
                for end, frame, sign in ((joint.parent, first, -1.0), (joint.child, second, 1.0)):
                    if moving.name in self.path[end]:
                        linear, angular = twists[:3, place : place + size], twists[3:, place : place + size]
                        columns[:3, place : place + size] += sign * (linear + np.cross(angular.T, frame.position).T)
                        columns[3:, place : place + size] += sign * angular
                place += size
            turn = quaternions.multiply(second.quaternion_wxyz, quaternions.conjugate(first.quaternion_wxyz))
            rows.append(second.position - first.position)
            slopes.append(columns[:3])
            if joint.type is JointType.FIXED:
                rows.append(quaternions.rotation_vector_from_quaternion(turn))
                slopes.append(columns[3:])
        return np.concatenate(rows), np.vstack(slopes)

    def _twists(
        self, x: np.ndarray, joints: Sequence[Joint], sizes: list[int], poses: Mapping[str, RigidTransform]
    ) -> np.ndarray:
        """Of each coordinate: velocity at the world's origin and angular velocity of what hangs on it, [6, n]."""
        links = {link.joint.name: link for link in self.links if link.joint is not None}
        columns, place = [], 0
        for joint, size in zip(joints, sizes, strict=True):
            link = links[joint.name]
            above = RigidTransform() if link.parent is None else poses[link.parent]
            for axis in range(size):
                ends = []
                for sign in (1.0, -1.0):
                    part = x[place : place + size].copy()
                    part[axis] += sign * _TINY
                    ends.append(above @ _step(link, _coordinates(joint, part)))
                change = ends[0] @ ends[1].inverse()
                angular = quaternions.rotation_vector_from_quaternion(change.quaternion_wxyz)
                columns.append(np.concatenate([change.position, angular]) / (2.0 * _TINY))
            place += size
        return np.array(columns).reshape(-1, 6).T


def _coordinates(joint: Joint, part: np.ndarray) -> Vector:
    if joint.type is JointType.SPHERICAL:
        return tuple(quaternions.quaternion_from_rotation_vector(part).tolist())
    return tuple(part.tolist())


def _values(x: np.ndarray, joints: Sequence[Joint], sizes: list[int]) -> dict[str, Vector]:
    parts = np.split(x, np.cumsum(sizes)[:-1]) if sizes else []
    return {joint.name: _coordinates(joint, part) for joint, part in zip(joints, parts, strict=True)}


def _stand_of(joint: Joint, values: Mapping[str, Vector]) -> Vector:
    """Where a joint stands while some joints have these values."""
    if joint.coupling is not None and joint.coupling.leader in values:
        return (joint.coupling.ratio * values[joint.coupling.leader][0] + joint.coupling.offset,)
    return values.get(joint.name, rest_coordinates(joint))


def _step(link: TreeLink, coordinates: Vector) -> RigidTransform:
    joint = link.joint
    if joint is None:
        return RigidTransform()
    step = joint.frame_parent.transform @ joint_motion(joint, coordinates) @ joint.frame_child.transform.inverse()
    return step.inverse() if link.reversed else step
