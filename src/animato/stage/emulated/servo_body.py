"""The shaft of an emulated servo: goes to its goal by its own clock and keeps a record."""

from __future__ import annotations

import math

_STEP_S = 0.001
_QUIET_S = 0.05
"""A shaft that stands still is recorded this often."""

_MOST_ENTRIES = 400_000
"""Of a record, which then loses its older half: some ten minutes of motion."""


class ServoBody:
    """A shaft that turns towards its goal, no faster than it is allowed to and no faster than it can.

    Attributes:
        position: Where it is [counts].
        goal: Where it should be.
        speed: How fast it turns at this moment, with its sign [counts/s].
        torque: Whether it is driven.
        speed_limit: The fastest that it may turn [counts/s]; None is as fast as it can.
        acceleration: How quickly it may change its speed [counts/s^2]; None is at once.
        blocked: Whether something holds the shaft.
        temperature: [degrees Celsius].
        strain: What it draws beside what its motion costs [A].
        record: (time [s, of time.monotonic], position, goal), whenever one of them changed.
    """

    def __init__(self, position: float = 2048.0, top_speed: float = 6000.0) -> None:
        self.position = self.goal = float(position)
        self.speed = 0.0
        self.torque = False
        self.speed_limit: float | None = None
        self.acceleration: float | None = None
        self.blocked = False
        self.temperature = 34.0
        self.strain = 0.0
        self.record: list[tuple[float, float, float]] = []
        self._top_speed = top_speed
        self._time: float | None = None

    def tell(self, goal: float, now: float) -> None:
        """Sets the goal; what happened until `now` happened with the old one."""
        self.advance(now)
        self.goal = goal
        self._note(now)

    def advance(self, now: float) -> None:
        """Moves the shaft until `now` [s]."""
        before = self._time
        if before is None or now <= before:
            self._time = now if before is None else before
            self._note(now)
            return
        self._time = now
        span = now - before
        if not self.torque or self.blocked:
            self.speed = 0.0
        elif self.acceleration is None:
            self._glide(span)
        else:
            steps = max(1, math.ceil(span / _STEP_S))
            for _ in range(steps):
                self._accelerate(span / steps)
        self._note(now)

    def push(self, counts: float, now: float) -> None:
        """Something turns the shaft by so many counts and holds it there."""
        self.advance(now)
        self.position += counts
        self.blocked = True
        self._note(now)

    @property
    def current(self) -> float:
        """What it draws [A]: little at rest, more in motion, much when it is held away from its goal."""
        if not self.torque:
            return 0.0
        held = min(1.5, 0.005 * abs(self.goal - self.position)) if self.blocked else 0.0
        return 0.02 + 5e-5 * abs(self.speed) + held + self.strain

    def _most(self) -> float:
        return self._top_speed if self.speed_limit is None else min(self.speed_limit, self._top_speed)

    def _glide(self, span: float) -> None:
        away = self.goal - self.position
        reach = self._most() * span
        moved = math.copysign(min(abs(away), reach), away)
        self.position += moved
        self.speed = moved / span

    def _accelerate(self, span: float) -> None:
        assert self.acceleration is not None
        away = self.goal - self.position
        brake = math.sqrt(2.0 * self.acceleration * abs(away))  # the speed from which it still stops at the goal
        wanted = math.copysign(min(self._most(), brake, abs(away) / span), away)
        change = self.acceleration * span
        self.speed += max(-change, min(change, wanted - self.speed))
        self.position += self.speed * span

    def _note(self, now: float) -> None:
        entry = (now, self.position, self.goal)
        if self.record and self.record[-1][1:] == entry[1:] and now - self.record[-1][0] < _QUIET_S:
            return
        self.record.append(entry)
        if len(self.record) > _MOST_ENTRIES:
            del self.record[: _MOST_ENTRIES // 2]
