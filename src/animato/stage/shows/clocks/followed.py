"""A clock outside of the program, as far as it is heard."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

_SMOOTHING = 0.1  # share of a new reading: jitter of a few milliseconds is a tenth of it
_LEAP_S = 0.1  # a reading that is farther off is a jump, no jitter


class Reading(NamedTuple):
    """What a clock says.

    Attributes:
        at_s: Its time [s].
        running: Whether it goes on.
        lost: Whether nothing was heard of it for a while; its time is then as if it had gone on.
    """

    at_s: float
    running: bool
    lost: bool = False


class ShowClock(Protocol):
    """A clock that leads a show."""

    is_led: bool
    """Whether it goes where the show tells it, as the player of a sound does."""

    def read(self) -> Reading | None:
        """Its time now; None where it was never heard."""
        ...

    def play(self, at_s: float) -> None:
        """Goes on from a time [s], where it is led."""
        ...

    def halt(self) -> None:
        """Stands still, where it is led."""
        ...


class FollowedClock:
    """Times that are heard now and then, as a clock that can be read at any moment.

    Between readings it goes on at the speed of the computer's own clock. With o the clock's lead before the computer's,
    a reading E heard at t moves it by a tenth: o <- o + 0.1 (E - t - o); one that is 0.1 s off or more is a jump and
    counts at once.

    Args:
        lost_s: Silence after which it counts as lost [s].
        now: The computer's own clock [s].
    """

    is_led = False

    def __init__(self, lost_s: float = 0.5, now: Callable[[], float] = time.monotonic) -> None:
        self._lost_s, self._now = lost_s, now
        self._lead_s: float | None = None
        self._heard_s, self._stands = 0.0, False
        self._lock = threading.Lock()

    def hear(self, at_s: float, *, running: bool = True) -> None:
        """Takes a reading that was just heard.

        Args:
            at_s: The clock's time [s].
            running: Whether it goes on from there.
        """
        with self._lock:
            now = self._now()
            lead = at_s - now
            if self._lead_s is not None and running and not self._stands and abs(lead - self._lead_s) < _LEAP_S:
                lead = self._lead_s + _SMOOTHING * (lead - self._lead_s)
            self._lead_s = lead
            self._heard_s, self._stands = now, not running

    def read(self) -> Reading | None:
        """Its time now; None where it was never heard."""
        with self._lock:
            if self._lead_s is None:
                return None
            now = self._now()
            if self._stands:
                return Reading(self._heard_s + self._lead_s, running=False)
            return Reading(now + self._lead_s, running=True, lost=now - self._heard_s > self._lost_s)

    def play(self, at_s: float) -> None:
        """It goes as it likes."""

    def halt(self) -> None:
        """It goes as it likes."""
