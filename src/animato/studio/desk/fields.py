"""What a page sent, read field by field: nothing of it is trusted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from animato.errors import OptionError, unknown_name

_LONGEST_TEXT = 10_000
_MOST_NUMBERS = 200_000
_LARGEST = 1e9
"""Of any number: what is larger is no length, angle or time of a robot, and its square is none of a computer."""


class Fields:
    """The fields of a message; a wrong one is an `OptionError` that says which."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        """Of a message."""
        self._values = values

    def has(self, name: str) -> bool:
        """Whether it was given, and not null."""
        return self._values.get(name) is not None

    def raw(self, name: str) -> Any:
        """As it came."""
        return self._values.get(name)

    def text(self, name: str, default: str | None = None) -> str:
        """A text of any kind."""
        value = self._given(name, default)
        if not isinstance(value, str) or len(value) > _LONGEST_TEXT:
            raise OptionError(f"`{name}` is a text; given {value!r:.60}.")
        return value

    def choice(self, name: str, allowed: Sequence[str], default: str | None = None) -> str:
        """One of some words."""
        value = self.text(name, default)
        if value not in allowed:
            raise unknown_name(name, value, allowed, "the studio")
        return value

    def flag(self, name: str, default: bool | None = None) -> bool:
        """True or false."""
        value = self._given(name, default)
        if not isinstance(value, bool):
            raise OptionError(f"`{name}` is true or false; given {value!r:.60}.")
        return value

    def number(
        self, name: str, default: float | None = None, *, least: float = -math.inf, most: float = math.inf
    ) -> float:
        """A finite number within bounds."""
        value = self._given(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not -_LARGEST <= value <= _LARGEST:
            raise OptionError(f"`{name}` is a number; given {value!r:.60}.")
        if not least <= value <= most:
            raise OptionError(f"`{name}` is from {least:g} to {most:g}; given {value:g}.")
        return float(value)

    def whole(self, name: str, default: int | None = None, *, least: int = 0, most: int = 1_000_000) -> int:
        """A whole number within bounds."""
        value = self.number(name, default, least=least, most=most)
        if value != int(value):
            raise OptionError(f"`{name}` is a whole number; given {value:g}.")
        return int(value)

    def numbers(self, name: str, shape: tuple[int | None, ...]) -> np.ndarray:
        """An array of finite numbers; None in the shape is any count."""
        value = self._given(name, None)
        try:
            array = np.array(value, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            array = np.full((1,) * 9, np.nan)
        wanted = " x ".join("any" if count is None else str(count) for count in shape)
        fits = array.ndim == len(shape) and all(
            count is None or count == given for count, given in zip(shape, array.shape, strict=True)
        )
        if not fits or array.size > _MOST_NUMBERS or not (np.abs(array) <= _LARGEST).all():
            raise OptionError(f"`{name}` is numbers, {wanted}; given {value!r:.60}.")
        return array

    def fields(self, name: str) -> Fields:
        """Fields inside a field."""
        value = self._given(name, None)
        if not isinstance(value, Mapping):
            raise OptionError(f"`{name}` is a set of fields; given {value!r:.60}.")
        return Fields(value)

    def all_fields(self, name: str) -> list[Fields]:
        """A list of sets of fields."""
        value = self._given(name, None)
        if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
            raise OptionError(f"`{name}` is a list of sets of fields; given {value!r:.60}.")
        return [Fields(one) for one in value]

    def _given(self, name: str, default: Any) -> Any:
        value = self._values.get(name)
        if value is None:
            if default is None:
                raise OptionError(f"`{name}` is missing.")
            return default
        return value
