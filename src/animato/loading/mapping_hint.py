"""Which bones could move joints that none moves, told by words that their names share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SIDES = {"l": "left", "left": "left", "r": "right", "right": "right"}
_SAYS_NOTHING = {"joint", "link", "bone", "jnt", "motor"}
_EXAMPLES = 4


def mapping_hint(joints: Sequence[str], bones: Sequence[str], matched: Iterable[str]) -> tuple[str, ...]:
    """A sentence where most joints follow no bone: what names there are, and which might belong together.

    Args:
        joints: All that a clip may move, nearest to the root first.
        bones: Of the capture, nearest to the root first.
        matched: Joints that follow a bone.
    """
    followed = set(matched)
    if 2 * len(followed) >= len(joints):
        return ()
    pairs: dict[tuple[str, frozenset[str]], str] = {}
    for joint in joints:
        side, words = _side_and_words(joint)
        like = [bone for bone in bones if _alike((side, words), _side_and_words(bone))]
        if joint not in followed and like:
            pairs.setdefault((side, words), f"{joint}: {like[0]}")
    examples = "; ".join(list(pairs.values())[:_EXAMPLES])
    might = f", such as {examples}" if examples else ""
    few = ", ".join(bones[:_EXAMPLES]) + (", ..." if len(bones) > _EXAMPLES else "")
    return (
        f"only {len(followed)} of {len(joints)} joints found a bone by its name. The file's bones are {few}; `mapping` "
        f"says which bone a joint follows{might}",
    )


def _side_and_words(name: str) -> tuple[str, frozenset[str]]:
    words = [word.lower() for word in _WORD.findall(name)]
    side = next((_SIDES[word] for word in words if word in _SIDES), "")
    return side, frozenset(word for word in words if word not in _SIDES and word not in _SAYS_NOTHING)


def _alike(one: tuple[str, frozenset[str]], other: tuple[str, frozenset[str]]) -> bool:
    return one[0] == other[0] and bool(one[1] & other[1])
