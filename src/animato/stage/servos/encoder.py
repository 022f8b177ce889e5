"""What a servo shows and where its shaft is: the homing offset, and the end of the one turn that it counts.

With A the place of the shaft on the encoder (0 to 4095, after 4095 comes 0) and H the homing offset:

    Dynamixel X:  present = A + H           H within -1024 ... 1024 in position mode, ignored there beyond
    Feetech STS:  present = (A - H) mod 4096     H within -2047 ... 2047

Reverse (a Dynamixel's drive mode) turns A round and not the sign of H. So the homing offset of a Feetech servo moves
the place where counts fall back to 0, and that of a Dynamixel does not: with torque its A is taken within one turn
again, whatever H is.
"""

from __future__ import annotations

from dataclasses import dataclass

from animato.character import COUNTS_PER_TURN, BusKind

LAST = COUNTS_PER_TURN - 1
"""The greatest count of a turn."""

MIDDLE = COUNTS_PER_TURN // 2
MOST_HOMING = {BusKind.DYNAMIXEL: 1024, BusKind.FEETECH: 2047}
"""The largest homing offset, either way, by what is spoken on the bus."""

_CLOSE = 0.5


@dataclass(frozen=True)
class Encoder:
    """How a servo shows where its shaft is.

    Attributes:
        kind: Dynamixel or Feetech.
        homing: Its homing offset as it stands in the servo [counts].
    """

    kind: BusKind
    homing: int = 0

    @property
    def counts_with(self) -> float:
        """What is added to the shaft's place to get what is shown [counts]."""
        return float(self.homing if self.kind is BusKind.DYNAMIXEL else -self.homing)

    @property
    def is_kept(self) -> bool:
        """Whether position mode keeps to this homing offset."""
        return abs(self.homing) <= MOST_HOMING[self.kind]

    def actual(self, present: float) -> float:
        """The shaft's place within one turn [counts], 0 to below 4096, for what is shown."""
        return (present - self.counts_with) % COUNTS_PER_TURN

    def present(self, actual: float) -> float:
        """What is shown in position mode once the torque is on [counts], for the shaft's place."""
        inside = actual % COUNTS_PER_TURN
        if self.kind is BusKind.DYNAMIXEL:
            return inside + (self.counts_with if self.is_kept else 0.0)
        return (inside + self.counts_with) % COUNTS_PER_TURN


@dataclass(frozen=True)
class Placement:
    """Where a range comes to lie between the first and the last count of a servo.

    Attributes:
        lowest: Where it begins [counts]; below 0 where it does not fit.
        highest: Where it ends; above 4095 where it does not fit.
        turns: What is to be added to counts that were read so that they are those of the range.
        fits: Whether all of it can be told.
        homing: The homing offset with which it would fit; None where none does, or it fits already.
        turn: By how much the shaft is to be turned against the horn so that the range lies in the middle [counts];
            0 where it fits or another homing offset is enough.
        least_turn: And at least.
    """

    lowest: float
    highest: float
    turns: float
    fits: bool
    homing: int | None = None
    turn: float = 0.0
    least_turn: float = 0.0

    @property
    def margin(self) -> float:
        """From the nearer end of the range to the nearer end of the turn [counts]; below 0 where it does not fit."""
        return min(self.lowest, LAST - self.highest)

    @property
    def is_too_wide(self) -> bool:
        """Whether it is longer than a turn, so that nothing helps."""
        return self.highest - self.lowest > LAST + 2.0 * _CLOSE


def place(lowest: float, highest: float, encoder: Encoder) -> Placement:
    """Looks whether a range can be told, and what would help.

    Args:
        lowest: Where it begins, as the servo shows it, counted on over turns [counts].
        highest: Where it ends.
        encoder: As the servo is set.
    """
    span = highest - lowest
    if encoder.kind is BusKind.FEETECH:
        start = _inside(lowest)
        fits = start + span <= LAST + _CLOSE
        placed = Placement(start, start + span, start - lowest, fits)
        if fits or placed.is_too_wide:
            return placed
        centre = encoder.actual((lowest + highest) / 2.0)
        most = MOST_HOMING[encoder.kind]
        homing = max(-most, min(most, round(centre - MIDDLE)))
        return Placement(placed.lowest, placed.highest, placed.turns, False, homing)
    start = _inside(lowest - encoder.counts_with)
    shown = encoder.counts_with if encoder.is_kept else 0.0
    low, high = start + shown, start + shown + span
    on_encoder = start + span <= LAST + _CLOSE
    fits = on_encoder and encoder.is_kept and low >= -_CLOSE and high <= LAST + _CLOSE
    placed = Placement(low, high, low - lowest, fits)
    if fits or placed.is_too_wide:
        return placed
    if on_encoder:
        return Placement(low, high, placed.turns, False, homing=0)
    forward, back = COUNTS_PER_TURN - start, start + span - LAST
    turn = MIDDLE - (start + span / 2.0) % COUNTS_PER_TURN
    return Placement(low, high, placed.turns, False, turn=turn, least_turn=forward if forward < back else -back)


def _inside(count: float) -> float:
    """A count within one turn; what is a rounding below 0 is not the end of the turn."""
    inside = count % COUNTS_PER_TURN
    return inside - COUNTS_PER_TURN if inside > LAST + _CLOSE else inside
