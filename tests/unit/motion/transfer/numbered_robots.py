"""Small robots whose joints are only counted, or not named at all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character.body import Body
from animato.character.character import Character
from animato.character.frame import Frame
from animato.character.joint import Joint, JointType
from animato.motion.transfer.rest_pose import NeutralJoint, neutral_joints, robot_facing

X, Y, Z = np.eye(3)
Hinge = tuple[np.ndarray, tuple[float, float, float]]
"""An axis and where a joint is in the neutral pose [m], for the left side."""

LEG: list[Hinge] = [
    (Z, (0.0, 0.1, 0.0)),
    (X, (0.0, 0.1, 0.0)),
    (Y, (0.0, 0.1, 0.0)),
    (Y, (0.0, 0.1, -0.4)),
    (Y, (0.0, 0.1, -0.8)),
    (X, (0.0, 0.1, -0.8)),
]
ARM: list[Hinge] = [
    (Z, (0.0, 0.15, 0.45)),
    (X, (0.0, 0.25, 0.5)),
    (Z, (0.0, 0.25, 0.3)),  # anywhere along its axis
    (Y, (0.02, 0.25, 0.2)),
    (Z, (0.0, 0.25, 0.1)),
    (X, (0.0, 0.25, -0.1)),
    (Y, (0.0, 0.25, -0.1)),
]


def line(names: str | Sequence[str], root: str, hinges: list[Hinge], start: tuple[float, float, float]) -> list[Joint]:
    """Hinges in one line whose frames are all aligned; `start` is where the root body is.

    Args:
        names: Of the joints, or one name with {} for a number from 0 on.
        root: The body that carries them.
        hinges: From the root outwards.
        start: Where the root body is [m].
    """
    joints, parent, here = [], root, np.array(start)
    for index, (axis, place) in enumerate(hinges):
        name = names.format(index) if isinstance(names, str) else names[index]
        frame = Frame(tuple((np.array(place) - here).tolist()))
        joints.append(
            Joint(name, JointType.REVOLUTE, parent, f"{name}_body", frame_parent=frame, axis=tuple(axis.tolist()))
        )
        parent, here = joints[-1].child, np.array(place)
    return joints


def mirrored(hinges: list[Hinge]) -> list[Hinge]:
    """The other side: places are mirrored, axes stay."""
    return [(axis, (place[0], -place[1], place[2])) for axis, place in hinges]


def robot(joints: list[Joint], *, floats: bool = True) -> Character:
    """A robot with a root body "base"."""
    ground = [] if floats else [Joint("stand", JointType.GROUND, "world", "base")]
    return Character("test", (Body("base"), *(Body(joint.child) for joint in joints)), (*ground, *joints))


def counted(arm: str, leg: str, sides: tuple[str, str] = ("left", "right")) -> Character:
    """A humanoid with names such as "arm_{side}_{number}_joint"."""
    joints = line(("torso_1_joint", "torso_2_joint"), "base", [(Z, (0, 0, 0.1)), (Y, (0, 0, 0.1))], (0, 0, 0))
    chest, first = joints[-1].child, 0 if "JOINT" in arm else 1
    for side, turned in zip(sides, (False, True), strict=True):
        for pattern, hinges, root, start in ((arm, ARM, chest, (0, 0, 0.1)), (leg, LEG, "base", (0, 0, 0))):
            names = [pattern.format(side=side, number=index + first) for index in range(len(hinges))]
            joints += line(names, root, mirrored(hinges) if turned else hinges, start)
    return robot(joints)


def facing_x(character: Character) -> dict[str, NeutralJoint]:
    """The robot's joints in axes in which it faces x."""
    return neutral_joints(character, robot_facing(neutral_joints(character)))
