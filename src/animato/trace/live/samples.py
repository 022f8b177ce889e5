"""Samples of a stroke as lines of text, one each, for programs that send what a hand draws."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

from animato.errors import MotionError

_SPACE, _FLAT = ("x", "y", "z"), ("u", "v")
_WORDS = (*_SPACE, *_FLAT, "t", "pressure", "pen", "end")
_HELP = (
    'A sample is a line such as {"x": 0.5, "y": 0, "z": 0.6} [m], or {"u": 0.1, "v": 0.2} on a plane, where wanted '
    'with "t" [s], "pen" ("up" or "down") or "pressure" (0 is up); {"end": true} ends the drawing.'
)


@dataclass(frozen=True)
class LiveSample:
    """What a line says.

    Attributes:
        place: (x, y, z) in the world or (u, v) on the plane [m]; None where the line says no place.
        time_s: When it was drawn, on the sender's clock [s]; None where it does not say.
        down: Whether the pen draws; None where it does not say, and it then stays as it was.
        end: Whether the drawing ends here.
    """

    place: tuple[float, ...] | None
    time_s: float | None = None
    down: bool | None = None
    end: bool = False


def parse_sample(line: str) -> LiveSample:
    """Reads a line.

    Raises:
        MotionError: It is no sample; the message says how one looks.
    """
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        raise MotionError(f"{line!r:.60} is no JSON. {_HELP}") from None
    if not isinstance(said, dict):
        raise MotionError(f"{line!r:.60} is not an object. {_HELP}")
    strange = [word for word in said if word not in _WORDS]
    if strange:
        raise MotionError(f"{strange[0]!r:.40} says nothing about a sample. {_HELP}")
    time_s = None if "t" not in said else _number(said, "t")
    return LiveSample(_place(said), time_s, _pen(said), said.get("end") is True)


def _place(said: dict[str, object]) -> tuple[float, ...] | None:
    named = [names for names in (_SPACE, _FLAT) if any(name in said for name in names)]
    if not named:
        if said.get("end") is True or "pen" in said:
            return None
        raise MotionError(f"A sample without a place. {_HELP}")
    if len(named) > 1:
        raise MotionError(f"A sample is either in space or on the plane, not both. {_HELP}")
    return tuple(_number(said, name) for name in named[0])


def _pen(said: dict[str, object]) -> bool | None:
    if "pen" in said:
        if said["pen"] not in ("up", "down"):
            raise MotionError(f"`pen` is up or down, not {said['pen']!r:.40}.")
        return said["pen"] == "down"
    return _number(said, "pressure") > 0.0 if "pressure" in said else None


def _number(said: dict[str, object], name: str) -> float:
    value = said.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise MotionError(f"`{name}` must be a number, not {value!r:.40}. {_HELP}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise MotionError(f"`{name}` must be a finite number, not {value!r:.40}.")
    return number
