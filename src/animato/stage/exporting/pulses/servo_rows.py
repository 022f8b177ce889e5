"""What a board must know of each servo, in whole quarter microseconds."""

from __future__ import annotations

import math
from dataclasses import dataclass

from animato.stage.exporting.pulses.servo_frames import ServoFrames
from animato.stage.exporting.take import Take

PARTS = 4
"""Steps a microsecond, as the Pololu Maestro counts."""
_MOST = 0xFFFF
_CALM = 500.0
"""How fast a servo goes to the first frame where nobody says how fast it may [microseconds a second]."""


@dataclass(frozen=True)
class ServoRow:
    """A servo as a board knows it; all but the first two in quarter microseconds.

    Attributes:
        name: Of the coordinate.
        channel: Pin or channel.
        neutral: Where it stands before anything moves.
        lowest: Never told less.
        highest: Nor more.
        step: The farthest from one frame to the next.
        start_step: The farthest in a frame on the way to the first one.
    """

    name: str
    channel: int
    neutral: int
    lowest: int
    highest: int
    step: int
    start_step: int


def servo_rows(take: Take, frames: ServoFrames) -> list[ServoRow]:
    """One for each servo.

    A frame may be one step farther than the speed allows, so that rounding does not make a clip at its limit late. The
    way to the first frame takes half of the speed.
    """
    rows = []
    for number, (name, slot) in enumerate(zip(frames.names, frames.slots, strict=True)):
        lowest, highest = frames.bounds(number)
        step, calm = _MOST, _CALM
        if slot.speed is not None:
            step = min(_MOST, math.ceil(slot.speed * PARTS / take.rate_hz) + 1)
            calm = 0.5 * slot.speed
        start = min(_MOST, max(1, math.floor(calm * PARTS / take.rate_hz)))
        rows.append(ServoRow(name, slot.wire.id, int(frames.neutral[number]), lowest, highest, step, start))
    return rows
