"""The time that a loop lives by."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time and waits; tests bring their own."""

    def now(self) -> float:
        """Seconds since some moment; never goes back."""

    def wait_until(self, moment: float) -> None:
        """Comes back at a moment, or at once where it is over."""


class RealClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Seconds since some moment."""
        return time.perf_counter()

    def wait_until(self, moment: float) -> None:
        """Sleeps; the machine decides how exactly."""
        left = moment - time.perf_counter()
        if left > 0.0:
            time.sleep(left)
