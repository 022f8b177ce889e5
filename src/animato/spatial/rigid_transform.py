"""Rigid transforms whose names cancel: T_world_hand = T_world_base @ T_base_hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.spatial import quaternions


@dataclass(frozen=True, eq=False)
class RigidTransform:
    """A turn and a shift, or an array of them.

    Attributes:
        position: [..., 3] [m].
        quaternion_wxyz: [..., 4], unit length.
    """

    position: np.ndarray
    quaternion_wxyz: np.ndarray

    def __init__(self, position: ArrayLike = (0.0, 0.0, 0.0), quaternion_wxyz: ArrayLike = (1.0, 0.0, 0.0, 0.0)):
        object.__setattr__(self, "position", np.asarray(position, dtype=np.float64))
        object.__setattr__(self, "quaternion_wxyz", np.asarray(quaternion_wxyz, dtype=np.float64))

    def __matmul__(self, other: RigidTransform) -> RigidTransform:
        """T_a_c = T_a_b @ T_b_c; leading shapes broadcast."""
        return RigidTransform(
            self.apply(other.position),
            quaternions.multiply(self.quaternion_wxyz, other.quaternion_wxyz),
        )

    def inverse(self) -> RigidTransform:
        """T_b_a of T_a_b."""
        back = quaternions.conjugate(self.quaternion_wxyz)
        return RigidTransform(-quaternions.rotate(back, self.position), back)

    def apply(self, points: ArrayLike) -> np.ndarray:
        """Points [..., 3] given in the inner frame, expressed in the outer one."""
        return quaternions.rotate(self.quaternion_wxyz, points) + self.position

    @property
    def rotation(self) -> np.ndarray:
        """Rotation matrices [..., 3, 3]."""
        return quaternions.matrix_from_quaternion(self.quaternion_wxyz)

    @property
    def matrix(self) -> np.ndarray:
        """Homogeneous matrices [..., 4, 4]."""
        lead = np.broadcast_shapes(self.position.shape[:-1], self.quaternion_wxyz.shape[:-1])
        out = np.zeros((*lead, 4, 4))
        out[..., :3, :3] = self.rotation
        out[..., :3, 3] = self.position
        out[..., 3, 3] = 1.0
        return out

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> RigidTransform:
        """Of homogeneous matrices [..., 4, 4]."""
        array = np.asarray(matrix, dtype=np.float64)
        return cls(array[..., :3, 3], quaternions.quaternion_from_matrix(array[..., :3, :3]))
