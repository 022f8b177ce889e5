"""Moves the joints of a group as their bone turns."""

from __future__ import annotations

import numpy as np

from animato.character import JointType
from animato.motion.captured_motion import CapturedMotion
from animato.motion.transfer.axis_angles import angles_about
from animato.motion.transfer.joint_groups import JointGroup
from animato.motion.transfer.leaps import leaps_to
from animato.motion.transfer.limb_joints import joint_centre
from animato.motion.transfer.losses import TOLD_ANGLE
from animato.motion.transfer.rest_pose import NeutralJoint, limb_direction
from animato.motion.transfer.turn_splits import product_of_turns
from animato.spatial import quaternions

BENDING = ("hip", "knee", "shoulder", "elbow")
"""Parts of a body behind which a limb goes on."""
_ANY_TURN = (-100.0, 100.0)  # rad; as a range, none
_ACROSS = 0.9  # sine of the angle between neighbouring axes from which on they point a limb anywhere


def limb_of(group: JointGroup, groups: list[JointGroup]) -> np.ndarray | None:
    """Where the limb behind a group points on the neutral robot, shape [3], or None where there is none."""
    if len(group.below) != 1 or group.role not in BENDING:
        return None
    below = groups[group.below[0]]
    return limb_direction(joint_centre(group.joints), joint_centre(below.joints), snapped=True)


def move_group(
    group: JointGroup,
    limb: np.ndarray | None,
    turn: np.ndarray,
    slide: np.ndarray | None,
    values: dict[str, np.ndarray],
    capture: CapturedMotion,
) -> list[str]:
    """Fills the coordinates of a group; returns what they could not follow, in words.

    Args:
        group: Joints that follow one bone.
        limb: Where the limb behind the group points on the neutral robot, shape [3]; None where that is not known.
        turn: What the group should make, wxyz, shape [frame, 4].
        slide: How far the bone moved against its parent [m], shape [frame, 3]; None where it cannot.
        values: Coordinates by name, shape [frame] each; those of the group are filled in.
        capture: Whose bone it is.
    """
    for joint in group.joints:
        _fill_slides(joint, slide, values)
    ball = next((joint for joint in group.joints if joint.joint.type is JointType.SPHERICAL), None)
    if ball is not None:
        frame = ball.frame_wxyz
        own = quaternions.multiply(quaternions.multiply(quaternions.conjugate(frame), turn), frame)
        own = quaternions.continuous(quaternions.conjugate(own) if ball.reversed else own)
        for name, column in zip(ball.joint.coordinate_names, own.T, strict=True):
            values[name] = column
        return []
    axes, names, ranges = _turning_axes(group.joints)
    if not names:
        return []
    steps, leaps = np.diff(capture.times), leaps_to(turn, capture.times)
    rate_hz = 1.0 / float(np.median(steps)) if len(steps) else 120.0
    if limb is not None and _points(axes, limb):
        # two axes cannot turn a limb along itself; they point it the right way, and its own turn is lost
        angles, _ = angles_about(
            np.array([*axes, limb]), turn, np.array([*ranges, _ANY_TURN]), rate_hz=rate_hz, leaps=leaps
        )
        angles = angles[:, :2]
        left = quaternions.angle_between(product_of_turns(np.array(axes), angles), turn)
    else:
        angles, left = angles_about(np.array(axes), turn, np.array(ranges), rate_hz=rate_hz, leaps=leaps)
    for name, column in zip(names, angles.T, strict=True):
        values[name] = column
    if left.max() < TOLD_ANGLE:
        return []
    return [_left_over(group, capture.names[group.bone], len(names), left)]


def _points(axes: list[np.ndarray], limb: np.ndarray) -> bool:
    """Whether there are two axes, and they can point a limb anywhere."""
    if len(axes) != 2:
        return False
    return bool(min(np.linalg.norm(np.cross(axes[0], axes[1])), np.linalg.norm(np.cross(axes[1], limb))) > _ACROSS)


def _turning_axes(joints: list[NeutralJoint]) -> tuple[list[np.ndarray], list[str], list[tuple[float, float]]]:
    """Axes, coordinate names and ranges of all one- and two-axis turns of a group, from the root outwards."""
    axes: list[np.ndarray] = []
    names: list[str] = []
    ranges: list[tuple[float, float]] = []
    for joint in joints:
        kind, own = joint.joint.type, joint.joint.coordinate_names
        limits = [one.range for one in joint.joint.limits]
        if kind is JointType.REVOLUTE:
            turns = [(joint.axes[0], own[0], limits[0])]
        elif kind is JointType.CYLINDRICAL:
            turns = [(joint.axes[0], own[1], limits[1])]
        elif kind is JointType.UNIVERSAL:
            turns = [(joint.axes[0], own[0], limits[0]), (joint.axes[1], own[1], limits[1])]
        else:
            continue
        for axis, name, limit in turns[::-1] if joint.reversed else turns:
            axes.append(axis)
            names.append(name)
            ranges.append(limit)
    return axes, names, ranges


def _left_over(group: JointGroup, bone: str, axis_count: int, left: np.ndarray) -> str:
    """What a bone turned and its joints did not, in words; `left` is that angle in each frame [rad]."""
    listed = ", ".join(f"'{joint.joint.name}'" for joint in group.joints)
    most, mean = np.degrees(left.max()), np.degrees(left.mean())
    if axis_count >= 3:
        return (
            f"joints {listed} are off bone '{bone}' by up to {most:.0f} degrees where their axes fall together, "
            f"{mean:.1f} on average"
        )
    which = f"joint {listed} does" if len(group.joints) == 1 else f"joints {listed} do"
    return (
        f"bone '{bone}' also turned up to {most:.0f} degrees about directions that {which} not have, "
        f"{mean:.0f} on average"
    )


def _fill_slides(joint: NeutralJoint, slide: np.ndarray | None, values: dict[str, np.ndarray]) -> None:
    """Coordinates in metres: how far the bone moved along the joint's axes."""
    counts = {JointType.PRISMATIC: 1, JointType.CYLINDRICAL: 1, JointType.CARTESIAN: 3}
    if slide is None:
        return
    for index in range(counts.get(joint.joint.type, 0)):
        values[joint.joint.coordinate_names[index]] = slide @ joint.axes[index]
