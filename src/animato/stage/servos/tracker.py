"""Follows a shaft that is turned by hand, over the place where its counts fall back to 0."""

from __future__ import annotations

from collections.abc import Callable

from animato.character import COUNTS_PER_TURN


class Tracker:
    """Counts on over turns: between two looks the shaft turns by less than half of one.

    Args:
        look: Where the servo says that it is [counts].

    Attributes:
        at: Where it was at the last look, counted on [counts].
    """

    def __init__(self, look: Callable[[], float]) -> None:
        self._look = look
        self.at = look()

    def read(self) -> float:
        """Where it is now, counted on [counts]."""
        seen = self._look()
        half = COUNTS_PER_TURN / 2.0
        self.at += (seen - self.at + half) % COUNTS_PER_TURN - half
        return self.at
