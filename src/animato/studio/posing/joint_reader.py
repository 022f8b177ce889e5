"""Coordinates of joints, read off where bodies are, all at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character import Joint, JointType
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

_FEATURES: dict[JointType, tuple[int, ...]] = {
    JointType.CARTESIAN: (0, 1, 2),
    JointType.PRISMATIC: (0,),
    JointType.REVOLUTE: (3,),
    JointType.CYLINDRICAL: (0, 3),
    JointType.UNIVERSAL: (4, 5),
    JointType.SPHERICAL: (6, 7, 8, 9),
}
"""Of each joint: three slides, its turn, two turns one after the other, a quaternion; which its coordinates are."""

_TURNS = (3, 4, 5)


class JointReader:
    """Reads some joints. What `joint_coordinates` of a mechanism does for whole motions, for one pose and quicker.

    Attributes:
        names: Of the coordinates that are read.
    """

    def __init__(self, joints: Sequence[Joint], bodies: Sequence[str]) -> None:
        """Of joints between bodies.

        Args:
            joints: Those that move nothing are left out.
            bodies: Names, in the order of the state.
        """
        self._joints = [one for one in joints if one.type in _FEATURES]
        self.names = tuple(name for one in self._joints for name in one.coordinate_names)
        self._pick = np.array(
            [(n, feature) for n, one in enumerate(self._joints) for feature in _FEATURES[one.type]], dtype=np.int64
        ).reshape(-1, 2)
        self._is_turn = np.isin(self._pick[:, 1], _TURNS)
        if not self._joints:
            return
        self._parents = [list(bodies).index(one.parent) for one in self._joints]
        self._children = [list(bodies).index(one.child) for one in self._joints]
        self._near = _frames([one.frame_parent.transform for one in self._joints])
        self._far = _frames([one.frame_child.transform for one in self._joints])
        self._axes = np.array([one.axes for one in self._joints])

    def read(self, state: np.ndarray, before: np.ndarray | None = None) -> np.ndarray:
        """Coordinates [rad or m], shape [coordinate].

        Args:
            state: Position and quaternion of each body, one after the other, shape [7 body].
            before: What they were a moment ago; angles go on from there, and signs of quaternions.
        """
        if not self._joints:
            return np.zeros(0)
        rows = state.reshape(-1, 7)
        parent, child = rows[self._parents], rows[self._children]
        near = RigidTransform(parent[:, :3], quaternions.normalized(parent[:, 3:])) @ self._near
        far = RigidTransform(child[:, :3], quaternions.normalized(child[:, 3:])) @ self._far
        relative = near.inverse() @ far
        turn_wxyz = np.asarray(relative.quaternion_wxyz)
        along = np.einsum("ji,jia->ja", np.asarray(relative.position), self._axes)
        turn = np.einsum(
            "jia,jik,jkb->jab", self._axes, quaternions.matrix_from_quaternion(turn_wxyz), self._axes, optimize=True
        )
        angle = np.arctan2(turn[:, 2, 1] - turn[:, 1, 2], turn[:, 1, 1] + turn[:, 2, 2])
        first, second = np.arctan2(turn[:, 2, 1], turn[:, 1, 1]), np.arctan2(turn[:, 0, 2], turn[:, 0, 0])
        features = np.column_stack([along, angle, first, second, turn_wxyz])
        found = features[self._pick[:, 0], self._pick[:, 1]]
        if before is None:
            return found
        turns = np.round((before - found) / (2.0 * np.pi))
        found = found + np.where(self._is_turn, 2.0 * np.pi * turns, 0.0)
        for at in np.flatnonzero(self._pick[:, 1] == 6):
            if found[at : at + 4] @ before[at : at + 4] < 0.0:
                found[at : at + 4] *= -1.0
        return found


def _frames(frames: Sequence[RigidTransform]) -> RigidTransform:
    """Many frames as one."""
    places = np.array([one.position for one in frames])
    return RigidTransform(places, np.array([one.quaternion_wxyz for one in frames]))
