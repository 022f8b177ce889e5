"""What is wanted of the live loop."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from animato.errors import OptionError
from animato.mimic.options import Options

_FEWEST_KNOTS = 8


@dataclass(frozen=True, kw_only=True)
class OnlineOptions:
    """Options of a `Loop`.

    Attributes:
        rate_hz: Knots a second; commands in between are on the curve.
        delay_s: From a pose that comes in to the command that answers to it [s]. The robot knows what the person does
            in this time, and has it to shift its weight.
        steps: Newton steps for each knot at most. There is one a frame, so a stream as slow as the knots has one.
        scale: Of the person; from its first pose where not given.
        friction: Of the soles on the floor.
        margin: Share of the limits of torque and velocity that is kept free.
        torque: Whether motors' torques are limited.
        touch_m: Wrists nearer than this keep their distance, scaled [m].
        gap_s: A stream that pauses for longer goes on from where it was, as if no time had passed [s].
    """

    rate_hz: float = 30.0
    delay_s: float = 0.7
    steps: int = 3
    scale: float | None = None
    friction: float = 0.7
    margin: float = 0.1
    torque: bool = True
    touch_m: float = 0.3
    gap_s: float = 0.25

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "torque" or (field.name == "scale" and value is None):
                continue
            if not isinstance(value, int | float) or not math.isfinite(value) or value <= 0.0:
                raise OptionError(f"`{field.name}` must be a number greater than 0, not {value!r}.")
        if self.knots < _FEWEST_KNOTS:
            raise OptionError(
                f"A delay of {self.delay_s:g} s at {self.rate_hz:g} knots a second is {self.knots} knots; at least "
                f"{_FEWEST_KNOTS} are needed to keep balance. Give a greater `delay_s` or `rate_hz`."
            )

    @property
    def knots(self) -> int:
        """Of the window."""
        return round(self.delay_s * self.rate_hz)

    @property
    def step_s(self) -> float:
        """Between knots [s]."""
        return 1.0 / self.rate_hz

    def offline(self) -> Options:
        """The same for problems of whole clips."""
        return Options(
            rate_hz=self.rate_hz,
            scale=self.scale,
            friction=self.friction,
            margin=self.margin,
            torque=self.torque,
            touch_m=self.touch_m,
            mesh_weight=0.0,
            collisions=False,
        )
