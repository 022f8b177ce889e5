"""What can be wanted of `steady`: every option and every default, once."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from animato.errors import OptionError


@dataclass(frozen=True)
class Options:
    """What may change about motor profiles, what must hold, and how the change is searched for.

    Attributes:
        control_points: Of each motor's profile; as many as 25 a second where not given.
        deviation_weight: Keeps profiles near the artist's [m^2/rad^2]: so much does a squared radian count beside a
            squared metre of the tracked bodies.
        acceleration_weight: Keeps profiles smooth [m^2 s^4/rad^2].
        orientation_weight: Of bodies whose orientation is tracked [m^2]; about the square of a lever.
        hold_weight: How much more deviations count while the target stands still; what rings in a pause is seen most.
        acceleration_factor: No motor accelerates more than this times the artist's own peak; 0 for no such limit.
        limits: Hold the limits of position, velocity, acceleration and jerk.
        torque: Hold the limits of torque, with the motors' curves of speed and torque.
        margin: Share of every limit that is left unused while it is searched for.
        stiffness_spread: Robust: also good where every stiffness is so much smaller or larger, as a share; 0 for not.
        damping_spread: Robust: the same of damping.
        payload_spread: Robust: the same of the masses of tracked bodies.
        motor_stiffness: Robust: also good where motors give way as springs of this stiffness [N m/rad]; 0 for not.
        step_s: Of the simulation that is optimized.
        check_step_s: Of the simulation by which the result is judged; with twice the coordinates of every rod.
        iterations: At most.
        tolerance: Share of the objective by which a step must lower it to go on.
        rate_hz: Frames a second of the clip that is written.
    """

    control_points: int | None = None
    deviation_weight: float = 1e-4
    acceleration_weight: float = 1e-9
    orientation_weight: float = 0.01
    hold_weight: float = 1.0
    acceleration_factor: float = 2.0
    limits: bool = True
    torque: bool = True
    margin: float = 0.01
    stiffness_spread: float = 0.0
    damping_spread: float = 0.0
    payload_spread: float = 0.0
    motor_stiffness: float = 0.0
    step_s: float = 2e-3
    check_step_s: float = 0.5e-3
    iterations: int = 30
    tolerance: float = 5e-3
    rate_hz: float = 100.0

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(field.name, getattr(self, field.name))

    @property
    def is_robust(self) -> bool:
        """Whether more than one model is looked at."""
        return max(self.stiffness_spread, self.damping_spread, self.payload_spread, self.motor_stiffness) > 0.0


_POSITIVE = ("step_s", "check_step_s", "tolerance", "rate_hz", "hold_weight")
_SHARES = ("margin", "stiffness_spread", "damping_spread", "payload_spread")


def _check(name: str, value: Any) -> None:
    if isinstance(value, bool):
        return
    if name in ("control_points", "iterations"):
        least = 8 if name == "control_points" else 1
        if value is not None and (not isinstance(value, int) or value < least):
            raise OptionError(f"`{name}` must be a whole number of at least {least}, not {value!r}.")
        return
    if not isinstance(value, int | float) or not math.isfinite(value) or value < 0.0:
        raise OptionError(f"`{name}` must be a number of at least 0, not {value!r}.")
    if name in _POSITIVE and value == 0.0:
        raise OptionError(f"`{name}` must be greater than 0.")
    if name in _SHARES and value >= 0.9:
        raise OptionError(f"`{name}` is a share, such as 0.1 for 10 %, below 0.9; given {value!r}.")
    if name == "step_s" and value > 0.02:
        raise OptionError(f"`step_s` is at most 0.02 s, or vibrations fall between the steps; given {value!r}.")
