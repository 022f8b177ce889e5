"""What a figure that floats stands on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.motion import Clip
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform
from animato.studio.posing.figure import Figure
from animato.studio.posing.stance import Stance
from animato.view.scene import pose_bodies

_NEAR_FLOOR = 0.02  # of the size: soles this much above the lowest one stand, too


@dataclass(frozen=True, eq=False)
class Pin:
    """A point that stays.

    Attributes:
        body: On which body, in the character's order.
        local: Where on it [m], shape [3].
        turns: Whether the body may turn about it.
    """

    body: int
    local: np.ndarray
    turns: bool = True


def standing_soles(figure: Figure, stance: Stance) -> list[Pin]:
    """Soles that carry a figure that floats: the lowest, and those about as low; they neither slip nor tip."""
    if not figure.root_freedoms or not figure.soles:
        return []
    names = [body.name for body in figure.character.bodies]
    places, turns = figure.bodies(stance)
    low = []
    for sole in figure.soles:
        body = names.index(sole.body)
        corners = places[body] + quaternions.rotate(turns[body], np.array(sole.corners))
        low.append((float(corners[:, 2].min()), Pin(body, np.mean(sole.corners, axis=0), turns=False)))
    floor = min(height for height, _ in low)
    return [pin for height, pin in low if height <= floor + _NEAR_FLOOR * figure.size]


def stood_root(figure: Figure, stance: Stance, like: Stance) -> np.ndarray:
    """The root with which a pose stands where another one does: on its lowest sole, in its place and as it is turned.

    Args:
        figure: Who; where it is held, or has no soles, the root of the pose is given back.
        stance: The pose.
        like: The pose that stands right.

    Returns:
        x, y, z [m] and qw, qx, qy, qz, shape [7].
    """
    soles = standing_soles(figure, like)
    if not soles:
        return stance.root
    body = soles[0].body
    there, here = (RigidTransform(*(part[body] for part in figure.bodies(one))) for one in (like, stance))
    root = there @ here.inverse() @ RigidTransform(stance.root[:3], stance.root[3:])
    return np.concatenate([root.position, root.quaternion_wxyz])


def stood_clip(figure: Figure, clip: Clip, like: Stance) -> Clip:
    """A clip of all coordinates, without a root, that stands where a pose does; see `stood_root`."""
    soles = standing_soles(figure, like)
    if not soles:
        return clip
    body, name = soles[0].body, figure.character.bodies[soles[0].body].name
    there = RigidTransform(*(part[body] for part in figure.bodies(like)))
    here = pose_bodies(figure.character, clip).of(name)
    root = there @ here.inverse() @ RigidTransform(figure.rest_root[:3], figure.rest_root[3:])
    turns = quaternions.continuous(root.quaternion_wxyz)
    return replace(clip, base_positions=np.asarray(root.position), base_quaternions_wxyz=turns)
