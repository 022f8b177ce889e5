"""What can be wanted of a performance: every option and every default, once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from animato.errors import OptionError

After = Literal["rest", "hold", "limp"]
AfterFault = Literal["auto", "rest", "hold", "limp"]


@dataclass(frozen=True)
class Options:
    """What is wanted of a performance.

    Attributes:
        send_rate_hz: How often servos are told where to be [1/s].
        loops: How often the clip is played; from its end it goes back to its start inside the limits.
        rest: The posture to end in; where not given, the one named "rest", or where the robot stood at the beginning.
        after: At the end: go to rest and take the torque off, hold the last pose with torque, or go limp where it is.
        after_fault: The same after a fault; auto goes to rest where a servo is too hot or draws too much, and holds
            otherwise.
        ramp: Lead from where the robot stands to the first frame; without, it must stand there already.
        anyway: Play although acceleration, jerk, torque or balance are too much; range and speed are always kept.
        stop_s: In which a soft stop ends [s]; longer where the limits of acceleration ask for it.
        most_temperature_c: Of a servo, in degrees Celsius; above, the performance stops softly.
        most_current: Of a servo, as a share of the current in the servo map.
        following_error_rad: How far a servo may be from where it should be, in radians of the servo.
        least_voltage: As a share of the voltage at the beginning.
        silence_s: How long a servo that answered may be silent [s]; then everything stops softly and waits for it.
        wait_s: How long [s]; where it answers by then, the performance goes on, and otherwise it ends.
        longest_lag_s: How late a frame may be [s]; beyond, the performance stops softly.
    """

    send_rate_hz: float = 100.0
    loops: int = 1
    rest: str | None = None
    after: After = "rest"
    after_fault: AfterFault = "auto"
    ramp: bool = True
    anyway: bool = False
    stop_s: float = 0.08
    most_temperature_c: float = 70.0
    most_current: float = 1.0
    following_error_rad: float = 0.3
    least_voltage: float = 0.75
    silence_s: float = 0.09
    wait_s: float = 1.0
    longest_lag_s: float = 0.08

    def __post_init__(self) -> None:
        for name, choices in (("after", get_args(After)), ("after_fault", get_args(AfterFault))):
            if getattr(self, name) not in choices:
                raise OptionError(f"`{name}` is {', '.join(choices[:-1])} or {choices[-1]}, not {getattr(self, name)}.")
        ranges = {
            "send_rate_hz": (1.0, 1000.0),
            "loops": (1, 100_000),
            "stop_s": (0.01, 10.0),
            "most_temperature_c": (20.0, 120.0),
            "most_current": (0.01, 10.0),
            "following_error_rad": (0.001, 10.0),
            "least_voltage": (0.0, 1.0),
            "silence_s": (0.01, 10.0),
            "wait_s": (0.0, 600.0),
            "longest_lag_s": (0.01, 10.0),
        }
        for name, (least, most) in ranges.items():
            value = getattr(self, name)
            if not (math.isfinite(value) and least <= value <= most):
                raise OptionError(f"`{name}` is {least:g} to {most:g}, not {value}.")
