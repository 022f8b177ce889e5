"""Where a character's head is in every frame, as Reachy Mini's programs state it."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.character.structure import topology_of
from animato.errors import OptionError, UnknownNameError, did_you_mean
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip
from animato.spatial.rigid_transform import RigidTransform

REACHY_HEIGHT_M = 0.177
"""How high Reachy Mini's head stands where its pose is zero."""
_REACHY_JOINTS = tuple(f"stewart_{n}" for n in range(1, 7))


def head_poses(character: Character, clip: Clip, head: str, *, height_m: float | None = None) -> np.ndarray:
    """Poses of the head as 4 x 4 matrices, x forward, y left, z up.

    Of Reachy Mini itself: T_world_head with the height of the zero pose taken off. Of any other character: how far the
    head has moved and turned from where it is in the neutral posture, in the frame of the world. A base that moves
    counts as held.

    Args:
        character: Trees and closed loops alike.
        clip: All coordinates that motors drive.
        head: A body, or a marker on one.
        height_m: How high the head stands where its pose is zero [m]; where given, the pose is taken as it is, as of
            Reachy Mini itself.

    Returns:
        Shape [frame, 4, 4].
    """
    poses = _matrices(_poses(character, clip, head))
    if height_m is not None or is_reachy(character):
        poses[:, 2, 3] -= REACHY_HEIGHT_M if height_m is None else height_m
        return poses
    names = character.coordinate_names
    neutral = [value for joint in character.free_joints for value in joint.neutral]
    rest = _matrices(_poses(character, Clip(np.zeros(1), names, np.array([neutral])), head))[0]
    poses[:, :3, :3] = poses[:, :3, :3] @ rest[:3, :3].T
    poses[:, :3, 3] -= rest[:3, 3]
    return poses


def is_reachy(character: Character) -> bool:
    """Whether it is Reachy Mini itself: six motors under the head have its names."""
    return set(_REACHY_JOINTS) <= set(character.coordinate_names)


def _poses(character: Character, clip: Clip, head: str) -> RigidTransform:
    """T_world_head at the frames of a clip."""
    held = Clip(clip.times, clip.names, clip.positions)
    body, place = _place(character, head)
    if topology_of(character).is_tree:
        return forward_kinematics(character, held).of(body) @ place
    from animato.mechanics.loops import loop_motion  # only loops need it

    motion = loop_motion(character, held)
    if not bool(motion.reached.all()):
        frame = int(np.argmin(motion.reached))
        raise OptionError(f"The loops do not close at {clip.times[frame]:.3f} s. {' '.join(motion.notes)}")
    return RigidTransform(motion.positions(body), motion.quaternions_wxyz(body)) @ place


def _place(character: Character, head: str) -> tuple[str, RigidTransform]:
    """The body of the head, and where the head is on it."""
    marker = next((one for one in character.markers if one.name == head), None)
    if marker is not None:
        return marker.body, RigidTransform(marker.position, marker.quaternion_wxyz)
    bodies = [one.name for one in character.bodies]
    if head in bodies:
        return head, RigidTransform()
    known = [*bodies, *(one.name for one in character.markers)]
    raise UnknownNameError(
        f"`head` is the body or marker whose pose is the head's, and '{character.name}' has none that is called "
        f"'{head}'.{did_you_mean(head, known)} It has {', '.join(known)}."
    )


def _matrices(poses: RigidTransform) -> np.ndarray:
    made = np.tile(np.eye(4), (len(poses.position), 1, 1))
    made[:, :3, :3] = poses.rotation
    made[:, :3, 3] = poses.position
    return made
