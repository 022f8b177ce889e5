"""Which bone begins at which landmark, told by names.

A bone is called after the segment that begins at its joint ("LeftUpLeg", "thigh.L", "lfemur", "Bip01 L Thigh") or
after the joint itself ("left_hip"); both turn about the same place.
"""

from __future__ import annotations

import itertools

from animato.mimic.person.bone_chains import BoneTree
from animato.mimic.person.person import SIDES
from animato.motion.transfer import BONE_WORDS, side_and_words

LEG = ("hip", "knee", "ankle")
ARM = ("shoulder", "elbow", "wrist")

_WORDS: dict[str, tuple[str, ...]] = {
    **BONE_WORDS,
    "hip": (*BONE_WORDS["hip"], "thighbend"),
    "knee": (*BONE_WORDS["knee"], "lowerlimb"),
    "shoulder": ("shldr", "shldrbend", *BONE_WORDS["shoulder"]),
    "elbow": (*BONE_WORDS["elbow"], "forearmbend", "ulna"),
    "heel": ("heel", "calcaneus", "heelbase"),
}
_NEAREST = ("ankle", "wrist")  # of these the first bone of the limb counts: SMPL has ankle and foot, ASF wrist and hand
_SAYS_NOTHING = {"j", "jt", "c", "b", "m", "sk", "rig", "character", "ref", "skeleton"}


def limbs_by_name(tree: BoneTree, limb: tuple[str, str, str]) -> dict[str, int]:
    """The bones of both arms or legs, or nothing where names do not tell all of them.

    Args:
        tree: The skeleton.
        limb: `LEG` or `ARM`.

    Returns:
        Landmarks such as "left_hip", with their bones.
    """
    result: dict[str, int] = {}
    for side in SIDES:
        chain: list[int] = []
        for place in limb:
            candidates = [
                bone for bone in bones_called(tree, place, side) if not chain or chain[-1] in tree.above(bone)
            ]
            if not candidates:
                return {}
            chain.append(min(candidates) if place in _NEAREST else candidates[0])
        result.update({f"{side}_{place}": bone for place, bone in zip(limb, chain, strict=True)})
    return result


def bones_called(tree: BoneTree, place: str, side: str) -> list[int]:
    """Bones whose names say a place and a side ("" for the middle), the surest first."""
    ranked: list[tuple[int, int]] = []
    for bone, name in enumerate(tree.names):
        known = _name_parts(name, side)
        ranks = [rank for rank, word in enumerate(_WORDS[place]) if word in known]
        if ranks:
            ranked.append((ranks[0], bone))
    return [bone for _, bone in sorted(ranked)]


def _name_parts(name: str, side: str) -> set[str]:
    """What a name says of its place: its words as one, with and without a number or a tag around them."""
    told, words = side_and_words(name)
    if told != side:
        return set()
    words = list(itertools.dropwhile(_SAYS_NOTHING.__contains__, words))
    spellings = {"".join(words)}
    if len(words) > 1 and words[-1].isdigit():
        spellings.add("".join(words[:-1]))
    if len(words) > 1 and words[0].isdigit():
        spellings.add("".join(words[1:]))
    return spellings - {""}
