"""Soles of feet: as the character states them, from the shapes of its feet, or guessed."""

from __future__ import annotations

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from animato.character import Sole
from animato.character.structure import rest_poses
from animato.mimic.anatomy.anatomy import Foot
from animato.mimic.anatomy.limb_joints import LegJoints
from animato.mimic.anatomy.outline import surface_points
from animato.mimic.anatomy.skeleton import Skeleton

_SLAB = 0.01  # [m]: what is within this of the lowest point of a foot touches the floor
_UPRIGHT = 0.95  # cosine: an axis of the foot's body this near to up at rest is normal to the sole
_MOST_CORNERS = 8
_FEW_CORNERS = 4
_LOSS = 0.05  # of a sole's area that may be lost when corners are left out
_GUESS = {"length": 0.28, "width": 0.11, "behind": 0.3, "height": 0.08}
"""Of a guessed sole, as shares of the leg's length; `behind`: share of the sole behind the ankle."""


def foot_of(skeleton: Skeleton, side: str, leg: LegJoints, axes: np.ndarray, given: Sole | None) -> tuple[Foot, str]:
    """The foot of a leg, and a sentence on where its sole is from.

    Args:
        skeleton: The parts.
        side: "left" or "right".
        leg: Its joints.
        axes: Rows are forward, left and up in the root's frame at rest, [3, 3].
        given: Takes the place of what would be found.
    """
    sole, told = (given, "as given") if given is not None else (_stated(skeleton, leg), "as the character states it")
    if sole is None:
        sole, told = _from_shapes(skeleton, side, leg, axes), "from the shapes of the foot"
    if sole is None:
        sole = _guessed(skeleton, side, leg, axes)
        told = "guessed from the length of the leg, because the foot has no readable shape; state soles to be sure"
    ahead = np.array(sole.corners) @ foot_axes(skeleton, sole.body, axes)[0]
    middle = (ahead.min() + ahead.max()) / 2.0
    heel = tuple(int(one) for one in np.flatnonzero(ahead < middle))
    toe = tuple(int(one) for one in np.flatnonzero(ahead >= middle))
    return Foot(side, sole, heel, toe), f"The {side} sole is on '{sole.body}', {told}."


def foot_axes(skeleton: Skeleton, body: str, axes: np.ndarray) -> np.ndarray:
    """Forward, left and normal of a sole in its body's frame, in rows, [3, 3].

    The normal is the axis of the body nearest to up at rest where that is near, since few robots
    have feet that are tilted in their own frame, but many have a rest pose in which they are not flat.
    """
    turn = rest_poses(skeleton.character)[body].rotation
    forward, up = turn.T @ axes[0], turn.T @ axes[2]
    axis = int(np.argmax(np.abs(up)))
    if abs(up[axis]) > _UPRIGHT:
        up = np.eye(3)[axis] * np.sign(up[axis])
    forward = forward - (forward @ up) * up
    axis = int(np.argmax(np.abs(forward)))
    if abs(forward[axis]) > _UPRIGHT:
        forward = np.eye(3)[axis] * np.sign(forward[axis])
    forward = forward / np.linalg.norm(forward)
    return np.array([forward, np.cross(up, forward), up])


def _stated(skeleton: Skeleton, leg: LegJoints) -> Sole | None:
    bodies = [body for index in (leg.foot, *leg.toes) for body in skeleton.parts[index].bodies]
    return next((sole for sole in skeleton.character.soles if sole.body in bodies), None)


def _from_shapes(skeleton: Skeleton, side: str, leg: LegJoints, axes: np.ndarray) -> Sole | None:
    """The convex outline of what is lowest on the foot."""
    poses = rest_poses(skeleton.character)
    bodies = skeleton.parts[leg.foot].bodies
    clouds = {}
    for name in bodies:
        down = -foot_axes(skeleton, name, axes)[2]
        clouds[name] = surface_points(skeleton.character.body(name), down)
    held = max(bodies, key=lambda name: len(clouds[name]))
    home = poses[held].inverse()
    points = np.concatenate([home.apply(poses[name].apply(cloud)) for name, cloud in clouds.items()])
    if len(points) < 3:
        return None
    frame = foot_axes(skeleton, held, axes)
    local = points @ frame.T
    floor = local[:, 2].min()
    low = local[local[:, 2] < floor + _SLAB][:, :2]
    outline = _outline(low)
    if outline is None:
        return None
    corners = np.column_stack([outline, np.full(len(outline), floor)]) @ frame
    return Sole(side, held, tuple(tuple(np.round(corner, 9).tolist()) for corner in corners))


def _outline(points: np.ndarray) -> np.ndarray | None:
    """The convex hull of points of a plane with few corners, [corner, 2]; None where it has no area."""
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        return None
    corners = points[hull.vertices]
    if hull.volume < 1e-5:
        return None
    whole = hull.volume
    while len(corners) > _FEW_CORNERS:
        losses = [_triangle(corners, index) for index in range(len(corners))]
        least = int(np.argmin(losses))
        if len(corners) <= _MOST_CORNERS and losses[least] > _LOSS * whole:
            break
        corners = np.delete(corners, least, axis=0)
    return corners


def _triangle(corners: np.ndarray, index: int) -> float:
    """The area that is lost with a corner [m^2]."""
    before, here, after = corners[index - 1], corners[index], corners[(index + 1) % len(corners)]
    one, other = here - before, after - before
    return abs(float(one[0] * other[1] - one[1] * other[0])) / 2.0


def _guessed(skeleton: Skeleton, side: str, leg: LegJoints, axes: np.ndarray) -> Sole:
    """A rectangle below the ankle."""
    body = skeleton.parts[leg.foot].bodies[0]
    frame = foot_axes(skeleton, body, axes)
    place = np.array(skeleton.place(leg.foot, body, skeleton.parts[leg.foot].origin))
    reach = float(np.linalg.norm(skeleton.parts[leg.foot].origin - skeleton.parts[leg.hip].origin))
    length, half, low = _GUESS["length"] * reach, _GUESS["width"] * reach / 2.0, _GUESS["height"] * reach
    back, front = -_GUESS["behind"] * length, (1.0 - _GUESS["behind"]) * length
    local = np.array([(front, half, -low), (back, half, -low), (back, -half, -low), (front, -half, -low)])
    corners = place + local @ frame
    return Sole(side, body, tuple(tuple(corner) for corner in corners.tolist()))
