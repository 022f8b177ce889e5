"""Copies the angles of a captured skeleton to a robot: the crude, honest way from a capture to a clip.

Every group of joints that has a bone turns as that bone turns against the bone before it. Nothing
keeps feet on the floor, hands together or the robot in balance; retargeting that does is the verb
`mimic`. What could not be copied is told in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from animato.character import Character
from animato.errors import MotionError
from animato.motion.captured_motion import CapturedMotion
from animato.motion.clip import Clip
from animato.motion.transfer.group_motion import BENDING, limb_of, move_group
from animato.motion.transfer.joint_groups import BoneMatch, JointGroup, joint_groups, match_bones
from animato.motion.transfer.limb_joints import joint_centre
from animato.motion.transfer.losses import calibration_jump, general_losses
from animato.motion.transfer.rest_pose import (
    SkeletonMotion,
    limb_direction,
    measured_from_rest,
    neutral_joints,
    robot_facing,
)
from animato.spatial import quaternions

_IDENTITY = np.array((1.0, 0.0, 0.0, 0.0))


@dataclass(frozen=True, eq=False)
class AngleTransfer:
    """A clip made of a capture.

    Attributes:
        clip: All free coordinates of the character; those without a bone stay neutral.
        losses: What the capture did that the clip does not, in words.
        bones: (joint, bone) pairs: who followed whom.
    """

    clip: Clip
    losses: tuple[str, ...]
    bones: tuple[tuple[str, str], ...]


def transfer_angles(
    capture: CapturedMotion,
    character: Character,
    *,
    mapping: Mapping[str, str] | None = None,
    rest_frame: int | None = None,
    align_rest: bool | None = None,
    scale: float | None = None,
) -> AngleTransfer:
    """Copies angles.

    A bone's turn against the bone of the group before it, L, is split on the axes of its joints
    as they are in the robot's neutral pose: L ~ exp(a_1 q_1) exp(a_2 q_2) ..., in axes in which
    both face x and z is up. With `align_rest`, a limb that points elsewhere in the capture's rest
    pose (arms out in a T) than on the neutral robot (arms down) is first laid along it, by the
    smallest turn C after that of the limb it hangs on: L = C_above L_capture C^-1.

    Args:
        capture: The motion.
        character: The robot. Its neutral pose faces x, unless the places of its left and right joints say otherwise.
        mapping: Bone by joint, for joints whose name does not tell.
        rest_frame: Frame of the capture that is its rest pose; None takes the pose in which all
            rotations are zero.
        align_rest: Whether rest poses are laid on one another. None does so where bones were found
            because they are the same part of a body, and not where all of them have their joint's
            name or were mapped: a rig made for the robot has its rest pose.
        scale: Of the way the root travels; None takes the ratio of leg lengths where both have
            legs and rest poses are aligned, otherwise 1.

    Raises:
        MotionError: No joint has a bone.
        UnknownNameError: The mapping names what does not exist.
    """
    if scale is not None and not (np.isfinite(scale) and scale > 0.0):
        raise MotionError(f"The scale of the way must be greater than 0, given {scale}.")
    root_facing = robot_facing(neutral_joints(character))
    joints = neutral_joints(character, root_facing)
    match = match_bones(capture, character, mapping, joints)
    groups = joint_groups(match, joints)
    motion = measured_from_rest(capture, rest_frame)
    aligns = match.by_part if align_rest is None else align_rest
    rests = _rest_turns(groups, motion, everywhere=align_rest is True) if aligns else [_IDENTITY] * len(groups)
    values = {
        name: np.full(capture.frame_count, value)
        for joint in character.free_joints
        for name, value in zip(joint.coordinate_names, joint.neutral, strict=True)
    }
    losses: list[str] = []
    for group, rest in zip(groups, rests, strict=True):
        turn_above = _turn_above(group, groups, match, motion, capture, character)
        rest_above = _IDENTITY if group.above is None else rests[group.above]
        turn = quaternions.multiply(quaternions.conjugate(turn_above), motion.turns_wxyz[:, group.bone])
        turn = quaternions.multiply(quaternions.multiply(rest_above, turn), quaternions.conjugate(rest))
        slide = _slide(capture, group.bone, motion, rest_above)
        losses += move_group(group, limb_of(group, groups), turn, slide, values, capture)
    factor = scale
    if factor is None:
        factor = _leg_ratio(groups, motion, match.base) if aligns else 1.0
    place, heading = (
        _base_motion(capture, motion, match.base, factor, root_facing) if character.floats else (None, None)
    )
    losses += general_losses(capture, character, match, factor)
    losses += calibration_jump(capture)
    clip = Clip(
        capture.times,
        character.coordinate_names,
        np.column_stack([values[name] for name in character.coordinate_names]),
        place,
        heading,
        f"{capture.source or 'a capture'}, angles copied to {character.name}",
    )
    bones = tuple((name, capture.names[match.bones[name]]) for name in joints if name in match.bones)
    return AngleTransfer(clip, tuple(losses), bones)


def _rest_turns(groups: list[JointGroup], motion: SkeletonMotion, *, everywhere: bool) -> list[np.ndarray]:
    """C of each group: the turn of its bone from the capture's rest pose that lays it on the neutral robot."""
    turns: list[np.ndarray] = []
    for group in groups:
        above = _IDENTITY if group.above is None else turns[group.above]
        turns.append(above)
        if len(group.below) != 1 or not (everywhere or group.role in BENDING):
            continue
        below = groups[group.below[0]]
        places = motion.rest_positions
        bone_direction = limb_direction(places[group.bone], places[below.bone], snapped=False)
        robot_direction = limb_direction(joint_centre(group.joints), joint_centre(below.joints), snapped=True)
        if bone_direction is not None and robot_direction is not None:
            laid = quaternions.shortest_turn(quaternions.rotate(above, bone_direction), robot_direction)
            turns[-1] = quaternions.multiply(laid, above)
    return turns


def _turn_above(
    group: JointGroup,
    groups: list[JointGroup],
    match: BoneMatch,
    motion: SkeletonMotion,
    capture: CapturedMotion,
    character: Character,
) -> np.ndarray:
    """World turn of the bone that a group's bone is measured against, shape [frame, 4] or [4].

    That is the bone of the group before; else the bone of the base, where the group's own hangs on
    it; else the world.
    """
    if group.above is not None:
        return motion.turns_wxyz[:, groups[group.above].bone]
    here = int(capture.parents[group.bone])
    while here >= 0 and here != match.base:
        here = int(capture.parents[here])
    if here == match.base or character.floats:
        return motion.turns_wxyz[:, match.base]
    return _IDENTITY


def _slide(capture: CapturedMotion, bone: int, motion: SkeletonMotion, rest_above: np.ndarray) -> np.ndarray | None:
    """How far a bone has moved against its parent, in the robot's axes [m], shape [frame, 3]; None where it cannot."""
    if capture.translations is None:
        return None
    moved = capture.translations[:, bone] - capture.offsets[bone]
    return quaternions.rotate(quaternions.multiply(rest_above, motion.facing_wxyz), moved)


def _leg_ratio(groups: list[JointGroup], motion: SkeletonMotion, base: int) -> float:
    """How long the robot's legs are against the skeleton's, from the base down to the ankles; 1 without legs."""
    robot, skeleton = [], []
    for ankle in groups:
        if ankle.role != "ankle" or ankle.above is None or groups[ankle.above].above is None:
            continue
        knee = groups[ankle.above]
        hip = groups[knee.above or 0]
        hip_place, knee_place, ankle_place = (motion.rest_positions[group.bone] for group in (hip, knee, ankle))
        down = abs(motion.rest_positions[base][2] - hip_place[2])
        lengths = np.linalg.norm(knee_place - hip_place) + np.linalg.norm(ankle_place - knee_place)
        skeleton.append(float(down + lengths))
        robot.append(abs(float(ankle.joints[-1].origin[2])))
    if not robot or min(skeleton) < 1e-6 or min(robot) < 1e-6:
        return 1.0
    return float(np.mean(robot) / np.mean(skeleton))


def _base_motion(
    capture: CapturedMotion, motion: SkeletonMotion, base: int, factor: float, root_facing: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where the robot's root body goes: with the base bone, turned so that its x axis is the capture's forward."""
    positions, _ = capture.world_poses()
    facing = motion.facing_wxyz
    # turns are F R F^-1; in the world a robot that faces x stands as R F^-1
    world = quaternions.multiply(quaternions.conjugate(facing), motion.turns_wxyz[:, base])
    return factor * positions[:, base], quaternions.continuous(quaternions.multiply(world, root_facing))
