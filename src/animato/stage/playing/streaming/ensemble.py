"""All buses of a rig as one: positions go out to each, and what a bus refuses is kept, not raised."""

from __future__ import annotations

import contextlib
import math
from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from animato.stage.lines import Feedback, Line
from animato.stage.rig import Rig

_NEAR = 0.5  # of the time that a watchdog waits: it may have tripped by now


class Ensemble:
    """The lines of a rig, in the order of its buses.

    Lines that need positions ahead of their time set the pace: the others get the same positions later, so that all
    servos move together.

    Args:
        rig: Which coordinate hangs where.
        lines: One a bus of the rig, opened.
        rate_hz: How often `send` will be called; a bus with a lower rate of its own is told less often.

    Attributes:
        ahead_s: How far ahead of its time a position must be given to `send` [s].
        dead: Number of a bus that no longer works -> why.
        unsent: Writes that a bus did not take.
    """

    def __init__(self, rig: Rig, lines: Sequence[Line], rate_hz: float) -> None:
        if len(lines) != len(rig.buses):
            raise ValueError(f"{len(rig.buses)} buses need as many lines, not {len(lines)}")
        self.rig, self.lines = rig, tuple(lines)
        self._members = [np.array(one, dtype=np.intp) for one in rig.members]
        self._lowest = np.array([slot.lowest for slot in rig.slots])
        self._highest = np.array([slot.highest for slot in rig.slots])
        self._rate_hz = rate_hz
        self._arrange()
        self._every = [
            1 if bus.rate_hz is None else max(1, math.ceil(rate_hz / bus.rate_hz - 1e-9)) for bus in rig.buses
        ]
        self._last: list[np.ndarray | None] = [None] * len(lines)
        self._frame = 0
        self.dead: dict[int, str] = {}
        self.unsent = 0

    def _arrange(self) -> None:
        """How much later than the slowest line each one is told; only a line that is prepared knows how far ahead."""
        self.ahead_s = max((line.ahead_s for line in self.lines), default=0.0)
        self._delays = [round((self.ahead_s - line.ahead_s) * self._rate_hz) for line in self.lines]
        self._queue: deque[np.ndarray] = deque(maxlen=self.delay_frames + 1)

    @property
    def delay_frames(self) -> int:
        """Frames after which a position has reached the last bus."""
        return max(self._delays, default=0)

    def prepare(self) -> tuple[str, ...]:
        """Prepares every line; what the user should know."""
        notes = tuple(note for n, line in enumerate(self.lines) for note in line.prepare(self.rig.slots_of(n)))
        self._arrange()
        return notes

    def positions(self) -> np.ndarray:
        """Where all coordinates are [rad or m], shape [coordinate]; NaN where a servo cannot tell."""
        told = np.full(len(self.rig.slots), np.nan)
        for line, members in zip(self.lines, self._members, strict=True):
            told[members] = line.positions()
        return self.rig.read(told)

    def enable(self, values: np.ndarray) -> None:
        """Torque and watchdogs on, at a position [rad or m]; a line that refuses raises."""
        told = self.rig.told(values)
        self._lowest, self._highest = np.minimum(self._lowest, told), np.maximum(self._highest, told)
        self._queue.clear()
        for line, members in zip(self.lines, self._members, strict=True):
            line.enable(told[members])

    def revive(self, values: np.ndarray, quiet_s: float) -> None:
        """The same for lines whose watchdog may have stopped the servos after so long without a word; never raises."""
        told = self.rig.told(values)
        self._queue.clear()
        for n, line in enumerate(self.lines):
            if line.watchdog_s is not None and quiet_s > _NEAR * line.watchdog_s and n not in self.dead:
                self._tried(n, lambda line=line, n=n: line.enable(told[self._members[n]]))  # type: ignore[misc]

    def send(self, values: np.ndarray, at_s: float) -> np.ndarray:
        """Tells all servos where to be `ahead_s` from now; never raises.

        Args:
            values: [rad or m], shape [coordinate].
            at_s: When, on the clock of `time.monotonic`.

        Returns:
            What was told [counts or microseconds].
        """
        told = np.clip(self.rig.told(values), self._lowest, self._highest)
        self._queue.append(told)
        for n, line in enumerate(self.lines):
            if n in self.dead or self._frame % self._every[n]:
                continue
            late = self._queue[max(len(self._queue) - 1 - self._delays[n], 0)]
            when = at_s - self.ahead_s + line.ahead_s
            self._last[n] = late[self._members[n]]
            self._tried(n, lambda line=line, late=late, n=n, when=when: line.send(late[self._members[n]], when))  # type: ignore[misc]
        self._frame += 1
        return told

    def stands(self, values: np.ndarray) -> np.ndarray:
        """Where all coordinates were stopped by `hold` or `revive` [rad or m]; never raises.

        Args:
            values: Where they were last told to be [rad or m]; some of it was for later.
        """
        told = self.rig.told(values)
        for n, (line, members) in enumerate(zip(self.lines, self._members, strict=True)):
            last = self._last[n]
            if last is not None:
                told[members] = last
            if line.ahead_s > 0.0 and n not in self.dead:
                with contextlib.suppress(Exception):
                    at = line.positions()
                    told[members] = np.where(np.isnan(at), told[members], at)
        return self.rig.read(told)

    def poll(self, budget_s: float) -> list[tuple[int, tuple[Feedback, ...] | str]]:
        """What servos said, by the number of the bus; a sentence where the bus could not be asked."""
        heard: list[tuple[int, tuple[Feedback, ...] | str]] = []
        alive = [n for n in range(len(self.lines)) if n not in self.dead]
        for n in alive:
            try:
                heard.append((n, self.lines[n].poll(budget_s / len(alive))))
            except Exception as error:  # whatever it is, the loop goes on and the watch decides
                heard.append((n, str(error)))
        return heard

    def round_of(self, bus: int) -> int:
        """In how many polls a bus hears each of its servos once."""
        return int(getattr(self.lines[bus], "polls_a_round", 1))

    @property
    def lost(self) -> int:
        """Answers that lines lost and asked for again by themselves, since they were opened."""
        return sum(int(getattr(line, "lost", 0)) for line in self.lines)

    def hold(self) -> None:
        """Stops all servos where they are, with torque, as far as they listen."""
        self._all("hold")

    def release(self) -> None:
        """Torque off, as far as they listen."""
        self._all("release")

    def close(self) -> None:
        """Gives all ports back."""
        for line in self.lines:
            with contextlib.suppress(Exception):
                line.close()

    def _all(self, what: str) -> None:
        for n, line in enumerate(self.lines):
            if n not in self.dead:
                self._tried(n, getattr(line, what))

    def _tried(self, bus: int, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception as error:  # an unplugged cable raises what it likes
            self.unsent += 1
            self.dead.setdefault(bus, str(error))
