"""Which joints of a leg or an arm are hip, knee and ankle, or shoulder, elbow and wrist."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from animato.mimic.anatomy.skeleton import Skeleton
from animato.spatial import quaternions

_TURNS = np.linspace(-np.pi, np.pi, 24)  # [rad] by which each joint is turned to see which one shortens the limb
_PALM = 0.3  # of the way from the last joint of an arm to the hand's end: what counts as the arm's end for its elbow
_NEAR = 0.1  # of a leg's length: joints this near to the first of the ankle are of the ankle, farther ones of the toes
_MOST_WRIST_JOINTS = 3
_ELBOW = re.compile(r"elbow", re.IGNORECASE)
_FINGERS = re.compile(r"hand|finger|thumb|index|middle|ring|pinky|grip|claw", re.IGNORECASE)


@dataclass(frozen=True)
class LegJoints:
    """Parts of a leg, by index.

    Attributes:
        hip: The first.
        knee: The one that shortens the leg.
        ankle: The first after the knee, None where there is none.
        foot: The part with the sole.
        toes: Those after the foot.
    """

    hip: int
    knee: int
    ankle: int | None
    foot: int
    toes: tuple[int, ...]


@dataclass(frozen=True)
class ArmJoints:
    """Parts of an arm, by index.

    Attributes:
        shoulder: The second where three or more joints are before the elbow, else the first.
        elbow: The one that is called so, else the one that shortens the arm.
        wrist: The last after the elbow and before the fingers, None where there is none.
        hand: The part that ends the arm.
    """

    shoulder: int
    elbow: int
    wrist: int | None
    hand: int


def leg_joints(skeleton: Skeleton, chain: tuple[int, ...]) -> LegJoints:
    """Splits a leg.

    Args:
        skeleton: The parts.
        chain: Parts of the leg from the hip outward, at least three.
    """
    middle = _bending(skeleton, chain, skeleton.parts[chain[-1]].origin)
    after = tuple(index for index in chain[middle + 1 :] if not _follows(skeleton, index, chain[middle]))
    if not after:
        return LegJoints(chain[0], chain[middle], None, chain[-1], ())
    ankle = skeleton.parts[after[0]].origin
    reach = skeleton.reaches[chain[0]]
    near = [index for index in after if np.linalg.norm(skeleton.parts[index].origin - ankle) <= _NEAR * reach]
    return LegJoints(chain[0], chain[middle], after[0], near[-1], after[after.index(near[-1]) + 1 :])


def arm_joints(skeleton: Skeleton, chain: tuple[int, ...], end: np.ndarray) -> ArmJoints:
    """Splits an arm.

    Args:
        skeleton: The parts.
        chain: Parts of the arm from the shoulder outward, at least two.
        end: Of the hand in the root's frame at rest [m], [3].
    """
    arm = without_fingers(skeleton, chain)
    last = skeleton.parts[arm[-1]].origin
    middle = _bending(skeleton, arm, last + _PALM * (end - last), _ELBOW)
    shoulder = arm[1] if middle >= 3 else arm[0]
    after = arm[middle + 1 :][:_MOST_WRIST_JOINTS]
    if not after:
        return ArmJoints(shoulder, arm[middle], None, arm[middle])
    return ArmJoints(shoulder, arm[middle], after[-1], after[-1])


def without_fingers(skeleton: Skeleton, chain: tuple[int, ...]) -> tuple[int, ...]:
    """An arm up to the part on which fingers hang: where it branches late, or where names say so."""
    origins = np.array([skeleton.parts[index].origin for index in chain])
    walked = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(origins, axis=0), axis=1))])
    for place, index in enumerate(chain[:-1]):
        joint = skeleton.parts[chain[place + 1]].joint
        named = joint is not None and bool(_FINGERS.search(joint.name))
        branches = len(skeleton.children[index]) > 1 and walked[place] > 0.5 * walked[-1]
        if place >= 1 and (branches or (named and walked[place] > 0.5 * walked[-1])):
            return chain[: place + 1]
    return chain


def _named(skeleton: Skeleton, chain: tuple[int, ...], word: re.Pattern[str] | None) -> tuple[int, ...]:
    """Those parts of a chain whose joints' names tell what they are; all where none does, the first never."""
    joints = [(index, skeleton.parts[index].joint) for index in chain[1:]]
    told = tuple(index for index, joint in joints if word is not None and joint is not None and word.search(joint.name))
    return told or chain[1:]


def _bending(skeleton: Skeleton, chain: tuple[int, ...], end: np.ndarray, word: re.Pattern[str] | None = None) -> int:
    """Which joint of a chain changes the distance of its two ends most in a full turn, by its place in the chain.

    Args:
        skeleton: The parts.
        chain: Of them.
        end: Of the chain in the root's frame at rest [m], [3].
        word: Joints whose names have it come first.
    """
    first = skeleton.parts[chain[0]].origin
    changes, candidates = [], _named(skeleton, chain, word)
    for index in candidates:
        part = skeleton.parts[index]
        turns = quaternions.quaternion_from_rotation_vector(_TURNS[:, None] * part.axis)
        ends = part.origin + quaternions.rotate(turns, end - part.origin)
        changes.append(float(np.ptp(np.linalg.norm(ends - first, axis=1))))
    best = candidates[int(np.argmax(changes))]
    leader = next((index for index in chain if _follows(skeleton, best, index)), best)
    return chain.index(leader)


def _follows(skeleton: Skeleton, index: int, leader: int) -> bool:
    """Whether a gear ties the joint of one part to that of another, as in a knee of two halves."""
    joint, other = skeleton.parts[index].joint, skeleton.parts[leader].joint
    return (
        joint is not None and other is not None and joint.coupling is not None and joint.coupling.leader == other.name
    )
