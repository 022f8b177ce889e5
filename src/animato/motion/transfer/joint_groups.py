"""Joints of a robot that share one bone of a skeleton, found by name or told by the user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from animato.character import Character, JointType
from animato.errors import MotionError, unknown_name
from animato.motion.captured_motion import CapturedMotion
from animato.motion.transfer.bone_names import BodyPart, bones_of_parts, pelvis_of, plain_name
from animato.motion.transfer.rest_pose import NeutralJoint
from animato.motion.transfer.robot_parts import robot_parts

TURNING = (JointType.REVOLUTE, JointType.UNIVERSAL, JointType.SPHERICAL, JointType.CYLINDRICAL)


@dataclass
class JointGroup:
    """Consecutive joints that together follow one bone.

    Attributes:
        bone: Index of the bone.
        joints: From the root outwards.
        above: Index of the group nearer to the root, or None where there is none.
        below: Indices of the groups next to it away from the root.
        role: What part of a body it is ("knee"), empty where its name does not tell.
    """

    bone: int
    joints: list[NeutralJoint]
    above: int | None
    below: list[int] = field(default_factory=list)
    role: str = ""


@dataclass(frozen=True)
class BoneMatch:
    """Which bone moves which joint.

    Attributes:
        bones: Index of the bone by the name of the joint.
        by_part: Whether some were found only because they are the same part of a body.
        base: Index of the bone that moves as the robot's root body does, such as the hips.
        parts: The part of a body that a joint is at, where it is known.
    """

    bones: dict[str, int]
    by_part: bool
    base: int
    parts: dict[str, BodyPart]


def match_bones(
    capture: CapturedMotion,
    character: Character,
    mapping: Mapping[str, str] | None,
    joints: dict[str, NeutralJoint],
) -> BoneMatch:
    """Finds a bone for each free joint: the user's own choice, else the same name, else the same part of a body.

    Args:
        capture: Whose bones.
        character: The robot.
        mapping: The user's own choice, bone by joint.
        joints: Of the robot in its neutral pose, facing x.

    Raises:
        MotionError: No joint has a bone.
        UnknownNameError: The mapping names a joint or a bone that does not exist.
    """
    given = dict(mapping or {})
    for joint_name, bone_name in given.items():
        if not character.joint(joint_name).is_free_coordinate:
            raise MotionError(f"Joint '{joint_name}' of '{character.name}' has no coordinate that a clip could move.")
        if bone_name not in capture.names:
            raise unknown_name("bone", bone_name, capture.names, capture.source or "the capture")
    same_name = {plain_name(name): bone for bone, name in reversed(list(enumerate(capture.names)))}
    parents = capture.parents.tolist()
    parts = bones_of_parts(capture.names, parents)
    free = [joint.name for joint in character.free_joints if joint.type in TURNING]
    places = robot_parts(joints, free, stands=character.floats)
    has_head = any(part == BodyPart("head", "") for part in places.values())
    pelvis = pelvis_of(parts, parents)
    waist = _carries_legs(joints, places) if pelvis is not None and BodyPart("torso", "") in parts else set()
    joint_names = {plain_name(joint.name) for joint in character.free_joints}
    bones: dict[str, int] = {}
    by_part = False
    for joint in character.free_joints:
        bone = capture.bone(given[joint.name]) if joint.name in given else same_name.get(plain_name(joint.name))
        part = places.get(joint.name)
        if part is not None and joint.name not in given:
            meant = pelvis if joint.name in waist else _bone_of_part(parts, part, has_head)
            # a person's "LeftShoulder" is the collar bone; what a robot calls so turns the arm
            if meant is not None and (bone is None or plain_name(capture.names[meant]) not in joint_names):
                by_part = by_part or bone != meant
                bone = meant
        if bone is not None:
            bones[joint.name] = bone
    if not bones:
        raise MotionError(
            f"No bone of '{capture.source or 'the capture'}' has the name of a joint of '{character.name}'. "
            f"Say which bone moves which joint: mapping={{joint: bone}}. "
            f"Joints: {_listed(joint.name for joint in character.free_joints)}. Bones: {_listed(capture.names)}."
        )
    base = parts[BodyPart("torso", "")] if waist else pelvis
    return BoneMatch(bones, by_part, 0 if base is None else base, places)


def joint_groups(match: BoneMatch, joints: dict[str, NeutralJoint]) -> list[JointGroup]:
    """Joins the joints that follow the same bone without another bone's joint between them."""
    groups: list[JointGroup] = []
    group_of: dict[str, int] = {}
    for name, joint in joints.items():
        if name not in match.bones:
            continue
        near = joint.above
        while near is not None and near not in group_of:
            near = joints[near].above
        above = None if near is None else group_of[near]
        if (
            above is not None
            and groups[above].bone == match.bones[name]
            and groups[above].joints[-1].joint.name == near
        ):
            groups[above].joints.append(joint)
            group_of[name] = above
            continue
        part = match.parts.get(name)
        groups.append(JointGroup(match.bones[name], [joint], above, role=part.role if part else ""))
        group_of[name] = len(groups) - 1
        if above is not None:
            groups[above].below.append(len(groups) - 1)
    return groups


def _bone_of_part(parts: dict[BodyPart, int], part: BodyPart, has_head: bool) -> int | None:
    """The bone of a part; a neck that carries no joints of a head follows the head."""
    neck, head = parts.get(BodyPart("neck", "")), parts.get(BodyPart("head", ""))
    if part.role == "neck" and not has_head:
        return neck if head is None else head
    if part.role == "head" and head is None:
        return neck
    return parts.get(part)


def _carries_legs(joints: dict[str, NeutralJoint], places: dict[str, BodyPart]) -> set[str]:
    """Joints of the back between the root and the legs, on robots whose root body is the chest."""
    carrying: dict[str, set[str]] = {}
    for name, part in places.items():
        above = joints[name].above
        while above is not None and part.role in ("shoulder", "hip"):
            carrying.setdefault(above, set()).add(part.role)
            above = joints[above].above
    return {name for name, part in places.items() if part.role == "torso" and carrying.get(name) == {"hip"}}


def _listed(names: object) -> str:
    shown = [str(name) for name in names]  # type: ignore[attr-defined]
    return ", ".join(shown[:40]) + (", ..." if len(shown) > 40 else "")
