"""Numbers, lengths and lists of numbers as SVG writes them."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
SPACE = re.compile(r"[\s,]*")
LARGEST = 1e7
"""A drawing beyond 10 million px is damaged."""

_LENGTH = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-zA-Z]*|%)\s*", re.ASCII)
_PX = {
    "": 1.0,
    "px": 1.0,
    "in": 96.0,
    "cm": 96.0 / 2.54,
    "mm": 96.0 / 25.4,
    "q": 96.0 / 101.6,
    "pt": 96.0 / 72.0,
    "pc": 16.0,
    "em": 16.0,  # letters have the usual size of browsers
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
}


@dataclass(frozen=True)
class Viewport:
    """What percentages are of.

    Attributes:
        width, height: [user units].
    """

    width: float
    height: float

    @property
    def diagonal(self) -> float:
        """What a percentage of a radius is of: the root mean square of both."""
        return math.sqrt(0.5 * (self.width**2 + self.height**2))


def parse_number(text: str) -> float:
    """A number; 5000 digits of it as well.

    Raises:
        ValueError: It is none, or beyond all bounds.
    """
    value = float(text)
    if not abs(value) < 1e30:
        raise ValueError(f"the number {text[:20]} leaves all bounds")
    return value


def parse_length(text: str, whole: float) -> float:
    """A length in user units.

    Args:
        text: Such as "12", "3.5mm" or "50%".
        whole: What 100 % is [user units].

    Raises:
        ValueError: It is no length.
    """
    match = _LENGTH.fullmatch(text)
    if match is None or (match[2] != "%" and match[2].lower() not in _PX):
        raise ValueError(f"'{text[:40]}' is no length")
    scale = whole / 100.0 if match[2] == "%" else _PX[match[2].lower()]
    return scale * parse_number(match[1])


def parse_numbers(text: str) -> list[float]:
    """Numbers with spaces or commas between them.

    Raises:
        ValueError: Something else stands among them; it says at which character.
    """
    values, at = [], SPACE.match(text).end()  # type: ignore[union-attr]  # it matches nothing, too
    while at < len(text):
        match = NUMBER.match(text, at)
        if match is None:
            raise ValueError(f"a number is wanted at character {at + 1}, not '{text[at : at + 12]}'")
        values.append(parse_number(match[0]))
        at = SPACE.match(text, match.end()).end()  # type: ignore[union-attr]
    return values
