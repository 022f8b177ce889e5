"""What went wrong while servos moved, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """What kind of trouble it is."""

    LINE = "line"
    SILENT = "silent"
    HOT = "hot"
    CURRENT = "current"
    VOLTAGE = "voltage"
    BEHIND = "behind"
    SERVO = "servo"
    SOURCE = "source"
    LATE = "late"

    @property
    def can_move_on(self) -> bool:
        """Whether the robot may still be led to rest: all servos obey, they are only strained."""
        return self in (FaultKind.HOT, FaultKind.CURRENT, FaultKind.SOURCE, FaultKind.LATE)


@dataclass(frozen=True)
class Fault:
    """One trouble.

    Attributes:
        kind: What it is.
        when_s: Since the stream began [s].
        what: In a sentence, with the servo and the figure.
        servos: Coordinates that it is about; empty where it is about a bus or the computer.
        at_s: When it was noticed, on the clock of `time.monotonic` [s].
    """

    kind: FaultKind
    when_s: float
    what: str
    servos: tuple[str, ...] = ()
    at_s: float = 0.0

    def sentence(self, done: str = "") -> str:
        """What, when, and what was done."""
        return f"At {self.when_s:.2f} s: {self.what}{' ' + done if done else ''}"
