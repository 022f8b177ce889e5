"""What every bus of servos can do, whatever is spoken on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from animato.character import Bus, Scale, Wire
from animato.errors import AnimatoError


class LineError(AnimatoError):
    """The bus or a servo on it does not answer, or not as it should; the message says which and what to do."""


@dataclass(frozen=True)
class Slot:
    """One servo of a performance.

    Attributes:
        wire: Which servo moves which coordinate.
        scale: How the coordinate becomes what the servo is told.
        speed: The fastest that it may be told to move [counts or microseconds a second]; None is open.
        lowest: The least it is ever told: the servo's own range and the joint's limits [counts or microseconds].
        highest: And the most.
    """

    wire: Wire
    scale: Scale
    speed: float | None
    lowest: float
    highest: float


@dataclass(frozen=True)
class Found:
    """A servo that answered.

    Attributes:
        id: Of the servo.
        model: Its name where it is known, or its number.
        position: [counts], None where it cannot tell.
        notes: What a user should know: firmware, mode, an offset, a shutdown bit that is off.
        temperature: [degrees Celsius], None where it cannot tell.
    """

    id: int
    model: str
    position: float | None = None
    notes: tuple[str, ...] = ()
    temperature: float | None = None


@dataclass(frozen=True)
class Feedback:
    """What one servo says of itself; None where it cannot or did not yet.

    Attributes:
        id: Of the servo.
        position: [counts or microseconds].
        current: [A], without its sign.
        temperature: [degrees Celsius].
        voltage: [V].
        fault: What it reports about itself, in words; empty when all is well.
    """

    id: int
    position: float | None = None
    current: float | None = None
    temperature: float | None = None
    voltage: float | None = None
    fault: str = ""


class Line(Protocol):
    """A bus that was opened. Calls come from one thread, in the order: prepare, positions, enable, send ..., release.

    Nothing here blocks for longer than `patience_s`, whatever the other side does: a full buffer, a missing answer or
    an unplugged cable is a `LineError`. Arrays are in the order of the slots given to `prepare`.

    Attributes:
        bus: What was opened.
        watchdog_s: After how long without a word the servos stop by themselves [s]; None where they have no such
            watchdog and stand still because each is told only where to be next.
        patience_s: The longest that a call takes [s].
        ahead_s: How far ahead of its time a position must be sent [s]; 0 for buses that act at once.
    """

    bus: Bus
    watchdog_s: float | None
    patience_s: float
    ahead_s: float

    def find(self, ids: Sequence[int] | None = None) -> tuple[Found, ...]:
        """Which servos answer, among these ids or among all."""
        ...

    def prepare(self, slots: Sequence[Slot]) -> tuple[str, ...]:
        """Checks that each servo is there, is of the right kind and direction, and sets its limits; moves nothing.

        Returns:
            What the user should know, in sentences.

        Raises:
            LineError: A servo does not answer or is not as the map says.
        """
        ...

    def positions(self) -> np.ndarray:
        """Where all servos are [counts or microseconds], shape [slot]; NaN where a servo cannot tell."""
        ...

    def enable(self, told: np.ndarray) -> None:
        """Sets goals to where the servos are, then torque on and the watchdog on; they hold."""
        ...

    def send(self, told: np.ndarray, at_s: float) -> None:
        """Tells all servos where to be.

        Args:
            told: [counts or microseconds], not rounded, inside each slot's range, shape [slot].
            at_s: When, on the clock of `time.monotonic`; buses that act at once ignore it.
        """
        ...

    def poll(self, budget_s: float) -> tuple[Feedback, ...]:
        """What servos said since the last call; asks some of them for more. Takes about `budget_s` at most."""
        ...

    def hold(self) -> None:
        """Stops all servos where they are, with torque."""
        ...

    def release(self) -> None:
        """Torque and watchdog off."""
        ...

    def close(self) -> None:
        """Gives the port back; says nothing to the servos. May be called twice."""
        ...
