"""Which joints of an arm or a leg make its shoulder, elbow and wrist, or its hip, knee and ankle.

Names tell on many robots; on others joints are only counted ("arm_left_4_joint"). Then the axes tell: those of a
shoulder pass near its middle, those of a wrist near the end, and the elbow is the hinge that is far from both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character import JointType
from animato.motion.transfer.rest_pose import NeutralJoint

LIMB_ROLES = {"arm": ("shoulder", "elbow", "wrist"), "leg": ("hip", "knee", "ankle")}
_MIDDLE_SHARE = 0.15  # of the limb's length that the middle hinge is at least away from both ends
_AXES_OF_A_BALL = 3
_PLACED = 1e-3  # weight of where a file puts a joint along its axis, against the axis itself


def joint_centre(joints: Sequence[NeutralJoint]) -> np.ndarray:
    """The place about which joints turn together: nearest to all their axes [m], shape [3].

    Files put a joint anywhere along its axis, so places count next to nothing beside axes.
    """
    matrix, right = np.zeros((3, 3)), np.zeros(3)
    for joint in joints:
        across = np.eye(3)
        if joint.joint.type is JointType.REVOLUTE:
            across = across - np.outer(joint.axes[0], joint.axes[0])
        across = across + _PLACED * np.eye(3)
        matrix += across
        right += across @ joint.origin
    return np.asarray(np.linalg.solve(matrix, right))


def limb_roles(chain: Sequence[NeutralJoint], limb: str, named: Sequence[str]) -> list[str]:
    """What each joint of a limb is.

    Args:
        chain: From the trunk outwards.
        limb: A key of `LIMB_ROLES`.
        named: What the names tell: a role, or "".

    Returns:
        A role for each joint. Names count, but of several elbows only the hinge in the middle stays one: what turns
        the upper arm along itself belongs to the shoulder, the forearm's own turn to the wrist.
    """
    roles = LIMB_ROLES[limb]
    told = [roles.index(name) if name in roles else -1 for name in named]
    if -1 not in told:
        return [roles[index] for index in _with_one_middle(chain, told)]
    middle = _middle_hinge(chain)
    result = []
    for index in range(len(chain)):
        if told[index] >= 0 or named[index]:
            result.append(named[index])
            continue
        first = max((role for role in told[:index]), default=0)
        last = min((role for role in told[index + 1 :] if role >= 0), default=2)
        guess = 0 if index < middle else 1 if index == middle else 2
        result.append(roles[min(max(guess, first, 0), last)])
    return result


def _with_one_middle(chain: Sequence[NeutralJoint], told: list[int]) -> list[int]:
    """Moves all hinges but one of several that are called an elbow to where they turn, unless a ball is full there."""
    middles = [index for index, role in enumerate(told) if role == 1]
    if len(middles) < 2:
        return told
    upper = [joint for joint, role in zip(chain, told, strict=True) if role == 0]
    lower = [joint for joint, role in zip(chain, told, strict=True) if role == 2]
    if not upper:
        return told
    ends = [joint_centre(upper)] + ([joint_centre(lower)] if lower else [])
    pivot = max(middles, key=lambda index: min(_distance(chain[index], end) for end in ends))
    result = list(told)
    for index in middles:
        if index < pivot and result.count(0) < _AXES_OF_A_BALL:
            result[index] = 0
        elif index > pivot and lower and result.count(2) < _AXES_OF_A_BALL:
            result[index] = 2
    return result


def _middle_hinge(chain: Sequence[NeutralJoint]) -> int:
    """Index of the elbow or knee: farthest from both ends of the limb, or the last where nothing is between them."""
    count = len(chain)
    top = joint_centre(chain[: min(3, max(count - 2, min(2, count - 1), 1))])
    end = chain[-1].origin
    length = max(float(np.linalg.norm(joint.origin - top)) for joint in chain)
    apart = [min(_distance(joint, top), _distance(joint, end)) for joint in chain[1:-1]]
    if not apart or max(apart) < _MIDDLE_SHARE * length:
        return count - 1
    return 1 + int(np.argmax(apart))


def _distance(joint: NeutralJoint, place: np.ndarray) -> float:
    """From a place to the axis of a joint [m]; to the joint itself where it has no single axis."""
    away = place - joint.origin
    if joint.joint.type is JointType.REVOLUTE:
        away = away - (away @ joint.axes[0]) * joint.axes[0]
    return float(np.linalg.norm(away))
