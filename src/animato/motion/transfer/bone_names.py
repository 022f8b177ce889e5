"""Which bone of a skeleton moves which joint of a robot, told by their names.

Names are compared without case, separators and the words "joint" and "link". Where that finds
nothing, limbs are recognized: "mixamorig:LeftUpLeg", "thigh.L" and "lfemur" all turn what
"left_hip_pitch_joint" and "L_HIP_P" turn.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SIDES = {"l": "left", "left": "left", "lft": "left", "r": "right", "right": "right", "rgt": "right"}
_NO_PART = {
    "joint",
    "link",
    "jnt",
    "bone",
    "mixamorig",
    "bip",
    "biped",
    "valve",
    "armature",
    "def",
    "org",
    "motor",
    "servo",
}
_FINGERS = {
    "finger",
    "fingers",
    "thumb",
    "index",
    "middle",
    "ring",
    "pinky",
    "little",
    "palm",
    "gripper",
    "grasp",
    "hand",
}
_NO_PERSON = {"wheel", "caster", "front", "hind", "rear"}  # wheels, and legs of what has four

BONE_WORDS: dict[str, tuple[str, ...]] = {
    "hip": ("upleg", "upperleg", "thigh", "femur", "hip"),
    "knee": ("lowerleg", "lowleg", "shin", "calf", "tibia", "knee", "leg"),
    "ankle": ("foot", "ankle"),
    "toe": ("toebase", "toe", "toes", "ball"),
    "shoulder": ("upperarm", "uparm", "humerus", "arm", "shoulder"),
    "elbow": ("forearm", "lowerarm", "lowarm", "radius", "elbow"),
    "wrist": ("hand", "wrist"),
    "torso": (
        "upperchest",
        "chest",
        "thorax",
        "torso",
        "trunk",
        "spine3",
        "spine2",
        "spine1",
        "spine",
        "waist",
        "back",
    ),
    "neck": ("neck1", "neck", "upperneck", "lowerneck"),
    "head": ("head", "skull"),
}
"""How skeletons call the bone that turns about each place, the surest word first."""

_JOINT_WORDS: dict[str, tuple[str, ...]] = {
    "wrist": ("wrist",),
    "elbow": ("elbow", "forearm", "lowerarm"),
    "shoulder": ("shoulder", "upperarm"),
    "toe": ("toe", "toes"),
    "ankle": ("ankle", "foot"),
    "knee": ("knee", "shin", "calf", "lowerleg"),
    "hip": ("hip", "thigh", "upperleg", "upleg"),
    "head": ("head",),
    "neck": ("neck",),
    "torso": ("waist", "torso", "chest", "trunk", "spine", "thorax", "abdomen", "back"),
}
CENTRAL = ("torso", "neck", "head")
_PARTS = {word for words in BONE_WORDS.values() for word in words}


@dataclass(frozen=True)
class BodyPart:
    """A place of a body: a role of `BONE_WORDS`, and "left", "right" or "" for what is in the middle."""

    role: str
    side: str


def plain_name(name: str) -> str:
    """A name without case, separators, name space and words that say nothing; equal ones mean the same."""
    tokens = [token.lower() for token in _TOKEN.findall(name.rpartition(":")[2])]
    return "".join(token for token in tokens if token not in ("joint", "link")) or name.lower()


def side_and_words(name: str) -> tuple[str, list[str]]:
    """The side a name tells ("left", "right" or "") and its other words in lower case."""
    tokens = [token.lower() for token in _TOKEN.findall(name.rpartition(":")[2])]
    side = next((token for token in tokens if token in ("left", "right")), "")  # "shoulder_r_left" rolls on the left
    words: list[str] = []
    for token in tokens:
        if token == side:
            continue
        if not side and token in _SIDES:
            side = _SIDES[token]
        elif not side and token[:1] in "lr" and token[1:] in _PARTS:
            side = _SIDES[token[0]]
            words.append(token[1:])
        elif token not in _NO_PART and not re.fullmatch(r"0\d*", token):
            words.append(token)
    return side, words


def is_finger(name: str) -> bool:
    """Whether a joint belongs to what grasps; what turns a whole hand ("gripper_yaw") does not."""
    words = set(side_and_words(name)[1])
    found = _FINGERS & words
    return bool(found) and not (found <= {"hand", "gripper"} and words & {"yaw", "pitch", "roll"})


def part_of_joint(name: str) -> BodyPart | None:
    """The place a robot's joint is at, where its name tells."""
    if is_finger(name):
        return None
    side, words = side_and_words(name)
    if _NO_PERSON & set(words):
        return None
    known = set(words) | {first + second for first, second in itertools.pairwise(words)}
    for role, spellings in _JOINT_WORDS.items():
        if known & set(spellings) and (role in CENTRAL or side):
            return BodyPart(role, "" if role in CENTRAL else side)
    return None


def bones_of_parts(names: Sequence[str], parents: Sequence[int]) -> dict[BodyPart, int]:
    """The bone that turns each place of the body, where names tell."""
    found: dict[BodyPart, tuple[int, int]] = {}
    for bone, name in enumerate(names):
        side, words = side_and_words(name)
        part_name = "".join(words)
        for role, spellings in BONE_WORDS.items():
            if part_name not in spellings or (role in CENTRAL) == bool(side):
                continue
            part, rank = BodyPart(role, side), spellings.index(part_name)
            if part not in found or rank < found[part][0]:
                found[part] = (rank, bone)
    parts = {part: bone for part, (_, bone) in found.items()}
    # Skeletons number the bones of a spine in many ways, but the arms hang on the one that is the chest.
    chest = _common_ancestor(parts, "shoulder", parents)
    if chest is not None and chest != _common_ancestor(parts, "hip", parents) and parents[chest] >= 0:
        parts[BodyPart("torso", "")] = chest
    return parts


def pelvis_of(parts: dict[BodyPart, int], parents: Sequence[int]) -> int | None:
    """The bone on which both legs hang, or None where there are no two legs."""
    return _common_ancestor(parts, "hip", parents)


def _common_ancestor(parts: dict[BodyPart, int], role: str, parents: Sequence[int]) -> int | None:
    left, right = parts.get(BodyPart(role, "left")), parts.get(BodyPart(role, "right"))
    if left is None or right is None:
        return None
    above: set[int] = set()
    here = parents[left]
    while here >= 0:
        above.add(here)
        here = parents[here]
    here = parents[right]
    while here >= 0 and here not in above:
        here = parents[here]
    return here if here >= 0 else None
