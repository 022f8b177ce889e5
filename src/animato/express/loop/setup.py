"""Checks of what a loop is built from."""

from __future__ import annotations

import math

from animato.character import Character
from animato.errors import CharacterError, OptionError


def check_numbers(rate_hz: float, solve_every: int, roll_tolerance: float | None) -> None:
    """Raises where an option is out of its range; the filter checks its own."""
    if not (isinstance(rate_hz, int | float) and math.isfinite(rate_hz) and rate_hz > 0.0):
        raise OptionError(f"The rate of the commands must be a finite number of Hz greater than 0, not {rate_hz!r}.")
    if not (isinstance(solve_every, int) and solve_every >= 1):
        raise OptionError(f"solve_every must be a whole number of frames, 1 or more, not {solve_every!r}.")
    if roll_tolerance is not None and not 0.0 <= roll_tolerance <= math.pi + 1e-12:
        raise OptionError(f"The roll tolerance must be 0 (exact) to pi rad (free), not {roll_tolerance}.")


def facing_end_point(character: Character, name: str | None) -> str:
    """The end-point that faces; the only one where none is named."""
    names = [one.name for one in character.end_points]
    if name is None and len(names) != 1:
        many = f"has the end-points {', '.join(names)}; say which one" if names else "has no end-point that could face"
        raise CharacterError(f"'{character.name}' {many}.")
    return character.end_point(names[0] if name is None else name).name
