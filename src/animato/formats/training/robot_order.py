"""In which order simulators count the joints and bodies of a robot.

MuJoCo goes down each branch to its end before it begins the next one (depth first); PhysX, and with it Isaac, counts
everything next to the root first, then what hangs on that (breadth first):

                        pelvis
                  left_hip      right_hip
                  left_knee     right_knee

    depth first     left_hip, left_knee, right_hip, right_knee
    breadth first   left_hip, right_hip, left_knee, right_knee
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from animato.character import Character, Joint, JointRole, JointType
from animato.character.structure import TreeLink, rigidified, topology_of
from animato.errors import OptionError
from animato.formats.training.opened import opened
from animato.motion import Clip

JointOrder = Literal["depth_first", "breadth_first", "character"]
BodyChoice = Literal["all", "moving"]


@dataclass(frozen=True)
class RobotOrder:
    """The columns of a file.

    Attributes:
        joint_names: Coordinates, and joints that follow another one by a gear, which simulators count as their own.
        body_names: The root first.
    """

    joint_names: tuple[str, ...]
    body_names: tuple[str, ...]


def robot_order(character: Character, order: JointOrder = "depth_first", bodies: BodyChoice = "all") -> RobotOrder:
    """Joints and bodies as a simulator counts them; branches go in the order of the character's joints.

    Args:
        character: Any; a loop is cut open where it is when the character is written as URDF or MJCF.
        order: How the tree is walked, or the character's own order.
        bodies: All of them, or only the root and those that a joint can move: simulators melt a body into the one that
            it is fixed to. Neither has the bodies without mass between several joints of one body of an MJCF file.
    """
    if order not in get_args(JointOrder):
        raise OptionError(f"`joint_order` is one of {', '.join(get_args(JointOrder))}; given {order!r}.")
    if bodies not in get_args(BodyChoice):
        raise OptionError(f"`bodies` is one of {', '.join(get_args(BodyChoice))}; given {bodies!r}.")
    tree = opened(character)
    topology = topology_of(rigidified(tree))
    hangs: dict[str | None, list[int]] = {}
    for index, link in enumerate(topology.links):
        hangs.setdefault(link.parent, []).append(index)
    walked: list[int] = []
    waiting = list(hangs.get(None, []))
    while waiting:
        index = waiting.pop(0)
        walked.append(index)
        below = hangs.get(topology.links[index].body, [])
        waiting = waiting + below if order == "breadth_first" else below + waiting
    links = [topology.links[index] for index in walked]
    joints = [link.joint for link in links if link.joint is not None]
    if order == "character":
        joints = list(tree.joints)
    chosen = [
        link.body
        for link in links
        if link.parent is None
        or ((bodies == "all" or (link.joint is not None and moves(link.joint))) and not _stands_between(tree, link))
    ]
    return RobotOrder(tuple(name for joint in joints for name in _columns(joint)), tuple(chosen))


def moves(joint: Joint) -> bool:
    """Whether a joint moves while the robot does."""
    return joint.type not in (JointType.FIXED, JointType.GROUND) and joint.role is not JointRole.CONFIGURABLE


def _stands_between(character: Character, link: TreeLink) -> bool:
    """Whether a body is none in the simulator, where one body has several joints: as the reader of MJCF makes them."""
    body = next((one for one in character.bodies if one.name == link.body), None)
    if body is None or link.joint is None or body.mass or body.density or body.shapes:
        return False
    whole = body.name.removesuffix(f".{link.joint.name}")
    return whole != body.name and any(one.name == whole for one in character.bodies)


def joint_columns(character: Character, clip: Clip, names: tuple[str, ...]) -> np.ndarray:
    """Where these joints are [rad or m], shape [frame, name]; those that follow another one are worked out.

    Raises:
        UnknownNameError: The clip lacks one of them.
    """
    columns = []
    for name in names:
        if name in character.coordinate_names:
            columns.append(clip.positions[:, clip.column(name)])
        else:
            gear = character.joint(name).coupling
            assert gear is not None  # `robot_order` names no others
            columns.append(gear.ratio * clip.positions[:, clip.column(gear.leader)] + gear.offset)
    return np.column_stack(columns) if columns else np.zeros((clip.frame_count, 0))


def names_of_columns(character: Character, count: int, order: JointOrder) -> tuple[str, ...] | None:
    """Names of so many columns without names; None where none fit.

    They are all joints, those that a clip states, the motors, or all joints with those that are set once.
    """
    everything = robot_order(character, order).joint_names
    also_set = robot_order(_all_free(character), order).joint_names
    stated = tuple(name for name in everything if name in character.coordinate_names)
    motors = tuple(name for name in stated if name in character.actuated_coordinate_names)
    return next((names for names in (everything, stated, motors, also_set) if len(names) == count), None)


@lru_cache(maxsize=32)
def _all_free(character: Character) -> Character:
    """The character with joints that are set once or held by a spring as joints that move: so simulators have them."""
    fixed = [joint for joint in character.joints if joint.role is JointRole.CONFIGURABLE]
    if not fixed:
        return character
    free = {joint.name: replace(joint, role=JointRole.PASSIVE, configuration=()) for joint in fixed}
    joints = tuple(free.get(joint.name, joint) for joint in character.joints)
    return replace(character, joints=joints, postures=(), buses=(), wires=())


def _columns(joint: Joint) -> tuple[str, ...]:
    return joint.coordinate_names if joint.is_free_coordinate or (joint.coupling is not None and moves(joint)) else ()
