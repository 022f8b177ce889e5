"""Joint names as people say them: left_elbow_joint becomes left elbow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_APART = re.compile(r"[_\-\s.:/]+")
_SIDES = {"l": "left", "left": "left", "r": "right", "right": "right"}
_CORNERS = {
    "fl": "front left",
    "fr": "front right",
    "rl": "rear left",
    "rr": "rear right",
    "hl": "hind left",
    "hr": "hind right",
    "bl": "back left",
    "br": "back right",
    "lf": "left front",
    "rf": "right front",
    "lh": "left hind",
    "rh": "right hind",
}
_OF_LEGS = {"lf", "rf", "lh", "rh"}  # elsewhere they are fingers and hands
_HANDS = {"lh": "left hand", "rh": "right hand"}
_LEG_AXES = {"haa", "hfe", "kfe", "hip", "thigh", "calf", "knee", "shank", "foot", "hx", "hy", "kn", "leg"}
_ENDS = {"front", "rear", "hind", "back"}
_PARTS = {"arm", "leg", "hand", "foot", "hip", "knee", "ankle", "shoulder", "elbow", "wrist", "toe", "thumb"}
_CENTRAL = {"waist", "chest", "neck", "head", "torso", "trunk", "spine", "body", "pelvis", "back"}
_TURNS = {"r": "roll", "p": "pitch", "y": "yaw"}
_SHORT = {"sho": "shoulder", "ank": "ankle"}
_SHORT_AND_AXIS = re.compile(r"^(sh|el|uw|mw|lw|hp|kn|ak|bk)([xyz])$")
_SHORT_PARTS = {
    "sh": "shoulder",
    "el": "elbow",
    "uw": "upper wrist",
    "mw": "middle wrist",
    "lw": "lower wrist",
    "hp": "hip",
    "kn": "knee",
    "ak": "ankle",
    "bk": "back",
}
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
    "neck (second axis)". A letter at the end is an axis where the side is known: `L_SHOULDER_R` is
    "left shoulder roll".
    """
    return _said(name, frozenset())


def pretty_names(names: Iterable[str]) -> dict[str, str]:
    """Plain words for each name; names that would sound the same keep their exact spelling.

    Names of one robot explain one another: beside `WING_P` and `WING_Y`, `WING_R` is a roll.
    """
    known = list(names)
    letters: dict[str, set[str]] = {}
    for name in known:
        stem, letter = _stem(name)
        letters.setdefault(stem, set()).add(letter)
    words = {name: _said(name, frozenset(letters[_stem(name)[0]])) for name in known}
    count = Counter(words.values())
    return {name: word if count[word] == 1 else name for name, word in words.items()}


def _stem(name: str) -> tuple[str, str]:
    """A name without its last word, and that word, both small."""
    words = _words(name)
    return " ".join(words[:-1]).lower(), words[-1].lower() if words else ""


def _words(name: str) -> list[str]:
    """The words of a name, without a closing "joint"."""
    words = [word for part in _APART.split(name) for word in _CAMEL.split(part) if word]
    if len(words) > 1 and words[-1].lower() in ("joint", "jnt"):
        words.pop()
    return words


def _said(name: str, siblings: frozenset[str]) -> str:
    """Plain words for a name, among whose like these are the last words."""
    stem, dot, suffix = name.rpartition(".")
    if dot and stem and suffix in _AXES:
        return f"{_said(stem, frozenset())} ({_AXES[suffix]})"
    words = _words(name)
    turn = _turn(words, siblings)
    if turn:
        words.pop()
    side, words = _side(words)
    if len(words) > 1 and words[0].lower() == "joint" and words[1].isalpha() and len(words[1]) > 2:
        words.pop(0)
    # An abbreviation (HAA, IMU) stays in capitals; a name that shouts throughout does not.
    shouts = len(words) > 1 - bool(turn) and all(word.isupper() or word.isdigit() for word in words)
    said = [_spelled(word.lower() if shouts or not _is_short(word) else word) for word in words]
    if side and said and said[0] in _SIDES:
        side += ","  # of the left arm, the right one
    numbered = re.sub(r"\b(joint|motor)(\d+)$", r"\1 \2", " ".join(said))
    numbered = re.sub(r"\bback back\b", "back", numbered)  # back_bkz
    return " ".join(part for part in (side, numbered, turn) if part) or name


def _turn(words: list[str], siblings: frozenset[str]) -> str:
    """What a closing letter says about which way a joint turns; empty where it says something else."""
    if len(words) < 2 or words[-1].lower() not in _TURNS:
        return ""
    letter, others = words[-1].lower(), siblings & set("rpyxzl")
    if letter == "y" and (others & {"x", "z"} or (words[-1] == "y" and not others & {"r", "p"})):
        return ""  # the y axis
    if letter == "r":
        central = words[-2].lower() in _CENTRAL
        told = any(_side_of(word, first=index == 0) for index, word in enumerate(words[:-1])) or _glued(words[:1])[0]
        if "l" in others or not (central or told or others & {"p", "y"}):
            return ""  # the right one
    return _TURNS[letter]


def _side_of(word: str, *, first: bool) -> str:
    """The side that a word states, "" where it states none; a corner of a quadruped only as the first word."""
    small = word.lower()
    return _SIDES.get(small, "") or (_CORNERS.get(small, "") if first else "")


def _side(words: list[str]) -> tuple[str, list[str]]:
    """The side in words, and the other words; a second side stays where it is, written out."""
    if len(words) < 2:
        return _glued(words)
    rest, first = list(words), words[0].lower()
    leg = bool({word.lower() for word in rest} & _LEG_AXES)
    if first in _CORNERS and (leg or first not in _OF_LEGS):
        return _CORNERS[first], rest[1:]
    if first in _HANDS:
        return _HANDS[first], rest[1:]
    # at the front, then at the end, then written out or alone in between
    places = [0, len(words) - 1, *(n for n in range(1, len(words) - 1))]
    place = next((n for n in places if words[n].lower() in _SIDES), None)
    if place is None:
        side, glued = _glued(rest[:1])
        return (side, glued + rest[1:]) if side else ("", rest)
    side = _SIDES[rest.pop(place).lower()]
    if 0 < place <= len(rest) and rest[place - 1].lower() in _ENDS and len(rest) > 1:
        side = f"{rest.pop(place - 1).lower()} {side}"
    return side, [_SIDES.get(word.lower(), word) for word in rest]


def _glued(words: list[str]) -> tuple[str, list[str]]:
    """LLEG and RARM hold their side as their first letter."""
    if not words:
        return "", words
    small = words[0].lower()
    if small[:1] in ("l", "r") and re.sub(r"\d+$", "", small[1:]) in _PARTS:
        return _SIDES[small[0]], [words[0][1:], *words[1:]]
    return "", words


def _is_short(word: str) -> bool:
    """Whether a word in capitals is an abbreviation, not a word that is shouted."""
    word_like = word.isalpha() and len(word) > 3 and bool(set(word) & set("AEIOUY"))
    return word.isupper() and len(word) > 1 and not word_like and word.lower() not in _PARTS


def _spelled(word: str) -> str:
    """A short word written out: "shx" is "shoulder x"."""
    match = _SHORT_AND_AXIS.match(word)
    if match:
        return f"{_SHORT_PARTS[match[1]]} {match[2]}"
    return _SHORT.get(word, word)


def capitalized(sentence: str) -> str:
    """The sentence with a capital first letter; the others stay as they are."""
    return sentence[:1].upper() + sentence[1:]


def listed(words: Iterable[str]) -> str:
    """Joins words as in a sentence: "a", "a and b", "a, b and c"."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
