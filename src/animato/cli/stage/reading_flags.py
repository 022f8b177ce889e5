"""How to read a motion, for commands that also say how to write one: what both have is said with `read` before it."""

from __future__ import annotations

from typing import Any, TypedDict, get_type_hints

from animato.cli.line import flags, unset
from animato.formats import ClipReading, MotionReading

_BOTH = ("rate_hz", "joint_order")
_PREFIX = "read_"


def _renamed() -> Any:
    """The keywords of reading, those in question by another name, with their sentences."""
    hints = {_PREFIX + key if key in _BOTH else key: kind for key, kind in get_type_hints(ClipReading).items()}
    made: Any = TypedDict("FileReading", hints, total=False)  # type: ignore[misc]
    words = [one.__doc__ or "" for one in (ClipReading, MotionReading)]
    for key in _BOTH:
        words = [one.replace(f"        {key}:", f"        {_PREFIX}{key}:") for one in words]
    made.__doc__ = words[0]
    return flags(made, type(MotionReading.__name__, (), {"__doc__": words[1]}), mapping="JOINT BONE", skeleton="FILE")


FileReading: Any = _renamed()
FILE_AS_STATED = unset(FileReading)
"""Take files at their word."""


def as_read(sentence: str) -> str:
    """A sentence about reading with its options as these commands call them."""
    for key in _BOTH:
        sentence = sentence.replace(f"`{key}`", f"`{_PREFIX}{key}`")
    return sentence


def stated(reading: Any) -> dict[str, Any]:
    """What was said, by the names that readers know."""
    return {key.removeprefix(_PREFIX): value for key, value in reading.stated().items()}
