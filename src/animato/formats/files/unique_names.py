"""Names for bodies and joints that a file does not name itself."""

from __future__ import annotations

from collections.abc import Iterable


class UniqueNames:
    """Gives names that nobody else has."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def new(self, wish: str) -> str:
        """The wish itself, or with underscores behind it where it is taken."""
        while wish in self._taken:
            wish += "_"
        self._taken.add(wish)
        return wish
