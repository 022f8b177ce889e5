"""Where a stream's positions come from."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from animato.motion import Clip
from animato.stage.rig import Rig


class Source(Protocol):
    """Gives positions for a time; a stream asks once a frame, with times that rise by about a frame.

    It should answer within a millisecond or two. What it gives is never trusted: the guard behind it keeps range,
    speed and acceleration, and an exception or a number that is not finite ends in a soft stop.
    """

    def __call__(self, time_s: float) -> np.ndarray | None:
        """Where the coordinates should be [rad or m], shape [coordinate] of the rig; None when it has ended."""
        ...


class Path(Source, Protocol):
    """A source whose every moment is known: a soft stop then slows down along it instead of beside it."""

    is_path: bool


class ClipSource:
    """A clip as a source; coordinates that it does not name stay where they are.

    Args:
        clip: What is performed; time 0 is its first frame.
        rig: Whose coordinates are moved.
        stay: Where those stay that the clip does not name [rad or m], shape [coordinate].
        before: Time of the clip that is left out at its beginning [s].
    """

    is_path = True

    def __init__(self, clip: Clip, rig: Rig, stay: np.ndarray, before: float = 0.0) -> None:
        self._stay = np.array(stay, dtype=np.float64)
        self._columns = np.array([clip.names.index(name) for name in rig.names if name in clip.names], dtype=np.intp)
        self._places = np.array([n for n, name in enumerate(rig.names) if name in clip.names], dtype=np.intp)
        self._spline, self._start = clip.spline, float(clip.times[0]) + before
        self.duration_s = float(clip.times[-1]) - self._start
        self(0.0)  # what is compiled at the first use is compiled now

    def __call__(self, time_s: float) -> np.ndarray | None:
        """Where the coordinates are at a time; None after the last frame."""
        if time_s > self.duration_s + 1e-9:
            return None
        values = self._stay.copy()
        values[self._places] = self._spline(self._start + time_s)[0, self._columns]
        return values


class Still:
    """Stays where it is, for a time.

    Args:
        positions: Where [rad or m], shape [coordinate].
        seconds: How long; for ever where not given.
    """

    is_path = True

    def __init__(self, positions: np.ndarray, seconds: float = np.inf) -> None:
        self._positions, self._seconds = np.array(positions, dtype=np.float64), seconds

    def __call__(self, time_s: float) -> np.ndarray | None:
        """The same, until the time is over."""
        return self._positions if time_s <= self._seconds else None


_EASE_SPEED, _EASE_ACCELERATION = 1.875, 10.0 / np.sqrt(3.0)  # peaks of the minimum-jerk move by 1 in 1 s


class Move:
    """Straight from one pose to another: every coordinate along s(x) = 10 x^3 - 15 x^4 + 6 x^5, all in the same time.

    It takes as long as the slowest coordinate needs for `haste` of its speed and acceleration, and a second for a
    radian where nothing is stated, half a second at least.

    Args:
        rig: Whose coordinates are moved.
        start: From where [rad or m], shape [coordinate].
        goal: To where.
        haste: Share of the limits that is used, above 0 to 1.
        least_s: The shortest time [s].
    """

    is_path = True

    def __init__(
        self, rig: Rig, start: np.ndarray, goal: np.ndarray, *, haste: float = 0.5, least_s: float = 0.5
    ) -> None:
        self._start = np.array(start, dtype=np.float64)
        self._gap = np.clip(goal, rig.lower, rig.upper) - self._start
        size = np.abs(self._gap)
        by_speed = _EASE_SPEED * size / (haste * np.minimum(rig.speed, _EASE_SPEED / haste))
        by_acceleration = np.sqrt(_EASE_ACCELERATION * size / (haste * rig.acceleration))
        longest = float(np.max([by_speed, by_acceleration], initial=0.0))
        self.duration_s = max(longest, least_s if np.any(size > 1e-9) else 0.0)

    def __call__(self, time_s: float) -> np.ndarray | None:
        """Where it is at a time; None after its end."""
        if time_s > self.duration_s + 1e-9:
            return None
        x = 1.0 if self.duration_s == 0.0 else min(max(time_s / self.duration_s, 0.0), 1.0)
        return self._start + self._gap * (x * x * x * (10.0 - 15.0 * x + 6.0 * x * x))
