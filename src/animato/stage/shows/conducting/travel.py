"""Where on a path a show is, and at which rate it goes on."""

from __future__ import annotations

import numpy as np

from animato.stage.shows.score import Passage

_GENTLE = 0.05  # change of the rate a second while a clock is followed


class Travel:
    """A way along a passage.

    Args:
        passage: The path.
        stop_s: In which the rate changes by 1, where the limits allow [s].
        at_s: Where on it to begin [s].

    Attributes:
        at_s: Where on it the show is [s].
        rate: Seconds of the path a second.
    """

    def __init__(self, passage: Passage, stop_s: float, at_s: float = 0.0) -> None:
        self._passage, self._stop_s = passage, stop_s
        self.at_s, self.rate = at_s, 0.0
        self._goal: float | None = None
        self._slope = 0.0

    @property
    def position(self) -> np.ndarray:
        """Where the coordinates are [rad or m]."""
        return self._passage(self.at_s)

    @property
    def is_at_end(self) -> bool:
        """Whether the path is over."""
        return self.at_s >= self._passage.duration_s - 1e-9

    def go(self, step_s: float, goal: float, *, gentle: bool) -> None:
        """Goes on for a time.

        Args:
            step_s: [s].
            goal: The rate that is wanted.
            gentle: Whether the rate changes slowly, as it does to follow a clock.
        """
        if gentle:
            self._slope, self._goal = _GENTLE, None
        elif goal != self._goal:
            self._slope = abs(goal - self.rate) / self._passage.ramp_s(self.at_s, self.rate, goal, self._stop_s)
            self._goal = goal
        before = self.rate
        change = self._slope * step_s
        self.rate = before + min(max(goal - before, -change), change)
        self.at_s = min(self.at_s + step_s * 0.5 * (before + self.rate), self._passage.duration_s)
