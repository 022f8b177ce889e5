"""The parts of a robot's body: which joints are its limbs, told by names and by how it is built."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from animato.motion.transfer.bone_names import BodyPart, is_finger, part_of_joint, side_and_words
from animato.motion.transfer.limb_joints import LIMB_ROLES, limb_roles
from animato.motion.transfer.rest_pose import NeutralJoint

_LIMB_OF_ROLE = {role: limb for limb, roles in LIMB_ROLES.items() for role in roles} | {"toe": "leg"}
_FEWEST = 3  # joints of a limb that only its build tells
_MIRRORED = 0.05  # share of a limb's size by which the other one may be elsewhere than its mirror image
_HIGHER = 0.1  # share of the robot's height by which arms begin above legs
_LOWEST = 0.05  # share of the robot's height above its lowest joint within which legs end


@dataclass
class _Limb:
    """Joints in one line on one side.

    Attributes:
        side: "left" or "right".
        joints: From the trunk outwards.
        limb: "arm", "leg", or "" where names do not tell.
    """

    side: str
    joints: list[NeutralJoint]
    limb: str = ""


def robot_parts(joints: dict[str, NeutralJoint], free: Iterable[str], *, stands: bool) -> dict[str, BodyPart]:
    """The part of a body that each joint is at, where names or the build tell.

    Args:
        joints: Of the robot in its neutral pose, nearest to the root first, facing x.
        free: Names of those that turn freely.
        stands: Whether it may have legs: nothing holds its root.
    """
    turning = _without_hands(joints, set(free))
    below = _children(joints, turning)
    parts = {name: part for name in turning if (part := part_of_joint(name)) is not None}
    limbs = _named_limbs(below, turning, joints) + _mirrored_limbs(below, turning, joints, parts)
    _tell_arms_from_legs(limbs, [float(joints[name].origin[2]) for name in turning], stands=stands)
    for key in {(limb.limb, limb.side) for limb in limbs if limb.limb}:
        same = [limb for limb in limbs if (limb.limb, limb.side) == key]
        if len(same) > 1:  # four legs, or gears beside a leg: only names tell
            continue
        chain = same[0].joints
        named = [parts[joint.joint.name].role if joint.joint.name in parts else "" for joint in chain]
        for joint, role in zip(chain, limb_roles(chain, key[0], named), strict=True):
            parts[joint.joint.name] = BodyPart(role, key[1])
    return parts | _trunk(turning, joints, parts)


def _without_hands(joints: dict[str, NeutralJoint], free: set[str]) -> list[str]:
    """Free joints that are no fingers, and do not hang on one."""
    fingers: set[str] = set()
    kept = []
    for name, joint in joints.items():
        if is_finger(name) or joint.above in fingers:
            fingers.add(name)
        elif name in free:
            kept.append(name)
    return kept


def _children(joints: dict[str, NeutralJoint], turning: list[str]) -> dict[str | None, list[str]]:
    """Turning joints by the turning joint that they hang on, None for the root."""
    known, below = set(turning), dict[str | None, list[str]]()
    for name in turning:
        above = joints[name].above
        while above is not None and above not in known:
            above = joints[above].above
        below.setdefault(above, []).append(name)
    return below


def _line_from(name: str, below: dict[str | None, list[str]], side: str) -> list[str]:
    """A joint and those behind it, on that side or none, up to a hand: where a line of three or more branches."""
    line = [name]
    while True:
        nexts = [child for child in below.get(line[-1], []) if side_and_words(child)[0] in (side, "")]
        if not nexts or (len(nexts) > 1 and len(line) >= _FEWEST):
            return line
        line.append(max(nexts, key=lambda child: _depth(child, below)))


def _depth(name: str, below: dict[str | None, list[str]]) -> int:
    deepest, ends = 0, [name]
    while ends:
        deepest, ends = deepest + 1, [child for end in ends for child in below.get(end, [])]
    return deepest


def _named_limbs(
    below: dict[str | None, list[str]], turning: list[str], joints: dict[str, NeutralJoint]
) -> list[_Limb]:
    """Lines of joints whose names tell a side."""
    side_of = {name: side_and_words(name)[0] for name in turning}
    above = {child: name for name, children in below.items() for child in children}
    limbs = []
    for name in turning:
        upper = above[name]
        if not side_of[name] or (upper is not None and side_of[upper] == side_of[name]):
            continue
        line = _line_from(name, below, side_of[name])
        limbs.append(_Limb(side_of[name], [joints[joint] for joint in line], _limb_by_words(line)))
    # a gear or a cover beside a limb is none
    longest = {key: max(len(limb.joints) for limb in limbs if (limb.limb, limb.side) == key) for key in _keys(limbs)}
    return [limb for limb in limbs if 2 * len(limb.joints) > longest[limb.limb, limb.side]]


def _keys(limbs: list[_Limb]) -> set[tuple[str, str]]:
    return {(limb.limb, limb.side) for limb in limbs}


def _limb_by_words(line: list[str]) -> str:
    for name in line:
        part, words = part_of_joint(name), side_and_words(name)[1]
        told = {"arm", "leg"} & set(words)
        if part is not None and part.role in _LIMB_OF_ROLE:
            return _LIMB_OF_ROLE[part.role]
        if told:
            return told.pop()
    return ""


def _mirrored_limbs(
    below: dict[str | None, list[str]],
    turning: list[str],
    joints: dict[str, NeutralJoint],
    parts: dict[str, BodyPart],
) -> list[_Limb]:
    """Pairs of lines without a side in their names that are mirror images of one another."""
    limbs = []
    for children in below.values():
        lines = [_line_from(name, below, "") for name in children if not side_and_words(name)[0] and name not in parts]
        lines = [line for line in lines if len(line) >= _FEWEST and joints[line[0]].origin[1] != 0.0]
        for index, line in enumerate(lines):
            for other in lines[index + 1 :]:
                first, second = [joints[name] for name in line], [joints[name] for name in other]
                if _mirror(first, second):
                    left, right = (first, second) if first[0].origin[1] > 0.0 else (second, first)
                    limbs += [_Limb("left", left, _limb_by_words(line)), _Limb("right", right, _limb_by_words(other))]
    return limbs


def _mirror(first: list[NeutralJoint], second: list[NeutralJoint]) -> bool:
    if len(first) != len(second):
        return False
    one = np.array([joint.origin for joint in first])
    other = np.array([joint.origin for joint in second]) * (1.0, -1.0, 1.0)
    return bool(np.abs(one - other).max() < _MIRRORED * max(float(np.ptp(one, axis=0).max()), 1e-6))


def _tell_arms_from_legs(limbs: list[_Limb], heights: list[float], *, stands: bool) -> None:
    """Names the limbs that names do not tell, where there is no doubt: a pair beside known ones, or one above."""
    unknown = [limb for limb in limbs if not limb.limb and len(limb.joints) >= _FEWEST]
    known = {limb.limb for limb in limbs if limb.limb}
    if {limb.side for limb in unknown} != {"left", "right"} or len(known) == 2:
        return
    tall = max(heights) - min(heights)
    starts = [float(limb.joints[0].origin[2]) for limb in unknown]
    if len(unknown) == 2:
        ends = max(float(limb.joints[-1].origin[2]) for limb in unknown)
        on_floor = stands and ends - min(heights) < _LOWEST * tall
        told = ({"arm": "leg", "leg": "arm"}[known.pop()]) if known else ("leg" if on_floor else "arm")
        for limb in unknown:
            limb.limb = told
    elif len(unknown) == 4 and not known:
        order = np.argsort(starts)
        if starts[order[2]] - starts[order[1]] > _HIGHER * tall:
            for rank, index in enumerate(order):
                unknown[index].limb = "leg" if rank < 2 else "arm"


def _trunk(turning: list[str], joints: dict[str, NeutralJoint], parts: dict[str, BodyPart]) -> dict[str, BodyPart]:
    """Joints without a part that carry both arms and no leg, or both legs and no arm: the back."""
    carried: dict[str, set[BodyPart]] = {}
    for name, part in parts.items():
        above = joints[name].above
        while above is not None and part.role in ("shoulder", "hip"):
            carried.setdefault(above, set()).add(part)
            above = joints[above].above
    arms = {BodyPart("shoulder", "left"), BodyPart("shoulder", "right")}
    legs = {BodyPart("hip", "left"), BodyPart("hip", "right")}
    return {
        name: BodyPart("torso", "")
        for name in turning
        if name not in parts and carried.get(name, set()) in (arms, legs)
    }
