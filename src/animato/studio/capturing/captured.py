"""A take that comes from a captured person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from animato.errors import MotionError
from animato.motion import Clip
from animato.studio.capturing.capture_wishes import CaptureWishes
from animato.studio.capturing.stretches import Stretches, merged
from animato.studio.desk import Fields
from animato.studio.document import Keep, Read

Place = tuple[str, tuple[float, float, float]]
"""A body of the robot, and where in its frame [m]."""

_MOST_STRETCHES = 10_000


@dataclass(frozen=True, eq=False)
class Captured:
    """A file of a person's motion, and what people said about how it is read. All times are the file's [s].

    Attributes:
        file: In the project, or the name of a capture that comes with animato.
        person: Landmark -> bones or markers whose mean it is, where what is found by itself is wrong; none leave the
            landmark out.
        robot: Landmark -> its place on the robot, where what is found by itself is wrong.
        weights: Landmark -> how much it counts; 1 where it is not named.
        contacts: Part of a foot -> when it stands, where what is found by itself is wrong.
        start_s, end_s: The part of the file that is used; all of it where not given.
        wishes: What is wanted of the motion.
        pace: (time of the take's motion, time of the file) pairs; straight in between.
        plain: The motion before balance was asked for, beside one in balance; None until that is there.
        joints: Joint -> the bone whose angles it takes over, for characters that are no humanoids.
    """

    kind: ClassVar[str] = "captured"

    file: str
    person: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    robot: Mapping[str, Place] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    contacts: Mapping[str, Stretches] = field(default_factory=dict)
    start_s: float | None = None
    end_s: float | None = None
    wishes: CaptureWishes = field(default_factory=CaptureWishes)
    pace: tuple[tuple[float, float], ...] = ()
    plain: Clip | None = None
    joints: Mapping[str, str] = field(default_factory=dict)

    def beside(self, pace: tuple[tuple[float, float], ...], plain: Clip | None = None) -> Captured:
        """The same beside another motion."""
        return replace(self, pace=pace, plain=plain)

    def for_file(self, keep: Keep) -> dict[str, Any]:
        """Plain values for the file of the take."""
        return {
            "file": self.file,
            "person": {name: list(sources) for name, sources in self.person.items()},
            "robot": {name: {"body": body, "at": list(at)} for name, (body, at) in self.robot.items()},
            "weights": dict(self.weights),
            "contacts": {name: [list(one) for one in stretches] for name, stretches in self.contacts.items()},
            "start_s": self.start_s,
            "end_s": self.end_s,
            "wishes": self.wishes.values(),
            "pace": [list(one) for one in self.pace],
            "joints": dict(self.joints),
            **({} if self.plain is None else {"plain": keep(self.plain, "plain")}),
        }

    def for_page(self) -> dict[str, Any]:
        """Plain values for pages; what the file holds is a message of its own."""
        return {
            "file": self.file,
            "person": list(self.person),
            "robot": list(self.robot),
            "weights": dict(self.weights),
            "contacts": list(self.contacts),
            "start_s": self.start_s,
            "end_s": self.end_s,
            "wishes": self.wishes.values(),
            "retargeted": self.plain is not None,
            "joints": dict(self.joints),
        }

    @classmethod
    def from_file(cls, values: Mapping[str, Any], read: Read) -> Captured:
        """Back from `for_file`.

        Raises:
            AnimatoError: Something is missing or is not what it should be.
        """
        fields = Fields(values)
        person, contacts = _inner(values, "person"), _inner(values, "contacts")
        robot, weights = _inner(values, "robot"), Fields(_inner(values, "weights"))
        return cls(
            fields.text("file"),
            {name: _names(sources) for name, sources in person.items()},
            {name: place_from(Fields(robot).fields(name)) for name in robot},
            {name: weights.number(name, least=0.0, most=1e5) for name in _inner(values, "weights")},
            {name: stretches_from(Fields(contacts), name) for name in contacts},
            fields.number("start_s") if fields.has("start_s") else None,
            fields.number("end_s") if fields.has("end_s") else None,
            CaptureWishes.from_values(_inner(values, "wishes")),
            tuple((float(a), float(b)) for a, b in fields.numbers("pace", (None, 2))) if values.get("pace") else (),
            read(fields.text("plain")) if fields.has("plain") else None,
            {joint: Fields(_inner(values, "joints")).text(joint) for joint in _inner(values, "joints")},
        )


def place_from(fields: Fields) -> Place:
    """A place on the robot out of `body` and `at`."""
    x, y, z = fields.numbers("at", (3,)).tolist()
    return fields.text("body"), (x, y, z)


def stretches_from(fields: Fields, name: str) -> Stretches:
    """Stretches of time out of a field of [from, to] pairs; none where it is an empty list."""
    if fields.raw(name) == []:
        return ()
    pairs = fields.numbers(name, (None, 2))
    if len(pairs) > _MOST_STRETCHES:
        raise MotionError(f"`{name}` has at most {_MOST_STRETCHES} stretches of time; given {len(pairs)}.")
    return merged((float(a), float(b)) for a, b in pairs)


def _inner(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = values.get(name) or {}
    if not isinstance(found, Mapping):
        raise MotionError(f"`{name}` of a capture is a set of fields; given {found!r:.60}.")
    return found


def _names(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise MotionError(f"A landmark of a capture is made from a list of names; given {given!r:.60}.")
    return tuple(given)
