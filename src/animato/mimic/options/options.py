"""What can be wanted of `mimic`: every option and every default, once."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from animato.errors import OptionError


@dataclass(frozen=True)
class Options:
    """What of a person's motion is kept, what must hold, and how it is searched for.

    Attributes:
        rate_hz: Knots of the motion a second at which everything is asked for; clips with jumps take twice as many.
        clip_hz: Frames a second of the clip that is written.
        start_s: Where in the capture to begin; after a leading T-pose where not given.
        end_s: Where to end; at the capture's end where not given.
        scale: Of the person; found where not given.
        segments: Scale the person segment by segment instead of as a whole; where not given, for robots whose trunk
            and legs are not in a person's proportion.
        mesh_weight: Of the interaction mesh's Laplacian energy beside the landmarks.
        acceleration_weight: Keeps motion smooth [m s^4/rad^2].
        balance: Keep the ZMP inside the soles, by forces that only push.
        torque: Hold the limits of torque.
        friction: Coefficient of soles on the floor.
        margin: Share of every limit that is left unused while it is searched for.
        sole_margin_mm: Rim of the soles that the load keeps away from while it goes from foot to foot.
        collisions: Keep bodies of the robot away from each other.
        clearance_mm: Distance that they keep.
        touch_m: Person's hands nearer than this are together, and the robot's keep the distance.
        slow_down: Take more time where physics demands it.
        rounds: Of the solver, at most.
        tolerance: Share of the objective by which steps must lower it to go on.
    """

    rate_hz: float = 30.0
    clip_hz: float = 120.0
    start_s: float | None = None
    end_s: float | None = None
    scale: float | None = None
    segments: bool | None = None
    mesh_weight: float = 4.0
    acceleration_weight: float = 4e-6
    balance: bool = True
    torque: bool = True
    friction: float = 0.7
    margin: float = 0.08
    sole_margin_mm: float = 2.0
    collisions: bool = True
    clearance_mm: float = 2.0
    touch_m: float = 0.3
    slow_down: bool = True
    rounds: int = 14
    tolerance: float = 1e-3

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(field.name, getattr(self, field.name))


_POSITIVE = ("rate_hz", "clip_hz", "friction", "tolerance", "rounds", "scale")
_MAY_BE_ABSENT = ("start_s", "end_s", "scale", "segments")
_SHARES = ("margin",)


def _check(name: str, value: Any) -> None:
    if isinstance(value, bool) or (value is None and name in _MAY_BE_ABSENT):
        return
    if not isinstance(value, int | float) or not math.isfinite(value) or value < 0.0:
        raise OptionError(f"`{name}` must be a number of at least 0, not {value!r}.")
    if name in _POSITIVE and value == 0.0:
        raise OptionError(f"`{name}` must be greater than 0.")
    if name in _SHARES and value >= 0.5:
        raise OptionError(f"`{name}` is a share, such as 0.05 for 5 %, below 0.5; given {value!r}.")
