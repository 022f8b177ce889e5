"""A design made one with the robot: configurable joints become frames, and bodies that stood between them go."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from animato.character import Body, Character, Frame, Joint, JointRole, JointType, Marker, Sole, structure
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


def baked(character: Character, *, only: Collection[str] | None = None) -> Character:
    """The same robot without configurable joints, as they are set.

    A body without mass and shapes on one side of a configurable joint becomes a part of the body on the other side,
    with all joints and landmarks on it; between two real bodies a fixed joint is left. No body that is left moves
    against what it did before, whatever the motors do.

    Args:
        character: With its design, such as `solution.optimized.character`.
        only: Names of configurable joints; the others stay as they are set, and can be designed again. All where not
            given.
    """
    configurable = {
        joint.name: joint
        for joint in character.joints
        if joint.role is JointRole.CONFIGURABLE and joint.type is not JointType.GROUND
    }
    names = [name for name in configurable if only is None or name in only]
    kept = [joint for name, joint in configurable.items() if name not in names]
    found = structure.baked(_with_joints(character, [_stiff(joint) for joint in kept]))
    for name in names:
        joint = found.joint(name)
        across = joint.frame_parent.transform @ joint.frame_child.transform.inverse()  # T_parent_child
        if _is_bare(found.body(joint.child)):
            found = _merged(found, joint, joint.child, joint.parent, across)
        elif _is_bare(found.body(joint.parent)):
            found = _merged(found, joint, joint.parent, joint.child, across.inverse())
    return _with_joints(found, [_placed_as(joint, found.joint(joint.name)) for joint in kept])


def _stiff(joint: Joint) -> Joint:
    """Stands for a joint while others dissolve: it sits where that does, and has nothing to dissolve."""
    return Joint(
        joint.name, JointType.FIXED, joint.parent, joint.child, JointRole.PASSIVE, joint.frame_parent, joint.frame_child
    )


def _placed_as(joint: Joint, other: Joint) -> Joint:
    return replace(
        joint,
        parent=other.parent,
        child=other.child,
        frame_parent=other.frame_parent,
        frame_child=other.frame_child,
    )


def _with_joints(character: Character, joints: list[Joint]) -> Character:
    """The character with some joints in the place of those of their names."""
    by_name = {joint.name: joint for joint in joints}
    if not by_name:
        return character
    return replace(character, joints=tuple(by_name.get(joint.name, joint) for joint in character.joints))


def _is_bare(body: Body) -> bool:
    return not body.shapes and not body.mass


def _merged(character: Character, between: Joint, gone: str, kept: str, across: RigidTransform) -> Character:
    """The character with one body a part of another.

    Args:
        character: With a fixed joint between them.
        between: That joint.
        gone: The body that goes.
        kept: The body that is left.
        across: T_kept_gone.
    """
    joints = tuple(_moved_joint(joint, gone, kept, across) for joint in character.joints if joint is not between)
    parts = tuple(
        replace(
            part,
            interfaces=tuple(
                replace(one, body=kept, frame_body=_moved(one.frame_body, across)) if one.body == gone else one
                for one in part.interfaces
            ),
        )
        for part in character.flexible_parts
    )
    pairs = [tuple(kept if name == gone else name for name in pair) for pair in character.ignored_collisions]
    return replace(
        character,
        bodies=tuple(body for body in character.bodies if body.name != gone),
        joints=joints,
        flexible_parts=parts,
        end_points=tuple(
            replace(one, body=kept, frame=_moved(one.frame, across)) if one.body == gone else one
            for one in character.end_points
        ),
        markers=tuple(_moved_marker(one, gone, kept, across) for one in character.markers),
        soles=tuple(_moved_sole(one, gone, kept, across) for one in character.soles),
        ignored_collisions=tuple(dict.fromkeys((a, b) for a, b in pairs if a != b)),
    )


def _moved_joint(joint: Joint, gone: str, kept: str, across: RigidTransform) -> Joint:
    if joint.parent == gone:
        return replace(joint, parent=kept, frame_parent=_moved(joint.frame_parent, across))
    if joint.child == gone:
        return replace(joint, child=kept, frame_child=_moved(joint.frame_child, across))
    return joint


def _moved_marker(one: Marker, gone: str, kept: str, across: RigidTransform) -> Marker:
    if one.body != gone:
        return one
    frame = _moved(one.frame, across)
    return replace(one, body=kept, position=frame.position, quaternion_wxyz=frame.quaternion_wxyz)


def _moved_sole(one: Sole, gone: str, kept: str, across: RigidTransform) -> Sole:
    if one.body != gone:
        return one
    return replace(one, body=kept, corners=tuple(map(tuple, across.apply(np.array(one.corners)).tolist())))


def _moved(frame: Frame, across: RigidTransform) -> Frame:
    found = across @ frame.transform
    return Frame.from_transform(RigidTransform(found.position, quaternions.normalized(found.quaternion_wxyz)))
