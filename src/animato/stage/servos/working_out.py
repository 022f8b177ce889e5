"""From where a servo stood when its joint was at known places to zero, sign, gear and range."""

from __future__ import annotations

import math
from dataclasses import dataclass

from animato.errors import AnimatoError

SAME_STOP = math.radians(2.0)
"""A stop so near to a limit of the joint is that limit: hands and plastic give that much [rad]."""

_LEAST = 20.0  # counts or microseconds by which a joint must be moved to say which way is positive
_GEAR_OFF = 0.05


class CalibrationError(AnimatoError):
    """What was read cannot be of one joint; the message says why and what to do."""


@dataclass(frozen=True)
class Readings:
    """Where the servo stood [counts, counted on over turns, or microseconds]; None where it was not asked for.

    Attributes:
        zero: With the joint at 0.
        positive: After it was moved from there towards positive.
        lower: At the stop where the joint's value is least.
        upper: At the other stop.
    """

    zero: float | None = None
    positive: float | None = None
    lower: float | None = None
    upper: float | None = None

    @property
    def has_stops(self) -> bool:
        """Whether both stops were read."""
        return self.lower is not None and self.upper is not None


@dataclass(frozen=True)
class Worked:
    """What follows from readings.

    Attributes:
        zero: Where the joint is 0 [counts or microseconds].
        sign: 1 or -1.
        lowest: The least that the servo may be told: a stop, or a limit of the joint; None where both are open.
        highest: And the most.
        needed: What of it the joint's limits ask for, from the least to the most; None where they are open.
        gear: What the two stops say of radians of the servo for one of the joint; None where they say nothing.
        notes: What the user should know, in sentences.
    """

    zero: float
    sign: int
    lowest: float | None
    highest: float | None
    needed: tuple[float, float] | None
    gear: float | None
    notes: tuple[str, ...]


def work_out(
    readings: Readings, limits: tuple[float | None, float | None], per_unit: float, gear: float, name: str
) -> Worked:
    """Zero, sign and range of a servo.

    Args:
        readings: Zero and positive, or both stops, or all.
        limits: The joint's least and greatest value [rad or m]; None is open.
        per_unit: Counts or microseconds a radian (or metre) of the joint, without its sign.
        gear: Of that, radians of the servo for one of the joint.
        name: Of the coordinate, for messages.

    Raises:
        CalibrationError: Readings are missing, too close together, or speak against one another.
    """
    sign = _sign(readings, name)
    lower, upper = limits
    zero = readings.zero
    if zero is None:
        if lower is None or upper is None or readings.lower is None or readings.upper is None:
            raise CalibrationError(
                f"The zero of '{name}' follows from two stops only where both limits of the joint are stated. Put the "
                f"joint at 0 and read it there."
            )
        zero = ((readings.lower - sign * per_unit * lower) + (readings.upper - sign * per_unit * upper)) / 2.0
    notes: list[str] = []
    measured = _gear(readings, limits, per_unit, gear, name, notes)
    needed = None
    if lower is not None and upper is not None:
        ends = sorted(zero + sign * per_unit * one for one in limits if one is not None)
        needed = ends[0], ends[1]
    lowest, highest = needed or (None, None)
    if readings.lower is not None and readings.upper is not None:
        lowest, highest = _with_stops(readings, limits, zero, sign * per_unit, name, notes)
    return Worked(zero, sign, lowest, highest, needed, measured, tuple(notes))


def _sign(readings: Readings, name: str) -> int:
    moved = []
    if readings.lower is not None and readings.upper is not None:
        moved.append(readings.upper - readings.lower)
    if readings.positive is not None and readings.zero is not None:
        moved.append(readings.positive - readings.zero)
    if not moved:
        raise CalibrationError(f"Nothing says which way '{name}' is positive: move it there from 0, or to both stops.")
    for one in moved:
        if abs(one) < _LEAST:
            raise CalibrationError(
                f"The servo of '{name}' went by {one:.0f} only: too little to tell its direction. Is this the servo of "
                f"that joint, and does its shaft turn?"
            )
    if len({one > 0.0 for one in moved}) > 1:
        raise CalibrationError(
            f"The stops of '{name}' say that counts {'rise' if moved[0] > 0 else 'fall'} towards positive, and the "
            f"move from 0 says the opposite. Which stop is the lower one?"
        )
    return 1 if moved[0] > 0.0 else -1


def _gear(
    readings: Readings,
    limits: tuple[float | None, float | None],
    per_unit: float,
    gear: float,
    name: str,
    notes: list[str],
) -> float | None:
    lower, upper = limits
    if readings.lower is None or readings.upper is None or lower is None or upper is None:
        return None
    ratio = abs(readings.upper - readings.lower) / (per_unit * (upper - lower))
    if abs(ratio - 1.0) > _GEAR_OFF:
        notes.append(
            f"Between the stops of '{name}' the servo turns {ratio:.2f} times as far as the joint's limits say: either "
            f"its gear is {gear * ratio:.3g} and not {gear:.3g}, or its stops are not where its limits are."
        )
    return gear * ratio


def _with_stops(
    readings: Readings,
    limits: tuple[float | None, float | None],
    zero: float,
    per_unit: float,
    name: str,
    notes: list[str],
) -> tuple[float, float]:
    """What the servo may be told: up to its stops; a stop that is as good as a limit is the limit."""
    ends = []
    stops = (readings.lower, readings.upper)
    for which, stop, limit in zip(("lower", "upper"), stops, limits, strict=True):
        assert stop is not None
        at = (stop - zero) / per_unit
        outward = 1.0 if which == "upper" else -1.0
        if limit is not None and abs(at - limit) <= SAME_STOP:
            at = outward * max(outward * at, outward * limit)
        elif limit is not None and outward * (limit - at) > 0.0:
            notes.append(
                f"'{name}' stops at {at:.4g} ({math.degrees(at):.1f} degrees, where it turns) before its {which} limit "
                f"of {limit:.4g}: narrow that limit in the character, or it will be refused."
            )
        ends.append(zero + per_unit * at)
    return min(ends), max(ends)
