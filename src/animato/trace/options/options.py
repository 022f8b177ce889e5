"""What can be wanted of a trace: every option and every default, once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from animato.errors import OptionError

Method = Literal["decoupled", "coupled", "iterative"]
Timing = Literal["relative", "absolute"]
HIGHEST_RATE_HZ = 20_000.0


@dataclass(frozen=True)
class Options:
    """What is wanted of a trace.

    Attributes:
        start: A posture of the robot near which the motion is sought, and in which joints to spare stay.
        method: First the path, then its timing; both at once; or the path alone, each with its best timing.
        alpha: Smoothness of the path; more is rounder and faster. Where not given, by the detail of the drawing.
        beta: How much the timing counts [1/s^2].
        gamma: How much haste counts [1/s].
        timing: Whether the rhythm counts and the tempo is free, or every moment counts.
        tempo_lock: Never faster than drawn.
        duration_s: How long it shall take.
        torque: Hold the limits of torque.
        jerk: Hold the limits of jerk, too; the motion is then slower where accelerations change.
        segments: Of the timing, about.
        rate_hz: Frames of the clip a second.
        certificate: Prove a lower bound of the objective, which says how good the timing is.
        control_point_count: Of the path; as many as the detail of the drawing asks for where not given.
        epsilon: Share of the path's knots that go by distance, 0 to 1; the others go by curvature.
        place_count: Places at which path and drawing are compared; five a control point where not given.
        pull: Weight of the pull to the start posture; by the lever of the joints where not given.
        random_seed: Of the random postures that are tried beside the start.
        tolerance: Of the objective, relative, where path and timing are optimized together.
        iterations: At most, where path and timing are optimized together.
    """

    start: str | None = None
    method: Method = "decoupled"
    alpha: float | None = None
    beta: float = 1.0
    gamma: float = 0.1
    timing: Timing = "relative"
    tempo_lock: bool = True
    duration_s: float | None = None
    torque: bool = True
    jerk: bool = False
    segments: int = 500
    rate_hz: float = 250.0
    certificate: bool = True
    control_point_count: int | None = None
    epsilon: float = 0.3
    place_count: int | None = None
    pull: float | None = None
    random_seed: int = 0
    tolerance: float = 1e-6
    iterations: int = 200

    def __post_init__(self) -> None:
        for name, choice in (("method", get_args(Method)), ("timing", get_args(Timing))):
            if getattr(self, name) not in choice:
                raise OptionError(f"`{name}` is one of {', '.join(choice)}; given {getattr(self, name)!r}.")
        for name in ("alpha", "beta", "gamma", "pull"):
            self._require(name, 0.0)
        for name in ("duration_s", "rate_hz", "tolerance"):
            self._require(name, 0.0, above=True)
        for name, least in (("segments", 2), ("control_point_count", 4), ("place_count", 8), ("iterations", 1)):
            self._require(name, least)
        if self.rate_hz > HIGHEST_RATE_HZ:
            raise OptionError(f"`rate_hz` is at most {HIGHEST_RATE_HZ:g}, given {self.rate_hz}.")
        if not 0.0 <= self.epsilon <= 1.0:
            raise OptionError(f"`epsilon` is a share from 0 to 1, given {self.epsilon}.")
        if self.beta == 0.0 and self.gamma == 0.0:
            raise OptionError("With `beta` and `gamma` both 0 nothing is wanted; give one of them a weight.")
        if self.duration_s is not None and self.method != "decoupled":
            raise OptionError("A wanted `duration_s` goes with the decoupled `method` alone; leave one of them out.")

    def _require(self, name: str, least: float, *, above: bool = False) -> None:
        """Raises unless an option is a number in its range, or None where that is its default."""
        value = getattr(self, name)
        if value is None and getattr(Options, name) is None:
            return
        number = isinstance(value, int | float) and math.isfinite(value)
        if not number or value < least or (above and value == least):
            allowed = f"above {least:g}" if above else f"{least:g} or more"
            raise OptionError(f"`{name}` is a number {allowed}; given {value!r}.")
