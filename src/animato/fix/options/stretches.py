"""Words for parts of a clip that count more, or that stay as they are: "1.2-1.6x5", "left_elbow:1.2-1.6"."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from animato.errors import OptionError

_NUMBER = r"(?:\d+\.?\d*|\.\d+)"
_STRETCH = re.compile(rf"({_NUMBER})\s*-\s*({_NUMBER})")
_WEIGHT = re.compile(rf"(?P<stretch>.*?)\s*x\s*(?P<weight>{_NUMBER})")


@dataclass(frozen=True)
class Accent:
    """A part of the clip, or of what is seen, that counts more or less.

    Attributes:
        weight: Times the usual one.
        start_s, end_s: Of the clip's time [s]; all of it where not given.
        name: Of a point or a coordinate; everything where not given.
    """

    weight: float
    start_s: float = -math.inf
    end_s: float = math.inf
    name: str | None = None


@dataclass(frozen=True)
class Protection:
    """What stays as the artist has it.

    Attributes:
        start_s, end_s: Of the clip's time [s]; all of it where not given.
        name: Of a joint, a coordinate, a point or a body with a sole; the whole pose where not given.
    """

    start_s: float = -math.inf
    end_s: float = math.inf
    name: str | None = None


def parsed_accents(words: Sequence[str]) -> tuple[Accent, ...]:
    """Accents such as "1.2-1.6x5", "left_hand x3" or "left_hand:1.2-1.6x5".

    Raises:
        OptionError: A word is none of these.
    """
    return tuple(_accent(word) for word in words)


def parsed_protections(words: Sequence[str]) -> tuple[Protection, ...]:
    """Protections such as "1.2-1.6", "head_pan" or "left_foot:1.2-1.6".

    Raises:
        OptionError: A word is none of these.
    """
    return tuple(_protection(word) for word in words)


def _accent(word: str) -> Accent:
    found = _WEIGHT.fullmatch(word.strip())
    if found is None:
        raise OptionError(
            f"An accent is a stretch of time in seconds and a weight, such as '1.2-1.6x5', with a name before it for "
            f"one point or coordinate, such as 'left_hand:1.2-1.6x5' or 'left_hand x3'; given {word!r}."
        )
    weight = float(found["weight"])
    if not 0.0 < weight <= 1e4:
        raise OptionError(f"The weight of an accent is above 0 and at most 10000; given {word!r}.")
    name, start, end = _named_stretch(found["stretch"], "accents")
    return Accent(weight, start, end, name)


def _protection(word: str) -> Protection:
    name, start, end = _named_stretch(word, "protect")
    return Protection(start, end, name)


def _named_stretch(word: str, option: str) -> tuple[str | None, float, float]:
    """Name and stretch of "NAME", "1.2-1.6" or "NAME:1.2-1.6"."""
    text = word.strip()
    name, _, rest = text.rpartition(":")
    stretch = _STRETCH.fullmatch((rest if name else text).strip())
    if stretch is None:
        if name or not text or re.match(r"[\d.\-]", text):
            raise OptionError(
                f"`{option}` takes a stretch of time in seconds such as '1.2-1.6', a name, or both as in "
                f"'left_elbow:1.2-1.6'; given {word!r}."
            )
        return text, -math.inf, math.inf
    start, end = float(stretch[1]), float(stretch[2])
    if end <= start:
        raise OptionError(f"A stretch of time ends after it begins; given {word!r} in `{option}`.")
    return name.strip() or None, start, end
