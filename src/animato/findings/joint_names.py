"""Joint names as people say them: left_elbow_joint becomes left elbow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SIDES = {"l": "left", "left": "left", "r": "right", "right": "right"}
_CORNERS = {"FL": "front left", "FR": "front right", "RL": "rear left", "RR": "rear right"}
_AXES = {
    "first": "first axis",
    "second": "second axis",
    "slide": "slide",
    "turn": "turn",
    "x": "x",
    "y": "y",
    "z": "z",
}


def pretty_name(name: str) -> str:
    """The name of a joint or of one of its axes, in plain words.

    Underscores and capitals become spaces, a closing "joint" goes, a side goes to the front and is
    written out: `LElbowYaw` is "left elbow yaw", `knee_r` is "right knee", `neck.second` is
    "neck (second axis)".
    """
    stem, dot, suffix = name.rpartition(".")
    if dot and stem and suffix in _AXES:
        return f"{pretty_name(stem)} ({_AXES[suffix]})"
    words = [word for part in re.split(r"[_\-\s.:/]+", name) for word in _CAMEL.split(part) if word]
    if len(words) > 1 and words[-1].lower() in ("joint", "jnt"):
        words.pop()
    if len(words) > 1 and words[-1].lower() in _SIDES:
        words.insert(0, words.pop())
    side = ""
    if len(words) > 1 and words[0].lower() in _SIDES:
        side = _SIDES[words.pop(0).lower()]
    elif len(words) > 1 and words[0] in _CORNERS:
        side = _CORNERS[words.pop(0)]
    # An abbreviation (HAA, IMU) stays in capitals; a name that shouts throughout does not.
    shouts = len(words) > 1 and all(word.isupper() for word in words)
    said = [word if word.isupper() and len(word) > 1 and not shouts else word.lower() for word in words]
    numbered = re.sub(r"\bjoint(\d+)$", r"joint \1", " ".join(said))
    return f"{side} {numbered}".strip() or name


def pretty_names(names: Iterable[str]) -> dict[str, str]:
    """Plain words for each name; names that would sound the same keep their exact spelling."""
    words = {name: pretty_name(name) for name in names}
    count = Counter(words.values())
    return {name: word if count[word] == 1 else name for name, word in words.items()}


def capitalized(sentence: str) -> str:
    """The sentence with a capital first letter; the others stay as they are."""
    return sentence[:1].upper() + sentence[1:]


def listed(words: Iterable[str]) -> str:
    """Joins words as in a sentence: "a", "a and b", "a, b and c"."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
