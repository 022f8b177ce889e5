"""What is held at each moment: from one posture or clip to the next without a jump of place or speed.

When another posture comes, what the old one still is away from it, d, is kept and made to go away (inertialization,
Bollo, High-Performance Animation in Gears of War 4, 2017): the layer gives new(t) + d(t), with the cubic

    d(t) = d0 (1 + 2s)(1 - s)^2 + v0 T s (1 - s)^2,   s = (t - t0) / T

which begins with the place d0 and the speed v0 that there were and ends at rest. Nothing of the old one is remembered
but d0 and v0, so postures may come at any rate. A posture that comes with T = 0, as each frame of a stream does, takes
the place of the one before and leaves a blend that is under way as it is.
"""

from __future__ import annotations

import threading

import numpy as np

from animato.express.postures.played_clip import PlayedClip

BLEND_S = 0.3
"""Time in which a posture becomes another one, unless told otherwise [s]."""

_Destination = np.ndarray | PlayedClip


class PostureLayer:
    """Gives the posture of each frame.

    Args:
        destination: What is held at first: positions of all coordinates [rad or m], [m], or a clip.
        rate_hz: Of the frames.
    """

    def __init__(self, destination: _Destination, rate_hz: float) -> None:
        self._period = 1.0 / rate_hz
        self._lock = threading.Lock()
        self._asked: tuple[_Destination, float] | None = None
        self._destination = destination
        self._lap = 0
        self._began, self._length = 0.0, 0.0
        self._last = _at(destination, 0.0)
        self._speed = np.zeros(len(self._last))
        self._d0 = self._v0 = np.zeros(len(self._last))

    @property
    def destination(self) -> _Destination:
        """What is held, or is on its way to be."""
        asked = self._asked
        return self._destination if asked is None else asked[0]

    @property
    def moves(self) -> bool:
        """Whether what was given last differed from what was given before it."""
        return bool(self._speed.any()) or self._asked is not None

    def hold(self, destination: _Destination, blend_s: float = BLEND_S) -> None:
        """Holds something else from the next frame on; any thread may call it, and the newest counts.

        Args:
            destination: As for the constructor.
            blend_s: Time in which it is reached; at 0 at once, or as soon as a blend that is under way [s].
        """
        with self._lock:
            waiting = 0.0 if self._asked is None else self._asked[1]
            self._asked = destination, blend_s if blend_s > 0.0 else waiting

    def at(self, time_s: float) -> np.ndarray:
        """Positions of all coordinates for the next frame, which is at a time [s]; [rad or m], [m]."""
        with self._lock:
            asked, self._asked = self._asked, None
        blend_s = 0.0
        if asked is not None:
            self._destination, blend_s = asked
            self._lap = _lap(self._destination, time_s)
        lap = _lap(self._destination, time_s)
        if lap != self._lap:  # the last frame of a clip need not be its first
            self._lap, blend_s = lap, BLEND_S
        here = _at(self._destination, time_s)
        if blend_s > 0.0:
            self._began, self._length = time_s, blend_s
            self._d0 = self._last + self._speed * self._period - here
            self._v0 = self._speed - _velocity(self._destination, time_s)
        here += self._left(time_s)
        self._speed = (here - self._last) / self._period
        self._last = here
        return here.copy()

    def _left(self, time_s: float) -> np.ndarray | float:
        """What is left of what was held before [rad or m], [m]."""
        if not self._length > 0.0:
            return 0.0
        share = (time_s - self._began) / self._length
        if share >= 1.0:
            self._length = 0.0
            return 0.0
        rest = (1.0 - share) ** 2
        return self._d0 * ((1.0 + 2.0 * share) * rest) + self._v0 * (self._length * share * rest)


def _at(destination: _Destination, time_s: float) -> np.ndarray:
    """An own array of positions, [m]."""
    return destination.copy() if isinstance(destination, np.ndarray) else destination.at(time_s)


def _velocity(destination: _Destination, time_s: float) -> np.ndarray | float:
    return 0.0 if isinstance(destination, np.ndarray) else destination.velocity(time_s)


def _lap(destination: _Destination, time_s: float) -> int:
    return 0 if isinstance(destination, np.ndarray) else destination.lap(time_s)
