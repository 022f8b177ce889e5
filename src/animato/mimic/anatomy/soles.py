"""Soles of feet: as the character states them, from the shapes of its feet, or guessed."""

from __future__ import annotations

import numpy as np

from animato.character import Character, Sole
from animato.character.structure import rest_poses
from animato.mimic.anatomy.anatomy import Foot
from animato.mimic.anatomy.footprints import footprint_of, near_axis
from animato.mimic.anatomy.limb_joints import LegJoints
from animato.mimic.anatomy.skeleton import Skeleton

_FORWARD = 0.95  # cosine: an axis of the foot's body this near to the robot's forward at rest is the foot's
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
        told = (
            "guessed from the length of the leg, because the foot has no readable shape that looks like a sole; "
            "state soles to be sure"
        )
    ahead = np.array(sole.corners) @ sole_axes(skeleton.character, sole, axes)[0]
    middle = (ahead.min() + ahead.max()) / 2.0
    heel = tuple(int(one) for one in np.flatnonzero(ahead < middle))
    toe = tuple(int(one) for one in np.flatnonzero(ahead >= middle))
    toes = " Joints of toes are held while it stands." if leg.toes else ""
    return Foot(side, sole, heel, toe), f"The {side} sole is on '{sole.body}', {told}.{toes}"


def sole_axes(character: Character, sole: Sole, axes: np.ndarray) -> np.ndarray:
    """Forward, left and normal of a sole in its body's frame, in rows, [3, 3].

    The normal is that of its corners' plane. Forward is the axis of the body nearest to the robot's
    forward at rest where that is near: feet may be turned out at rest.

    Args:
        character: Whose sole it is.
        sole: The sole.
        axes: Rows are forward, left and up in the root's frame at rest, [3, 3].
    """
    turn = rest_poses(character)[sole.body].rotation
    corners = np.array(sole.corners)
    normal = np.linalg.svd(corners - corners.mean(0))[2][2]
    normal = normal * np.sign(normal @ turn.T @ axes[2])
    return axes_about(normal, turn.T @ axes[0])


def axes_about(normal: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """Forward, left and normal in rows [3, 3], of a normal and a direction that is about forward, [3] each."""
    axis = int(np.argmax(np.abs(ahead)))
    forward = np.eye(3)[axis] * np.sign(ahead[axis]) if abs(ahead[axis]) > _FORWARD else ahead
    forward = forward - (forward @ normal) * normal
    forward = forward / np.linalg.norm(forward)
    return np.array([forward, np.cross(normal, forward), normal])


def _stated(skeleton: Skeleton, leg: LegJoints) -> Sole | None:
    bodies = [body for index in (leg.foot, *leg.toes) for body in skeleton.parts[index].bodies]
    return next((sole for sole in skeleton.character.soles if sole.body in bodies), None)


def _from_shapes(skeleton: Skeleton, side: str, leg: LegJoints, axes: np.ndarray) -> Sole | None:
    """The convex outline of what is lowest on the foot, where that looks like a sole."""
    part = skeleton.parts[leg.foot]
    found = footprint_of(skeleton.character, part.bodies, axes[2])
    if found is None:
        return None
    body, normal, corners = found
    frame = axes_about(normal, rest_poses(skeleton.character)[body].rotation.T @ axes[0])
    local = corners @ frame.T
    length, width = np.ptp(local[:, 0]), np.ptp(local[:, 1])
    ankle = np.array(skeleton.place(leg.foot, body, part.origin)) @ frame.T
    above = ankle[2] - local[0, 2]
    reach = float(np.linalg.norm(part.origin - skeleton.parts[leg.hip].origin))
    over = local[:, 0].min() - length / 4.0 < ankle[0] < local[:, 0].max() + length / 4.0
    if width > 1.5 * length or not over or not -0.02 * reach < above < 0.4 * reach:
        return None
    return Sole(side, body, tuple(tuple(np.round(corner, 9).tolist()) for corner in corners))


def _guessed(skeleton: Skeleton, side: str, leg: LegJoints, axes: np.ndarray) -> Sole:
    """A rectangle below the ankle."""
    part = skeleton.parts[leg.foot]
    body = part.bodies[0]
    turn = rest_poses(skeleton.character)[body].rotation
    frame = axes_about(near_axis(turn.T @ axes[2], 0.9), turn.T @ axes[0])
    place = np.array(skeleton.place(leg.foot, body, part.origin))
    reach = float(np.linalg.norm(part.origin - skeleton.parts[leg.hip].origin))
    length, half, low = _GUESS["length"] * reach, _GUESS["width"] * reach / 2.0, _GUESS["height"] * reach
    back, front = -_GUESS["behind"] * length, (1.0 - _GUESS["behind"]) * length
    local = np.array([(front, half, -low), (back, half, -low), (back, -half, -low), (front, -half, -low)])
    corners = place + local @ frame
    return Sole(side, body, tuple(tuple(corner) for corner in corners.tolist()))
