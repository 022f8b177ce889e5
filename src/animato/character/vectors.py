"""Small immutable vectors: the numbers a character is made of, comparable and hashable."""

from __future__ import annotations

import math
from collections.abc import Iterable

from animato.errors import CharacterError

Vector = tuple[float, ...]
Vector3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

ZERO: Vector3 = (0.0, 0.0, 0.0)
X_AXIS: Vector3 = (1.0, 0.0, 0.0)
Y_AXIS: Vector3 = (0.0, 1.0, 0.0)
Z_AXIS: Vector3 = (0.0, 0.0, 1.0)
IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)
AXES: dict[str, Vector3] = {
    "x": X_AXIS,
    "y": Y_AXIS,
    "z": Z_AXIS,
    "-x": (-1.0, 0.0, 0.0),
    "-y": (0.0, -1.0, 0.0),
    "-z": (0.0, 0.0, -1.0),
}
"""Directions that have a word."""


def finite_vector(values: Iterable[float], length: int, what: str) -> Vector:
    """Checks that values are as many finite numbers as asked for.

    Args:
        values: Anything that can be iterated, arrays included.
        length: How many numbers there must be.
        what: Names the vector in the error ("The centre of body 'arm'").

    Returns:
        The values as a tuple of Python floats.
    """
    try:
        numbers = tuple(float(value) for value in values)
    except (TypeError, ValueError):
        raise CharacterError(f"{what} must be {length} numbers, not {values!r}.") from None
    if len(numbers) != length:
        raise CharacterError(f"{what} must be {length} numbers, not {len(numbers)}: {numbers}.")
    if not all(math.isfinite(number) for number in numbers):
        raise CharacterError(f"{what} must be finite numbers, not {numbers}.")
    return numbers


def unit_vector(values: Iterable[float], length: int, what: str) -> Vector:
    """Checks that values form a direction; normalizes it unless it already is of length one."""
    numbers = finite_vector(values, length, what)
    norm = math.sqrt(sum(number * number for number in numbers))
    if norm < 1e-9:
        raise CharacterError(f"{what} must not be zero, it is a direction; given {numbers}.")
    # What is already a unit vector to rounding is left alone, so that files survive bit for bit.
    return numbers if abs(norm - 1.0) < 1e-12 else tuple(number / norm for number in numbers)
