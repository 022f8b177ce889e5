"""Limits that differ by direction, or with the pose: what a word such as "elbow torque -30 55 at 0.5" says."""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from animato.errors import OptionError

KINDS = ("velocity", "acceleration", "torque")
_FORM = re.compile(r"\s*(\S.*?)\s+(velocity|acceleration|torque)\s+(\S+)\s+(\S+)(?:\s+at\s+(\S+))?\s*")
_ALLOWED = (
    'Say the joint, the kind, the lower and the upper limit, such as "elbow acceleration -10 20"; of a torque also the '
    'position where that is so, such as "elbow torque -30 55 at 0.5", and straight lines are taken between several'
)


class Bound(NamedTuple):
    """What a joint may do downward and upward.

    Attributes:
        joint: Its name.
        kind: One of KINDS.
        lower: Below 0, or minus infinity [SI].
        upper: Above 0, or infinity [SI].
        at: Position of the joint at which this holds [rad or m]; None where it holds everywhere.
    """

    joint: str
    kind: str
    lower: float
    upper: float
    at: float | None = None


def parsed_bound(word: str) -> Bound:
    """Reads one bound.

    Raises:
        OptionError: It is not in the form, or its numbers leave no room to rest.
    """
    match = _FORM.fullmatch(word) if isinstance(word, str) and len(word) < 500 else None
    if match is None:
        raise OptionError(f"`bounds` cannot be read: {str(word)[:80]!r}. {_ALLOWED}.")
    joint, kind, *numbers = match.groups()
    try:
        lower, upper = float(numbers[0]), float(numbers[1])
        at = None if numbers[2] is None else float(numbers[2])
    except ValueError:
        raise OptionError(f"`bounds` has something that is no number: {word!r}. {_ALLOWED}.") from None
    if not lower < 0.0 < upper:
        raise OptionError(f"A bound has a lower limit below 0 and an upper one above; given {word!r}.")
    if at is not None and (kind != "torque" or not math.isfinite(at)):
        raise OptionError(f"Only limits of torque can go with a finite position; given {word!r}.")
    if at is not None and not (math.isfinite(lower) and math.isfinite(upper)):
        raise OptionError(f"Limits that go with a position are finite; given {word!r}.")
    return Bound(joint, kind, lower, upper, at)


def parsed_bounds(words: tuple[str, ...]) -> tuple[Bound, ...]:
    """Reads all, in the order given."""
    return tuple(parsed_bound(word) for word in words)
