"""Where a robot faces."""

from __future__ import annotations

import numpy as np

from animato.character.structure import rest_poses
from animato.mimic.anatomy.limb_joints import leg_joints
from animato.mimic.anatomy.limbs import Limbs, legs_apart, named_left
from animato.mimic.anatomy.outline import surface_points

_AHEAD = 0.02  # of a leg's length: by how much feet must be longer to the front to tell it


def facing_axes(limbs: Limbs) -> tuple[np.ndarray, str]:
    """Forward, left and up in the root body's frame at rest, in rows [3, 3], and a sentence on how it is known.

    Names of the legs tell left and right where they do; else feet point forward; else x is forward.
    """
    up = limbs.up
    left = named_left(limbs)
    told = "Left and right are as the names say"
    if left is None:
        left = legs_apart(limbs)
        ahead = float(_feet_ahead(limbs) @ np.cross(left, up))
        told = "Names tell no sides; it faces where its feet point"
        if abs(ahead) < _AHEAD * limbs.legs.reach:
            forward = np.cross(left, up)
            ahead = float(forward[int(np.argmax(np.abs(forward)))])
            told = "Neither names nor feet tell where it faces; it is taken to face along a positive axis"
        left = left if ahead > 0.0 else -left
    forward = np.cross(left, up)
    return np.array([forward, left, up]), f"{told}: it faces {_words(forward)} of its root body."


def _feet_ahead(limbs: Limbs) -> np.ndarray:
    """From the ankles to the middles of the feet, in the root's frame at rest [m], [3]."""
    skeleton = limbs.skeleton
    poses = rest_poses(skeleton.character)
    ways = []
    for chain in limbs.legs.limbs:
        leg = leg_joints(skeleton, chain)
        part = skeleton.parts[leg.foot]
        for name in part.bodies:
            pose = poses[name]
            points = surface_points(skeleton.character.body(name), -pose.rotation.T @ limbs.up)
            if len(points):
                middle = (points.min(0) + points.max(0)) / 2.0
                ways.append(pose.apply(middle) - part.origin)
        ways += [skeleton.parts[index].origin - part.origin for index in leg.toes]
    return np.mean(ways, axis=0) if ways else np.zeros(3)


def _words(direction: np.ndarray) -> str:
    axis = int(np.argmax(np.abs(direction)))
    if abs(direction[axis]) < 0.999:
        return f"({', '.join(f'{value:.2f}' for value in direction)})"
    return ("-" if direction[axis] < 0 else "") + "xyz"[axis]
