"""A bus without servos: all that would be said is kept, and ideal servos are where they are told to be."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.character import Bus
from animato.stage.lines.contract import Feedback, Found, Slot


class DryLine:
    """Follows every word of a performance without a port.

    Its servos are at once where they are told to be, and stand at the beginning where `start` says: at 0, or at the
    end of their range nearest to it, where not given.

    Args:
        bus: Which would have been opened.
        start: Where servos stand at the beginning [counts or microseconds], by id.

    Attributes:
        told: What each send said [counts or microseconds], and its time on the clock of `time.monotonic` [s].
        words: What else was said: "prepare", "enable", "hold", "release", "close".
    """

    watchdog_s: float | None = None
    patience_s = 0.0
    ahead_s = 0.0

    def __init__(self, bus: Bus, start: dict[int, float] | None = None) -> None:
        self.bus = bus
        self._start = start or {}
        self._slots: tuple[Slot, ...] = ()
        self._where = np.zeros(0)
        self.told: list[tuple[float, np.ndarray]] = []
        self.words: list[str] = []

    def find(self, ids: Sequence[int] | None = None) -> tuple[Found, ...]:
        """All that are asked for are there."""
        asked = [slot.wire.id for slot in self._slots] if ids is None else ids
        return tuple(Found(one, "dry", self._start.get(one)) for one in asked)

    def prepare(self, slots: Sequence[Slot]) -> tuple[str, ...]:
        """Takes the slots."""
        self._slots = tuple(slots)
        zero = [min(max(slot.scale.zero, slot.lowest), slot.highest) for slot in slots]
        self._where = np.array([self._start.get(slot.wire.id, at) for slot, at in zip(slots, zero, strict=True)])
        self.words.append("prepare")
        return (f"Bus '{self.bus.name}' is dry: nothing is opened and nothing moves.",)

    def positions(self) -> np.ndarray:
        """Where its servos are [counts or microseconds]."""
        return self._where.copy()

    def enable(self, told: np.ndarray) -> None:
        """Nothing has torque."""
        self._where = np.array(told, dtype=np.float64)
        self.words.append("enable")

    def send(self, told: np.ndarray, at_s: float) -> None:
        """Keeps what is said."""
        self._where = np.array(told, dtype=np.float64)
        self.told.append((at_s, self._where))

    def poll(self, budget_s: float) -> tuple[Feedback, ...]:
        """Where its servos are."""
        return tuple(
            Feedback(slot.wire.id, position=float(at)) for slot, at in zip(self._slots, self._where, strict=True)
        )

    def hold(self) -> None:
        """They stand."""
        self.words.append("hold")

    def release(self) -> None:
        """They stand."""
        self.words.append("release")

    def close(self) -> None:
        """There is no port."""
        if "close" not in self.words:
            self.words.append("close")
