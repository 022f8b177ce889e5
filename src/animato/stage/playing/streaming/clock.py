"""When frames are due."""

from __future__ import annotations

import time
from typing import NamedTuple

_ON_TIME_S = 5e-4  # a frame less late than this stands for the moment at which it was due
_AHEAD_S = 3e-4  # a frame takes about so long from here to the wire, where it is due


class Tick(NamedTuple):
    """One frame that is due now.

    Attributes:
        time_s: The moment that it stands for, since the start [s]: when it was due, or now where that is over.
        late_s: How late it is [s].
        missed: Frames before it that were left out.
        due_s: When it was due, on the clock of `time.monotonic` [s].
    """

    time_s: float
    late_s: float
    missed: int
    due_s: float


class Clock:
    """Gives frames at fixed moments of `time.monotonic`.

    A frame that comes late stands for the moment at which it comes, and frames that were missed stay missed: motion is
    never hurried to make up for lost time. It sleeps and does not spin: the machine wakes a sleeper within 0.1 ms.

    Args:
        rate_hz: Frames a second.
    """

    def __init__(self, rate_hz: float) -> None:
        self.period_s = 1.0 / rate_hz
        self.start_s = 0.0
        self._frame = -1

    def start(self) -> None:
        """The first frame is due now."""
        self.start_s, self._frame = time.monotonic(), -1

    def wait(self) -> Tick:
        """Comes back a moment before the next frame is due on the wire."""
        due = self.start_s + (self._frame + 1) * self.period_s
        now = time.monotonic()
        if now < due - _AHEAD_S:
            time.sleep(due - _AHEAD_S - now)
            now = time.monotonic()
        frame = max(self._frame + 1, int((now - self.start_s) / self.period_s + 0.5))  # the next is half a frame away
        missed, self._frame = frame - self._frame - 1, frame
        late = now - due
        time_s = due - self.start_s if late < _ON_TIME_S else now - self.start_s
        return Tick(time_s, max(late, 0.0), missed, self.start_s + frame * self.period_s)

    def left_s(self) -> float:
        """Time until the next frame is due [s]; below 0 where that is over."""
        return self.start_s + (self._frame + 1) * self.period_s - time.monotonic()
