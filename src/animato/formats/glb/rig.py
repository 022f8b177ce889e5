"""Bodies and joints of a character as nodes: a joint turns, the body on it stands still."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.character import Character, Joint, Limits
from animato.character.structure import rest_poses
from animato.formats.files import UniqueNames
from animato.formats.outgoing import PlainStep, PlainTree
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform

Y_UP = RigidTransform((0.0, 0.0, 0.0), (0.5**0.5, -(0.5**0.5), 0.0, 0.0))
"""T_gltf_world: glTF has y up, and x to the same side."""


@dataclass(frozen=True, eq=False)
class Rig:
    """Nodes of a character.

    Attributes:
        tree: Which it is.
        nodes: As glTF has them; the first one is the character in the world.
        bodies: Numbers of the nodes of bodies, by name.
        moving: Steps of the tree that move their body, with the number of the node that does.
    """

    tree: PlainTree
    nodes: list[dict[str, Any]]
    bodies: dict[str, int]
    moving: list[tuple[PlainStep, int]]

    def local(self, step: PlainStep, poses: dict[str, RigidTransform]) -> RigidTransform:
        """T_parent_joint of a step, from T_world_body of its ends; both may hold many moments."""
        above = RigidTransform() if step.parent is None else poses[step.parent]
        return above.inverse() @ poses[step.body] @ step.after.inverse()


def build_rig(tree: PlainTree) -> Rig:
    """Makes the nodes in the rest pose.

    A joint of the tree is a node at its frame, which moves, and the body a node on it, which does not. What
    is fixed is one node. Names of joints come before those of bodies, where both are called the same.

    Args:
        tree: Of a character.
    """
    character = tree.character
    rest = dict(rest_poses(character))
    names = UniqueNames(step.joint.name for step in tree.steps if step.joint is not None and step.axes)
    root: dict[str, Any] = {"name": names.new(character.name), "children": [], "extras": _told(character, tree)}
    rig = Rig(tree, [root | placed(Y_UP)], {}, [])
    for step in tree.steps:
        above = 0 if step.parent is None else rig.bodies[step.parent]
        body = {"name": names.new(step.body), "extras": {"body": step.body}}
        if step.joint is None:
            rig.bodies[step.body] = _added(rig, above, body | placed(rest[step.body]))
            rig.moving.append((step, rig.bodies[step.body]))
            continue
        if not step.axes:
            rig.bodies[step.body] = _added(rig, above, body | placed(step.before @ step.after))
            continue
        joint = {"name": step.joint.name, "extras": _told_of_joint(step.joint)}
        number = _added(rig, above, joint | placed(rig.local(step, rest)))
        rig.moving.append((step, number))
        rig.bodies[step.body] = _added(rig, number, body | placed(step.after))
    return rig


def _added(rig: Rig, above: int, node: dict[str, Any]) -> int:
    rig.nodes.append(node)
    number = len(rig.nodes) - 1
    rig.nodes[above].setdefault("children", []).append(number)
    return number


def placed(transform: RigidTransform) -> dict[str, Any]:
    """Translation and rotation of a node; glTF has the real part of a quaternion last."""
    turn = quaternions.normalized(transform.quaternion_wxyz)
    found: dict[str, Any] = {}
    if transform.position.any():
        found["translation"] = transform.position.tolist()
    if not np.array_equal(np.abs(turn), (1.0, 0.0, 0.0, 0.0)):
        found["rotation"] = turn[[1, 2, 3, 0]].tolist()
    return found


def _told(character: Character, tree: PlainTree) -> dict[str, Any]:
    """What programs may show of the character: custom properties in Blender."""
    told: dict[str, Any] = {"character": character.name}
    if tree.ties:
        told["closes_loops"] = [tie.joint.name for tie in tree.ties if tie.joint is not None]
    return told


def _told_of_joint(joint: Joint) -> dict[str, Any]:
    told: dict[str, Any] = {"joint": joint.name, "type": joint.type.value, "role": str(joint.role)}
    told["axis"] = list(joint.axis)
    if any(one != Limits() for one in joint.limits):
        told["limits"] = [_numbers(one) for one in joint.limits]
    if joint.coupling is not None:
        gear = joint.coupling
        told["follows"] = {"leader": gear.leader, "ratio": gear.ratio, "offset": gear.offset}
    return told


def _numbers(limits: Limits) -> dict[str, float]:
    keys = ("lower", "upper", "velocity", "acceleration", "jerk", "torque")
    return {key: getattr(limits, key) for key in keys if getattr(limits, key) is not None}
