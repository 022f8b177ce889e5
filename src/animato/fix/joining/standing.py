"""Where a character stands: the foot that stays, and a second clip moved on the floor to where the first ends.

A transition of joints alone would carry the feet of a character that stands: its base and its legs would each go their
own way. Where a sole is flat on the floor at both ends, it is its pose that is eased instead of the base's, and the
base follows from the joints.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character
from animato.character.structure import rigidified, topology_of
from animato.fix.joining.tracks import ClipEnd, heading
from animato.mechanics.contact import corners_of
from animato.mechanics.tree import forward_kinematics, packed_tree, states_of_clip
from animato.motion import Clip
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

_UP = np.array((0.0, 0.0, 1.0))


@dataclass(frozen=True, eq=False)
class Placing:
    """A turn about the vertical and a move on the floor.

    Attributes:
        turn: Unit quaternion about the vertical, [4].
        origin: The point that is moved [m], [3].
        goal: Where it comes to [m], [3].
    """

    turn: np.ndarray
    origin: np.ndarray
    goal: np.ndarray

    def applied(self, clip: Clip) -> Clip:
        """A clip there."""
        if clip.base_positions is None or clip.base_quaternions_wxyz is None:
            return clip
        return replace(
            clip,
            base_positions=quaternions.rotate(self.turn, clip.base_positions - self.origin) + self.goal,
            base_quaternions_wxyz=quaternions.multiply(self.turn, clip.base_quaternions_wxyz),
        )


def placing_after(last: ClipEnd, first: ClipEnd, seconds: float) -> Placing:
    """Moves the second clip to where the first leads.

    That is where its base (or its foot that stands) ends, and as much farther as the mean of both speeds takes it
    during the transition. Heights stay.
    """
    one, other = last.base_taylor(), first.base_taylor()
    spin = 0.5 * (_yaw_rate(one) + _yaw_rate(other))
    turn = quaternions.quaternion_about(_UP, np.array(heading(one[0, 3:]) + spin * seconds - heading(other[0, 3:])))
    speed = 0.5 * (one[1, :3] + quaternions.rotate(turn, other[1, :3]))
    goal = one[0, :3] + seconds * speed
    goal[2] = other[0, 2]
    return Placing(turn, other[0, :3], goal)


def anchor_of(character: Character, before: Clip, after: Clip) -> str | None:
    """The body of a sole that is flat on the floor at both ends, as far as the clips say; None where there is none."""
    told = [(clip, time) for clip, time in ((before, before.times[-1]), (after, after.times[0])) if clip.has_base]
    if not (told and character.soles and character.floats and topology_of(rigidified(character)).is_tree):
        return None
    if not packed_tree(character).has_free_root:
        return None
    standing = {sole.body for sole in character.soles}
    for clip, time in told:
        corners = corners_of(character, states_of_clip(character, clip, [time]))
        for (body, _), touches in zip(corners.points, corners.touching[0], strict=True):
            if not touches:
                standing.discard(body)
    return next((sole.body for sole in character.soles if sole.body in standing), None)


def anchored(character: Character, clip: Clip, body: str) -> Clip:
    """A clip whose base is told by the pose of another body."""
    if not clip.has_base:
        return clip
    pose = forward_kinematics(character, clip).of(body)
    return replace(clip, base_positions=pose.position, base_quaternions_wxyz=pose.quaternion_wxyz)


def base_under(
    character: Character, body: str, joints: Clip, place: np.ndarray, turn: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where the base is while a body is somewhere.

    Args:
        character: A tree character that floats.
        body: Whose poses are given.
        joints: What the joints do, without a base.
        place: Of the body [m], [frame, 3].
        turn: Of the body, unit quaternions, [frame, 4].

    Returns:
        Positions [frame, 3] and quaternions [frame, 4] of the base.
    """
    count = len(place)
    still = replace(joints, base_positions=np.zeros((count, 3)), base_quaternions_wxyz=None)
    base = RigidTransform(place, turn) @ forward_kinematics(character, still).of(body).inverse()
    return base.position, base.quaternion_wxyz


def _yaw_rate(taylor: np.ndarray) -> float:
    """Turning about the vertical [rad/s], from quaternion and rate in columns 3 to 7."""
    q, rate = taylor[0, 3:], taylor[1, 3:]
    return float(2.0 * quaternions.multiply(rate, quaternions.conjugate(q))[3] / (q @ q))
