"""Loops that no pose can close, known from their lengths alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.character import FREEDOM, Character, Joint, JointRole, JointType
from animato.character.structure import joint_motion
from animato.mechanics.loops.assembly.loop_path import loop_of
from animato.mechanics.loops.assembly.placing import rest_of
from animato.spatial.rigid_transform import RigidTransform

_POINTS = (JointType.REVOLUTE, JointType.SPHERICAL, JointType.UNIVERSAL)
_ROUNDING = 1e-9  # [m]


@dataclass(frozen=True)
class OutOfReach:
    """Why a loop cannot be closed.

    Attributes:
        between: The two joints that are farthest apart.
        distance: By which they are, at least [m].
        others: What all other distances of the loop add up to, at most [m].
    """

    between: tuple[str, str]
    distance: float
    others: float

    def words(self) -> str:
        """For people."""
        first, second = self.between
        return (
            f"'{first}' and '{second}' are {1e3 * self.distance:.4g} mm apart and everything else between them "
            f"reaches {1e3 * self.others:.4g} mm"
        )


def out_of_reach(character: Character, closing: Joint) -> OutOfReach | None:
    """Why the loop that a joint closes can never be closed, or None where its lengths do not tell.

    Walking around the loop, two joints that turn about a point are as far apart as the rigid parts
    between them make them, whatever their angles: a polygon, whose longest side must not be longer than
    all others together. Slides between them leave a least distance, that across the slide, and no
    largest one.

    Args:
        character: Whose loop.
        closing: One of the joints that close loops.
    """
    names = loop_of(character, closing)
    joints = [character.joint(name) for name in names]
    turning = [
        n for n, joint in enumerate(joints) if joint.type in _POINTS and joint.role is not JointRole.CONFIGURABLE
    ]
    if len(turning) < 2:
        return None
    joints = joints[turning[0] :] + joints[: turning[0]]
    sides: list[tuple[str, str, float, float]] = []
    first, between = joints[0], list[Joint]()
    for joint in [*joints[1:], joints[0]]:
        if _turns(joint):
            near, far = _side(character, first, between, joint)
            sides.append((first.name, joint.name, near, far))
            first, between = joint, []
        else:
            between.append(joint)
    longest = max(range(len(sides)), key=lambda n: sides[n][2])
    others = sum(side[3] for n, side in enumerate(sides) if n != longest)
    start, end, distance, _ = sides[longest]
    return OutOfReach((start, end), distance, others) if distance > others + _ROUNDING else None


def _turns(joint: Joint) -> bool:
    return joint.type in _POINTS and joint.role is not JointRole.CONFIGURABLE


def _side(character: Character, first: Joint, between: list[Joint], last: Joint) -> tuple[float, float]:
    """Least and largest distance between the points of two joints, over joints that do not turn."""
    moving = [joint for joint in between if FREEDOM[joint.type] and joint.role is not JointRole.CONFIGURABLE]
    if len(moving) > 1 or any(joint.type is not JointType.PRISMATIC for joint in moving):
        return 0.0, np.inf
    body = _shared(first, (between or [last])[0])
    if body is None:
        return 0.0, np.inf
    point = _frame_on(first, body).position
    place, along = RigidTransform(), None
    for joint in between:
        onward = joint.child == _other(joint, body) and joint.parent == body
        step = joint.frame_parent.transform @ joint_motion(joint, rest_of(joint, character))
        step = step @ joint.frame_child.transform.inverse()
        if joint in moving:
            base = place if onward else place @ step.inverse()
            along = (base @ joint.frame_parent.transform).rotation @ np.array(joint.axis)
        place = place @ (step if onward else step.inverse())
        body = _other(joint, body)
    apart = (place @ _frame_on(last, body)).position - point
    if along is None:
        return float(np.linalg.norm(apart)), float(np.linalg.norm(apart))
    return float(np.linalg.norm(apart - along * (apart @ along))), np.inf


def _shared(first: Joint, second: Joint) -> str | None:
    bodies = [body for body in (first.parent, first.child) if body in (second.parent, second.child)]
    return bodies[0] if len(bodies) == 1 else None


def _other(joint: Joint, body: str) -> str:
    return joint.child if joint.parent == body else joint.parent


def _frame_on(joint: Joint, body: str) -> RigidTransform:
    return joint.frame_parent.transform if joint.parent == body else joint.frame_child.transform
