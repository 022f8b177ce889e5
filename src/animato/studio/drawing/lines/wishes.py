"""What an artist can want of the performance of a drawing: the options of `trace` that have a control."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from animato.errors import OptionError, unknown_name
from animato.trace import Options

ACCENTS = ("none", "quick", "pressed")
_RANGES = {
    "alpha": (0.0, 1.0),
    "beta": (0.0, 1e6),
    "gamma": (0.0, 1e4),
    "duration_s": (0.05, 3600.0),
    "accent_weight": (1.0, 100.0),
    "lift_m": (0.0, 10.0),
}
_OPTIONAL = ("alpha", "duration_s", "lift_m")
_FLAGS = ("tempo_lock", "jerk", "together")
_WORDS = {"timing": ("relative", "absolute"), "accents": ACCENTS}


@dataclass(frozen=True)
class DrawnWishes:
    """Options of a drawing's performance.

    Attributes:
        alpha: How much rounder than drawn [see `trace.Options`]; None finds it.
        beta: How much the rhythm counts [1/s^2].
        gamma: How much haste counts [1/s].
        timing: Whether the rhythm counts and the tempo is free, or every moment counts.
        tempo_lock: Never faster than drawn.
        duration_s: How long it shall take [s]; None leaves it free.
        jerk: Whether limits of jerk hold, too, where the robot has some: accelerations then change slowly.
        accents: Where the timing counts more: nowhere, where the hand was quick, or where it pressed.
        accent_weight: How much more.
        together: Whether several points draw at the same time, or one after the other.
        start: The posture near which the motion is sought; "" finds one.
        lift_m: How high the pen is lifted between lines [m]; None goes by the size of the drawing.
    """

    alpha: float | None = None
    beta: float = Options.beta
    gamma: float = Options.gamma
    timing: str = "relative"
    tempo_lock: bool = True
    duration_s: float | None = None
    jerk: bool = True
    accents: str = "none"
    accent_weight: float = 8.0
    together: bool = True
    start: str = ""
    lift_m: float | None = None

    def __post_init__(self) -> None:
        for one in fields(self):
            _check(one.name, getattr(self, one.name))
        if self.beta == 0.0 and self.gamma == 0.0:
            raise OptionError("With rhythm (`beta`) and haste (`gamma`) both 0 nothing is wanted; give one a weight.")

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> DrawnWishes:
        """Of plain values; what is not said is as usual."""
        known = {one.name for one in fields(cls)}
        return cls(**{name: value for name, value in values.items() if name in known})

    def values(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

    def with_value(self, name: str, value: Any) -> DrawnWishes:
        """With one of them another.

        Raises:
            AnimatoError: There is none of that name, or it is out of its range.
        """
        if name not in {one.name for one in fields(self)}:
            raise unknown_name("option", name, [one.name for one in fields(self)], "a drawing")
        _check(name, value)
        return replace(self, **{name: value})

    def options(self, *, jerk: bool = False) -> Options:
        """For `trace`; with limits of jerk it takes seconds in place of hundredths of one."""
        return Options(
            alpha=self.alpha,
            beta=self.beta,
            gamma=self.gamma,
            timing="absolute" if self.timing == "absolute" else "relative",
            tempo_lock=self.tempo_lock,
            duration_s=self.duration_s,
            jerk=jerk,
            certificate=False,  # a proof that nobody is shown
        )


def _check(name: str, value: Any) -> None:
    if name in _FLAGS:
        if not isinstance(value, bool):
            raise OptionError(f"`{name}` is true or false; given {value!r:.60}.")
    elif name in _WORDS:
        if value not in _WORDS[name]:
            raise OptionError(f"`{name}` is one of {', '.join(_WORDS[name])}; given {value!r:.60}.")
    elif name in _RANGES:
        least, most = _RANGES[name]
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (value is None and name in _OPTIONAL) and not (number and least <= value <= most):
            raise OptionError(f"`{name}` is a number from {least:g} to {most:g}; given {value!r:.60}.")
    elif not isinstance(value, str):
        raise OptionError(f"`{name}` is a name; given {value!r:.60}.")
