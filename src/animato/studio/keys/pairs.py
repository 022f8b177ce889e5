"""Names of what is left and right."""

from __future__ import annotations

import re
from collections.abc import Collection

# Front and hind legs have two letters in many robots, the side first or second.
_LETTERS = {"l": "r", "fl": "fr", "hl": "hr", "rl": "rr", "bl": "br", "lf": "rf", "lh": "rh", "lb": "rb"}
_OTHER = {**_LETTERS, **{right: left for left, right in _LETTERS.items()}}
_WORD = re.compile(r"left|right", re.IGNORECASE)
_TOKEN = re.compile(
    r"(?<![A-Za-z0-9])(?:" + "|".join(sorted(_OTHER, key=len, reverse=True)) + r")(?![A-Za-z])", re.IGNORECASE
)
_CAMEL = re.compile(r"^[LR](?=[A-Z])|(?<=[a-z0-9])[LR](?![a-zA-Z])")


def other_side(name: str, names: Collection[str]) -> str | None:
    """What stands on the other side, such as "left_elbow" for "right_elbow"; None where there is nothing.

    Args:
        name: Of a joint.
        names: All of them.
    """
    for pattern in (_WORD, _TOKEN, _CAMEL):
        other = pattern.sub(lambda found: _swapped(found.group()), name)
        if other != name and other in names:
            return other
    return None


def is_left(name: str) -> bool:
    """Whether a name that has another side is the left one."""
    for pattern in (_WORD, _TOKEN, _CAMEL):
        found = pattern.search(name)
        if found:
            word = found.group().lower()
            return word == "left" if pattern is _WORD else word in _LETTERS
    return False


def _swapped(word: str) -> str:
    """The word of the other side, in the same capitals."""
    lower = word.lower()
    other = {"left": "right", "right": "left"}.get(lower) or _OTHER[lower]
    if word.isupper():
        return other.upper()
    return other.capitalize() if word[:1].isupper() else other
