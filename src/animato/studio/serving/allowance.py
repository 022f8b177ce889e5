"""How much a page may send: a bucket that fills with time and is emptied by messages."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """How much of something may come.

    Attributes:
        per_s: For as long as one likes [1/s].
        burst: At once, after a rest.
    """

    per_s: float
    burst: float


MESSAGES = Rate(per_s=1_000.0, burst=3_000.0)
"""A hand that draws makes some 240 a second."""
BYTES = Rate(per_s=4e6, burst=24e6)
"""The longest stroke is some 100 kB."""


class Allowance:
    """What a page may still send."""

    def __init__(
        self, messages: Rate = MESSAGES, size: Rate = BYTES, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begins with a full bucket.

        Args:
            messages: How many.
            size: How many bytes.
            clock: [s].
        """
        self._rates, self._clock = (messages, size), clock
        self._left = [messages.burst, size.burst]
        self._seen = clock()

    def takes(self, size: int) -> bool:
        """Counts a message of some bytes; whether it was still allowed."""
        now = self._clock()
        passed, self._seen = now - self._seen, now
        for n, (rate, cost) in enumerate(zip(self._rates, (1, size), strict=True)):
            self._left[n] = min(self._left[n] + passed * rate.per_s, rate.burst) - cost
        return min(self._left) >= 0.0
