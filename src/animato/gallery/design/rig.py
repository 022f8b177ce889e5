"""An animator's rig: bones on ball joints, at the places where a character's joints are.

It has the body and the proportions of the character and none of its axes, so what it does is usually more than the
character can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import PchipInterpolator

from animato.character import Character
from animato.character.structure import rest_poses
from animato.design.terms import TrackingTarget
from animato.errors import MotionError, unknown_name
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

Keys = Sequence[tuple[float, Mapping[str, float]]]
"""Times [s] and, by channel, values there; a channel that a key does not name passes it by."""


@dataclass(frozen=True)
class Bone:
    """A body that turns about a point of its parent.

    Attributes:
        body: Name of the character's body.
        parent: Name of another bone; None hangs it in the world.
        joint: Name of a joint of the character; the bone turns about its place at rest. None turns it
            about the body's own origin.
    """

    body: str
    parent: str | None = None
    joint: str | None = None


@dataclass(frozen=True, eq=False)
class RigMotion:
    """Where the bones go.

    Attributes:
        character: Whose bodies they are.
        poses: T_world_body at all steps, by body.
    """

    character: Character
    poses: Mapping[str, RigidTransform]

    def target(
        self,
        body: str,
        *,
        at: ArrayLike = (0.0, 0.0, 0.0),
        position_weight: ArrayLike | None = None,
        orientation_weight: ArrayLike | None = None,
        name: str = "",
    ) -> TrackingTarget:
        """Asks a body of the character to do what its bone does.

        Args:
            body: Which.
            at: A point on it [m].
            position_weight: A number, one an axis or three a step [1/m^2]; None asks for turns only.
            orientation_weight: A number, or one a step; None asks for positions only.
            name: What people call it.
        """
        if body not in self.poses:
            raise unknown_name("bone", body, self.poses, f"the rig of {self.character.name}")
        pose, point = self.poses[body], np.asarray(at, dtype=np.float64)
        weights = np.asarray(0.0 if position_weight is None else position_weight, dtype=np.float64)
        return TrackingTarget(
            body,
            point,
            None if position_weight is None else pose.apply(point),
            None if orientation_weight is None else quaternions.continuous(pose.quaternion_wxyz),
            np.full(3, float(weights)) if weights.ndim == 0 else weights,
            0.0 if orientation_weight is None else np.asarray(orientation_weight, dtype=np.float64),
            name,
        )


def animated_rig(
    character: Character, bones: Sequence[Bone], keys: Keys, *, step_count: int, rate_hz: float
) -> RigMotion:
    """Moves a rig through keys.

    Args:
        character: Gives the places of the joints and the bodies at rest.
        bones: Parents first.
        keys: Channels are `BODY.x`, `.y`, `.z` for turns about axes of the world at rest, all three put
            together to one turn (a rotation vector) [deg], and `BODY.dx`, `.dy`, `.dz` for shifts [cm].
        step_count: How many time steps.
        rate_hz: Time steps a second.
    """
    times = np.arange(step_count) / rate_hz
    curves = {channel: _curve(keys, channel, times) for channel in {name for _, values in keys for name in values}}
    rest = rest_poses(character)
    poses: dict[str, RigidTransform] = {}
    for bone in bones:
        if bone.parent is not None and bone.parent not in poses:
            raise MotionError(f"Bone '{bone.body}' stands before its parent '{bone.parent}'; name parents first.")
        pivot = rest[bone.body].position if bone.joint is None else _place(character, bone.joint)
        turn = np.stack([curves.pop(f"{bone.body}.{axis}", np.zeros(step_count)) for axis in "xyz"], axis=1)
        shift = np.stack([curves.pop(f"{bone.body}.d{axis}", np.zeros(step_count)) for axis in "xyz"], axis=1)
        about = RigidTransform(pivot + 0.01 * shift, quaternions.quaternion_from_rotation_vector(np.radians(turn)))
        moved = about @ RigidTransform(-pivot)
        # A parent's pose is that of its body; what it does to the world is without where the body rests.
        if bone.parent is not None:
            moved = poses[bone.parent] @ rest[bone.parent].inverse() @ moved
        poses[bone.body] = moved @ rest[bone.body]
    if curves:
        raise unknown_name("channel", sorted(curves)[0], [bone.body for bone in bones], f"the rig of {character.name}")
    return RigMotion(character, poses)


def _place(character: Character, name: str) -> np.ndarray:
    """Where a joint is in the world at rest [m]."""
    joint = character.joint(name)
    return rest_poses(character)[joint.child].apply(joint.frame_child.position)


def _curve(keys: Keys, channel: str, times: np.ndarray) -> np.ndarray:
    """A channel over time: no overshoot between keys, and still before the first and after the last."""
    points = [(time, values[channel]) for time, values in keys if channel in values]
    if len(points) < 2:
        return np.full(len(times), points[0][1])
    at, values = np.array(points).T
    return np.asarray(PchipInterpolator(at, values)(np.clip(times, at[0], at[-1])))
