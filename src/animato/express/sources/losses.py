"""What was lost on the way in or out: a loop never waits, so it must be able to do without."""

from __future__ import annotations

import threading
from typing import Protocol


class Losses:
    """Counts what was lost and remembers the first reason; any thread may add.

    Attributes:
        count: How many.
        first: Why the first one was lost, in a sentence.
    """

    def __init__(self) -> None:
        self.count = 0
        self.first = ""
        self._lock = threading.Lock()

    def add(self, why: str, count: int = 1) -> None:
        """Counts some more, all for one reason."""
        with self._lock:
            self.first = self.first or why
            self.count += count


class Losing(Protocol):
    """A source or a sink that rather loses something than waits."""

    @property
    def losses(self) -> Losses:
        """What it lost so far."""
