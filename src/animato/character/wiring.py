"""Which servo moves which coordinate: buses, ids, and how counts become radians."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from animato.character.joint import Joint
from animato.character.servo import SERVOS
from animato.errors import CharacterError


class BusKind(StrEnum):
    """What language is spoken on a bus."""

    DYNAMIXEL = "dynamixel"
    FEETECH = "feetech"
    MAESTRO = "maestro"
    BOTTANGO = "bottango"


COUNTS_PER_TURN = 4096
"""Of Dynamixel X and Feetech STS servos."""

COUNTED = (BusKind.DYNAMIXEL, BusKind.FEETECH)
"""Buses whose servos are told positions in counts of an encoder; the others are told pulses [microseconds]."""

_MOST_ID = {BusKind.DYNAMIXEL: 252, BusKind.FEETECH: 253, BusKind.MAESTRO: 23, BusKind.BOTTANGO: 254}
_USUAL_RANGE = {True: (0.0, 4095.0), False: (500.0, 2500.0)}


@dataclass(frozen=True)
class Bus:
    """A line on which servos hang.

    Attributes:
        name: What the character file calls it.
        kind: What is spoken there.
        port: A serial device such as /dev/ttyUSB0 or COM3; for Bottango also tcp://host:port. Empty is asked for
            when it is played.
        baud: Bits a second; None is what the kind usually has.
        rate_hz: How often servos are told where to be; None is what the player takes.
    """

    name: str
    kind: BusKind
    port: str = ""
    baud: int | None = None
    rate_hz: float | None = None

    def __post_init__(self) -> None:
        if self.baud is not None and self.baud < 1:
            raise CharacterError(f"The baud rate of bus '{self.name}' is 1 or more, not {self.baud}.")
        if self.rate_hz is not None and not (math.isfinite(self.rate_hz) and 1.0 <= self.rate_hz <= 1000.0):
            raise CharacterError(f"The rate of bus '{self.name}' is 1 to 1000 Hz, not {self.rate_hz}.")

    @property
    def is_counted(self) -> bool:
        """Whether positions are counts of an encoder; else they are pulses [microseconds]."""
        return self.kind in COUNTED


@dataclass(frozen=True)
class Wire:
    """The servo that moves a coordinate, and where its zero is.

    A coordinate q stands at `zero + sign * gear * q * counts_per_radian` counts of an encoder, or microseconds of
    a pulse; where the coordinate slides, `gear` is in radians of the servo a metre.

    Attributes:
        coordinate: Of the character.
        bus: Its name.
        id: Of the servo on a digital bus; the channel of a Maestro; the pin of a Bottango driver.
        zero: Counts or microseconds where the coordinate is 0; None until it is calibrated.
        sign: 1 or -1: whether the servo's counts rise with the coordinate.
        gear: Radians of the servo for one radian (or metre) of the coordinate; None takes the joint's gear ratio.
        lowest: The least that the servo may be told [counts or microseconds]; None is 0 counts or 500 microseconds.
        highest: The most; None is 4095 counts or 2500 microseconds.
        travel: From `lowest` to `highest` [rad of the servo]; None follows from 4096 counts a turn, or is the travel
            of the joint's servo in the catalogue.
        reverse: Whether the servo's own direction is set to reverse; checked before it is moved.
        current: The most that it may draw [A]; None leaves the servo's own limit.
    """

    coordinate: str
    bus: str
    id: int
    zero: float | None = None
    sign: int = 1
    gear: float | None = None
    lowest: float | None = None
    highest: float | None = None
    travel: float | None = None
    reverse: bool = False
    current: float | None = None

    def __post_init__(self) -> None:
        if self.sign not in (1, -1):
            raise CharacterError(f"The sign of the servo of '{self.coordinate}' is 1 or -1, not {self.sign}.")
        for name in ("gear", "travel", "current"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value > 0.0):
                raise CharacterError(f"The {name} of the servo of '{self.coordinate}' is above 0, not {value}.")
        for name in ("zero", "lowest", "highest"):
            value = getattr(self, name)
            if value is not None and not math.isfinite(value):
                raise CharacterError(f"The {name} of the servo of '{self.coordinate}' is a number, not {value}.")
        if self.lowest is not None and self.highest is not None and not self.lowest < self.highest:
            raise CharacterError(
                f"The servo of '{self.coordinate}' may be told {self.lowest:g} to {self.highest:g}: that is no range; "
                f"'lowest' is below 'highest'. Where counts fall as the coordinate rises, say sign: -1."
            )


@dataclass(frozen=True)
class Scale:
    """How a coordinate becomes what its servo is told.

    Attributes:
        zero: Counts or microseconds at 0.
        per_unit: Counts or microseconds a radian (or metre) of the coordinate, with its sign.
        lowest: What the servo may be told at least.
        highest: And at most.
    """

    zero: float
    per_unit: float
    lowest: float
    highest: float

    def told(self, value: float) -> float:
        """Where the servo stands when the coordinate is at `value` [rad or m], not rounded and not clipped."""
        return self.zero + self.per_unit * value

    def read(self, told: float) -> float:
        """The coordinate [rad or m] when the servo stands at `told`."""
        return (told - self.zero) / self.per_unit

    @property
    def reach(self) -> tuple[float, float]:
        """The coordinates that the servo can go to, from the least to the greatest [rad or m]."""
        ends = sorted((self.read(self.lowest), self.read(self.highest)))
        return ends[0], ends[1]


def scale_of(wire: Wire, bus: Bus, joint: Joint) -> Scale:
    """How the coordinate of a wire becomes what its servo is told.

    Args:
        wire: Calibrated.
        bus: On which it hangs.
        joint: To which its coordinate belongs.

    Raises:
        CharacterError: It has no zero yet, or nothing says how far a pulse turns it.
    """
    if wire.zero is None:
        raise CharacterError(
            f"The servo of '{wire.coordinate}' has no zero yet: nobody said where it stands when the joint is at 0. "
            f"Calibrate it, or write 'zero' into the servo map."
        )
    usual = _USUAL_RANGE[bus.is_counted]
    lowest = usual[0] if wire.lowest is None else wire.lowest
    highest = usual[1] if wire.highest is None else wire.highest
    if not lowest < highest:
        raise CharacterError(
            f"The servo of '{wire.coordinate}' may be told {lowest:g} to {highest:g}; 'lowest' is below 'highest'."
        )
    model = None if joint.actuator is None or joint.actuator.servo is None else SERVOS[joint.actuator.servo]
    if wire.travel is not None:
        per_radian = (highest - lowest) / wire.travel
    elif bus.is_counted:
        per_radian = COUNTS_PER_TURN / (2.0 * math.pi)
    elif model is not None and model.travel is not None:
        per_radian = (highest - lowest) / model.travel
    else:
        raise CharacterError(
            f"Nothing says how far the servo of '{wire.coordinate}' turns between {lowest:g} and {highest:g} "
            f"microseconds; write 'travel' into the servo map, such as travel: 180 deg."
        )
    ratio = 1.0 if joint.actuator is None else joint.actuator.gear_ratio
    gear = ratio if wire.gear is None else wire.gear
    return Scale(wire.zero, wire.sign * gear * per_radian, lowest, highest)


def check_wiring(buses: tuple[Bus, ...], wires: tuple[Wire, ...], owner: str) -> None:
    """Refuses servos on buses that are not there, ids out of range, and two servos with one id."""
    known = {bus.name: bus for bus in buses}
    taken: dict[tuple[str, int], str] = {}
    for wire in wires:
        if wire.bus not in known:
            raise CharacterError(
                f"The servo of '{wire.coordinate}' hangs on bus '{wire.bus}', which '{owner}' does not have; "
                f"its buses: {', '.join(known) or 'none'}."
            )
        kind = known[wire.bus].kind
        most = _MOST_ID[kind]
        if not 0 <= wire.id <= most:
            raise CharacterError(
                f"The servo of '{wire.coordinate}' has id {wire.id}; on a {kind} bus ids are 0 to {most}."
            )
        other = taken.setdefault((wire.bus, wire.id), wire.coordinate)
        if other != wire.coordinate:
            raise CharacterError(f"'{other}' and '{wire.coordinate}' have the same servo: {wire.id} on '{wire.bus}'.")
