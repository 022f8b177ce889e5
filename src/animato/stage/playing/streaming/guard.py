"""The last line of defence: what any source asks for becomes what the limits allow.

With p and v where a coordinate was told to be and how fast it got there, w and w' what is wanted now and before, dt the
time since the last frame, and b(d) the fastest step from which a coordinate with acceleration a stops at the distance
d when it slows down by a dt each frame, n of them,

    b(d) = d/(n dt) + a dt (n - 1)/2,  n = ceil(sqrt(1/4 + 2 d/(a dt^2)) - 1/2),

what is told is

    u = (w - w')/dt + sign(w' - p) min(|w' - p|/dt, b(|w' - p|))    follow, and catch up without overshoot
    u <- u within -b(p - lower) ... b(upper - p)                     stop before the ends of the range
    u <- u within v -+ a (dt + dt')/2                                acceleration; dt' is the step before
    u <- u within -speed ... speed
    p <- p + u dt within lower ... upper

A motion that keeps the limits comes out as it went in: then u is its own mean speed over the frame.
"""

from __future__ import annotations

import numpy as np

from animato.stage.rig import Rig

_ROOM = 1e-9  # [rad or m]: differences below this are rounding
_EAGER = 1.0 + 1e-3  # a check allows so much; what passed it must pass here


class Guard:
    """Keeps range, speed and acceleration of every coordinate, whatever is asked for.

    Args:
        rig: Whose limits are kept.

    Attributes:
        position: Where all coordinates were told to be [rad or m], shape [coordinate].
        velocity: How fast they went there [rad/s or m/s].
        held_back: Frames in which a servo was told otherwise than was asked for, by half a count or more.
    """

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._speed, self._acceleration = rig.speed * _EAGER, rig.acceleration * _EAGER
        self._count = 0.5 / np.abs(rig.per_unit)
        self.held_back = 0
        self.begin(np.clip(np.zeros(len(rig.names)), rig.lower, rig.upper))

    def begin(self, position: np.ndarray) -> None:
        """At rest at a position, which may be outside of the range: it then only comes back in."""
        self.position = np.array(position, dtype=np.float64)
        self.velocity = np.zeros_like(self.position)
        self._wanted = self.position.copy()
        self._before_s: float | None = None

    def step(self, wanted: np.ndarray, dt_s: float) -> np.ndarray:
        """What is told instead of what is wanted.

        Args:
            wanted: [rad or m], finite, shape [coordinate].
            dt_s: Time since the step before [s], above 0.

        Returns:
            [rad or m], shape [coordinate]; a new array.
        """
        lower, upper = self._rig.lower, self._rig.upper
        inside = np.clip(wanted, lower, upper)
        lag = self._wanted - self.position
        speed = (inside - self._wanted) / dt_s
        np.clip(speed, -self._speed, self._speed, out=speed)
        speed += np.sign(lag) * np.minimum(np.abs(lag) / dt_s, self._braking(np.abs(lag), dt_s))
        room = self._braking(np.maximum(upper - self.position, 0.0), dt_s)
        np.minimum(speed, room, out=speed)
        room = self._braking(np.maximum(self.position - lower, 0.0), dt_s)
        np.maximum(speed, -room, out=speed)
        change = self._acceleration * 0.5 * (dt_s + (dt_s if self._before_s is None else self._before_s))
        np.clip(speed, self.velocity - change, self.velocity + change, out=speed)
        np.clip(speed, -self._speed, self._speed, out=speed)
        position = self.position + speed * dt_s
        outside = (self.position < lower) | (self.position > upper)  # it stood there at the beginning
        position = np.where(outside, position, np.clip(position, lower, upper))
        self.velocity = (position - self.position) / dt_s
        if np.any(np.abs(position - wanted) > np.maximum(self._count, _ROOM)):
            self.held_back += 1
        self.position, self._wanted, self._before_s = position, inside, dt_s
        return position.copy()

    def _braking(self, distance: np.ndarray, dt_s: float) -> np.ndarray:
        """b(d) of the module: the fastest step [rad/s] from which it still stops within a distance."""
        limited = np.isfinite(self._acceleration)
        change = np.where(limited, self._acceleration, 1.0) * dt_s
        frames = np.maximum(np.ceil(np.sqrt(0.25 + 2.0 * distance / (change * dt_s)) - 0.5 - 1e-9), 1.0)
        return np.where(limited, distance / (frames * dt_s) + 0.5 * change * (frames - 1.0), distance / dt_s)
