"""One joint that is to be calibrated, how a person is asked, and what came of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from animato.character import COUNTS_PER_TURN, Bus, Character, Joint, JointType, Wire
from animato.stage.servos.map_table import axis_of

Ask = Callable[[str, Callable[[], str] | None], str]
"""Shows a sentence, and while the person thinks a line that is made anew all the time; returns what was typed."""

Say = Callable[[str], None]


class Enough(Exception):  # noqa: N818 - not an error: the person wants no more
    """The person wants to stop here."""


@dataclass(frozen=True)
class Task:
    """One joint.

    Attributes:
        joint: To which the coordinate belongs.
        limits: Its least and greatest value [rad or m]; None is open.
        wire: Its servo as the map has it.
        bus: On which that hangs.
        gear: Radians of the servo for one radian (or metre) of the joint.
        place: Such as "2 of 5".
    """

    joint: Joint
    limits: tuple[float | None, float | None]
    wire: Wire
    bus: Bus
    gear: float
    place: str

    @property
    def name(self) -> str:
        """Of the coordinate."""
        return self.wire.coordinate

    @property
    def counts_per_unit(self) -> float:
        """Counts of an encoder a radian (or metre) of the joint."""
        return self.gear * COUNTS_PER_TURN / math.tau

    @property
    def slides(self) -> bool:
        """Whether the coordinate is a length."""
        kind = self.joint.type
        return kind is JointType.PRISMATIC or (
            kind is JointType.CYLINDRICAL and self.joint.coordinate_names.index(self.name) == 1
        )

    def shown(self, value: float) -> str:
        """A value of the coordinate for people."""
        return f"{1e3 * value:.1f} mm" if self.slides else f"{math.degrees(value):z.1f} deg"

    @property
    def range_words(self) -> str:
        """The joint's limits for people."""
        lower, upper = ("open" if one is None else self.shown(one) for one in self.limits)
        return f"{lower} to {upper}"

    @property
    def positive_words(self) -> str:
        """Which way is positive, for people."""
        number = self.joint.coordinate_names.index(self.name)
        if number > 0 and self.joint.type is not JointType.CYLINDRICAL:  # the second axis of a universal joint, say
            return "as the picture of the character shows"
        axis = self.joint.frame_parent.transform.rotation @ self.joint.axis
        letters = [f"{'+' if one > 0.0 else '-'}{letter}" for one, letter in zip(axis, "xyz", strict=True) if one]
        one = letters[0] if len(letters) == 1 else "(" + ", ".join(f"{value:.2g}" for value in axis) + ")"
        where = f"{one} of '{self.joint.parent}'"
        return f"along {where}" if self.slides else f"anticlockwise where {where} points at you"


@dataclass(frozen=True)
class Outcome:
    """What came of one joint.

    Attributes:
        task: Which.
        wire: Its servo as it is to stand in the map; None where it was not calibrated.
        homing: The homing offset that goes into the servo with it [counts]; None leaves it.
        notes: What the user should know, in sentences; the last says why there is no wire where there is none.
    """

    task: Task
    wire: Wire | None
    homing: int | None = None
    notes: tuple[str, ...] = ()


def task_of(character: Character, wire: Wire, place: str) -> Task:
    """The joint of a wire."""
    joint, limits = axis_of(character, wire.coordinate)
    bus = next(one for one in character.buses if one.name == wire.bus)
    ratio = 1.0 if joint.actuator is None else joint.actuator.gear_ratio
    gear = ratio if wire.gear is None else wire.gear
    return Task(joint, (limits.lower, limits.upper), wire, bus, gear, place)


def bar(value: float, lower: float, upper: float, width: int = 41) -> str:
    """Where a value is between two others, as letters: [.....o.....]; beyond them an arrow."""
    share = (value - lower) / (upper - lower) if upper > lower else 0.5
    if share < 0.0:
        return "<[" + "." * width + "] "
    if share > 1.0:
        return " [" + "." * width + "]>"
    at = round(share * (width - 1))
    return " [" + "." * at + "o" + "." * (width - 1 - at) + "] "
