"""What can be wanted of a fix: every option and every default, once."""

from __future__ import annotations

import math
from dataclasses import dataclass

from animato.errors import OptionError
from animato.fix.options.stretches import parsed_accents, parsed_protections


@dataclass(frozen=True)
class Options:
    """What is wanted of a fix.

    Attributes:
        time: How much time gives way: 0 keeps the artist's timing and changes shape alone, 1 slows down locally until
            shape can stay, and between them both give way.
        duration_s: How long it shall take; the artist's duration where neither this nor `time` is given.
        points: What is to stay where the artist has it: end-points, markers or bodies. The end-points where not given.
        accents: What counts more, such as 1.2-1.6x5 (a stretch of time in seconds and a weight), left_hand x3 or
            left_hand:1.2-1.6x5.
        protect: What does not change at all: a stretch of time such as 1.2-1.6, a joint such as neck_pan, or one in a
            stretch, such as neck_pan:1.2-1.6.
        start: What comes before: clip begins as the clip does, rest begins with a soft start at its first pose, and a
            posture of the character with a soft start from there.
        end: What comes after, in the same words.
        torque: Hold the limits of torque.
        jerk: Hold the limits of jerk.
        collisions: Keep bodies apart.
        clearance_m: By how much.
        balance: Keep the balance of a character that stands on its soles.
        keep_reference_pose: Fix a pose in front or behind from which the motion leaps, too.
    """

    time: float = 0.0
    duration_s: float | None = None
    points: tuple[str, ...] = ()
    accents: tuple[str, ...] = ()
    protect: tuple[str, ...] = ()
    start: str = "clip"
    end: str = "clip"
    torque: bool = True
    jerk: bool = True
    collisions: bool = True
    clearance_m: float = 0.0
    balance: bool = True
    keep_reference_pose: bool = False

    def __post_init__(self) -> None:
        if not (isinstance(self.time, int | float) and 0.0 <= self.time <= 1.0):
            raise OptionError(f"`time` is a share from 0 (shape gives way) to 1 (time gives way); given {self.time!r}.")
        duration = self.duration_s
        if duration is not None and not (math.isfinite(duration) and duration > 0.0):
            raise OptionError(f"`duration_s` is a number above 0; given {duration!r}.")
        if not (math.isfinite(self.clearance_m) and self.clearance_m >= 0.0):
            raise OptionError(f"`clearance_m` is 0 or more; given {self.clearance_m!r}.")
        for name in ("points", "accents", "protect"):
            words = getattr(self, name)
            if isinstance(words, str):
                raise OptionError(f"`{name}` are several words; put the one that was given into a tuple: {words!r}.")
            object.__setattr__(self, name, tuple(words))
        parsed_accents(self.accents)
        parsed_protections(self.protect)
