"""Numbers as people read them: degrees, millimetres, percent."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Unit:
    """A unit to show numbers in.

    Attributes:
        symbol: "deg/s".
        factor: How many of it are one SI unit.
    """

    symbol: str
    factor: float


_NUMBER_AND_UNIT = re.compile(r"(?<=\d) (?=(?:s|%|g|N|m|mm|deg|rad|degrees?)\b|%)|(?<=\bN) (?=m\b)|(?<=frame) (?=\d)")
_DEGREES = 180.0 / math.pi
_ANGULAR = {
    "position": Unit("deg", _DEGREES),
    "velocity": Unit("deg/s", _DEGREES),
    "acceleration": Unit("deg/s²", _DEGREES),
    "jerk": Unit("deg/s³", _DEGREES),
    "torque": Unit("N m", 1.0),
}
_LINEAR = {
    "position": Unit("mm", 1000.0),
    "velocity": Unit("mm/s", 1000.0),
    "acceleration": Unit("mm/s²", 1000.0),
    "jerk": Unit("mm/s³", 1000.0),
    "torque": Unit("N", 1.0),
}
_SI_ANGULAR = {"position": "rad", "velocity": "rad/s", "acceleration": "rad/s²", "jerk": "rad/s³", "torque": "N m"}
_SI_LINEAR = {"position": "m", "velocity": "m/s", "acceleration": "m/s²", "jerk": "m/s³", "torque": "N"}


def human_unit(kind: str, *, angular: bool) -> Unit:
    """The unit in which an animator reads a kind of value: degrees on turning axes, millimetres on sliding ones."""
    return (_ANGULAR if angular else _LINEAR)[kind]


def si_symbol(kind: str, *, angular: bool) -> str:
    """The SI unit of a kind of value."""
    return (_SI_ANGULAR if angular else _SI_LINEAR)[kind]


def rounded(value: float, digits: int = 3) -> str:
    """A number with that many significant digits, never in powers of ten unless it is tiny."""
    if not math.isfinite(value):
        return "∞" if value > 0.0 else "-∞" if value < 0.0 else "?"
    if value == 0.0:
        return "0"
    size = math.floor(math.log10(abs(value)))
    text = f"{round(value, digits - 1 - size):.{max(0, digits - 1 - size)}f}" if size >= -4 else f"{value:.{digits}g}"
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def in_human_unit(value: float, kind: str, *, angular: bool) -> str:
    """A value [SI] with its unit for people: "660 deg/s"."""
    unit = human_unit(kind, angular=angular)
    return f"{rounded(value * unit.factor)} {unit.symbol}"


def in_si(value: float, kind: str, *, angular: bool) -> str:
    """A value with its SI unit: "11.5 rad/s"."""
    return f"{rounded(value)} {si_symbol(kind, angular=angular)}"


def percent(share: float) -> str:
    """A share as percent; the digits never hide on which side of 100 % it is."""
    if math.isnan(share):
        return "-"
    if share >= 10.0:
        return "> 999 %"
    for digits in (0, 1, 2):
        text = f"{100.0 * share:.{digits}f}"
        if float(text) != 100.0 or share == 1.0:
            return f"{text} %"
    return "100 %"


def unbroken(sentence: str) -> str:
    """A sentence in which no line ends between a number and its unit, for pages."""
    return _NUMBER_AND_UNIT.sub("\N{NO-BREAK SPACE}", sentence)


def seconds(time: float) -> str:
    """A time with two decimals: "2.31 s"."""
    return f"{time:.2f} s"
