"""What the end-point is asked to face, and how one line of text says it."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from animato.errors import MotionError

Numbers = tuple[float, ...]

SHAPES = {"quaternion_wxyz": 4, "direction": 3, "point": 3}
"""The ways to say what to face, and how many numbers each has."""

_LARGEST = 1e100  # squares of what is below are finite
_EXTRAS = ("roll_rad", "time_s")
TARGET_WORDS = (*SHAPES, *_EXTRAS, "end_point")
"""What a line that says a target may say of it."""

_HOW = 'Write 3 numbers (a point [m]), 4 numbers (a quaternion wxyz), or JSON such as {"direction": [1, 0, 0]}.'


@dataclass(frozen=True)
class Target:
    """What to face; exactly one of orientation, direction and point.

    Attributes:
        quaternion_wxyz: Orientation of the end-point in the world; made unit length.
        direction: In the world, in which the end-point looks; made unit length.
        point: In the world [m], at which the end-point looks from wherever it is.
        roll_rad: With a direction or point: turn about it from upright. None where any roll will do.
        time_s: When it was said, or is to be played [s].
        end_point: What is to face it; the most important one where not given.
    """

    quaternion_wxyz: Numbers | None = None
    direction: Numbers | None = None
    point: Numbers | None = None
    roll_rad: float | None = None
    time_s: float | None = None
    end_point: str | None = None

    def __post_init__(self) -> None:
        given = [name for name in SHAPES if getattr(self, name) is not None]
        if len(given) != 1:
            raise MotionError(f"A target needs exactly one of {', '.join(SHAPES)}; given {', '.join(given) or 'none'}.")
        name = given[0]
        numbers = _numbers(getattr(self, name), SHAPES[name], f"The {name} of a target")
        if name != "point":
            length = math.hypot(*numbers)
            if not length > 1.0 / _LARGEST:
                raise MotionError(f"The {name} of a target must have a length; given {numbers}.")
            numbers = tuple(number / length for number in numbers)
        object.__setattr__(self, name, numbers)
        for extra in _EXTRAS:
            if getattr(self, extra) is not None:
                object.__setattr__(self, extra, _numbers([getattr(self, extra)], 1, f"{extra} of a target")[0])
        if self.end_point is not None and not isinstance(self.end_point, str):
            raise MotionError(f"The end_point of a target must be the name of one, not {self.end_point!r:.60}.")
        if name == "quaternion_wxyz" and self.roll_rad is not None:
            raise MotionError("A target with a quaternion has its roll in it; leave roll_rad out.")

    @property
    def any_roll(self) -> bool:
        """Whether a turn about the facing axis costs nothing."""
        return self.quaternion_wxyz is None and self.roll_rad is None


def as_target(values: Any) -> Target:
    """A target, or one made of 3 numbers (a point [m]) or 4 (wxyz)."""
    if isinstance(values, Target):
        return values
    numbers = _plain(values)
    if numbers is None:
        raise MotionError(f"A target must be numbers, not {values!r:.60}. {_HOW}")
    if len(numbers) == 3:
        return Target(point=tuple(numbers))
    if len(numbers) == 4:
        return Target(quaternion_wxyz=tuple(numbers))
    raise MotionError(f"A target is 3 or 4 numbers, not {len(numbers)}. {_HOW}")


def parse_target(line: str) -> Target:
    """The target that a line of text says.

    Args:
        line: A JSON object with one of `quaternion_wxyz`, `direction`, `point`, and perhaps `roll_rad`, `time_s` and
            `end_point`; or 3 numbers, a point in the world [m]; or 4 numbers, a quaternion wxyz.

    Raises:
        MotionError: The line says something else; the message says what it should.
    """
    said = object_of(line)
    if said is None:
        return as_target(_words(line.strip()))
    unknown = [name for name in said if name not in TARGET_WORDS]
    if unknown:
        raise MotionError(f"A target has no {unknown[0]!r:.40}; it has {', '.join(TARGET_WORDS)}.")
    return Target(**said)


def object_of(line: str) -> dict[str, Any] | None:
    """What a line of JSON says, by name; None where it is no JSON but bare numbers.

    Raises:
        MotionError: It begins like JSON and is none.
    """
    text = line.strip()
    if not text.startswith("{"):
        return None
    try:
        said: dict[str, Any] = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MotionError(f"A target must be whole JSON; {text[:60]!r} is not: {str(error)[:80]}. {_HOW}") from None
    return said


def _words(text: str) -> list[float]:
    """Numbers separated by blanks or commas."""
    words = text.replace(",", " ").split()
    try:
        return [float(word) for word in words]
    except ValueError:
        raise MotionError(f"A target must be numbers, not {text[:60]!r}. {_HOW}") from None


def _numbers(values: Any, count: int, what: str) -> Numbers:
    """Finite numbers, checked."""
    plain = _plain(values)
    if plain is None or len(plain) != count:
        raise MotionError(f"{what} must be {count} number{'s' if count > 1 else ''}, not {values!r:.60}.")
    try:
        numbers = tuple(float(value) for value in plain)
    except OverflowError:
        raise MotionError(f"{what} must be numbers, not {values!r:.60}.") from None
    if not all(abs(number) < _LARGEST for number in numbers):
        raise MotionError(f"{what} must be finite and below {_LARGEST:g}, not {numbers}.")
    return numbers


def _plain(values: Any) -> Sequence[Any] | None:
    """A row of numbers; None where it is something else, such as text, truths or rows of rows."""
    if hasattr(values, "__array__"):
        array = np.asarray(values)
        return array.tolist() if array.ndim == 1 and array.dtype.kind in "iuf" else None
    if not isinstance(values, Sequence) or isinstance(values, str | bytes | bytearray):
        return None
    sound = all(isinstance(value, Real) and not isinstance(value, bool) for value in values)
    return values if sound else None
