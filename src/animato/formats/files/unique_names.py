"""Names for bodies and joints that a file does not name itself."""

from __future__ import annotations

from collections.abc import Iterable

_MOST_UNDERSCORES = 3


class UniqueNames:
    """Gives names that nobody else has."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._given: dict[str, int] = {}

    def new(self, wish: str) -> str:
        """The wish itself, or with underscores behind it where it is taken; a number where many have the same wish."""
        name, count = wish, self._given.get(wish, 0)
        while name in self._taken:
            count += 1
            name = wish + "_" * count if count <= _MOST_UNDERSCORES else f"{wish}_{count}"
        self._given[wish] = count
        self._taken.add(name)
        return name
