"""Where something sits on a body."""

from __future__ import annotations

from dataclasses import dataclass

from animato.character.vectors import IDENTITY, ZERO, Quaternion, Vector3, finite_vector, unit_vector
from animato.spatial.rigid_transform import RigidTransform


@dataclass(frozen=True)
class Frame:
    """A right-handed frame fixed to a body, given in that body's coordinates.

    Attributes:
        position: Origin of the frame [m].
        quaternion_wxyz: Turns the body's axes into the frame's axes, unit length.
    """

    position: Vector3 = ZERO
    quaternion_wxyz: Quaternion = IDENTITY

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", finite_vector(self.position, 3, "The position of a frame"))
        quaternion = unit_vector(self.quaternion_wxyz, 4, "The quaternion (w, x, y, z) of a frame")
        object.__setattr__(self, "quaternion_wxyz", quaternion)

    @property
    def transform(self) -> RigidTransform:
        """The frame as T_body_frame."""
        return RigidTransform(self.position, self.quaternion_wxyz)

    @classmethod
    def from_transform(cls, transform: RigidTransform) -> Frame:
        """The frame of a single (not batched) T_body_frame."""
        return cls(tuple(transform.position.tolist()), tuple(transform.quaternion_wxyz.tolist()))


HERE = Frame()
