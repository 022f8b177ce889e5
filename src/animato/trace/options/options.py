"""What can be wanted of a trace: every option and every default, once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

from animato.errors import OptionError
from animato.trace.options.bounds import parsed_bounds

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
        effort: How much it counts what the motors give: the integral over time of the sum of squares of their torques,
            each as a share of its limit [1/s].
        bounds: Limits that differ by direction, such as "elbow acceleration -10 20", or with the pose, such as "elbow
            torque -30 55 at 0.5"; they hold beside those of the robot.
        segments: Of the timing, about.
        rate_hz: Frames of the clip a second.
        certificate: Prove a lower bound of the objective, which says how good the timing is.
        avoid: What the path keeps clear of: self, board, a file, or a thing such as "box 0.2,0.3,0.1 at 0.5,0,0.2".
        clearance_m: By how much.
        keep: Points that stay to one another as they begin, such as "left_hand right_hand pose" (distance, place).
        control_point_count: Of the path; as many as the detail of the drawing asks for where not given.
        epsilon: Share of the path's knots that go by distance, 0 to 1; the others go by curvature.
        place_count: Places at which path and drawing are compared; five a control point where not given.
        pull: Weight of the pull to the start posture; by the lever of the joints where not given.
        random_seed: Of the random postures that are tried beside the start.
        tolerance: Of the objective, relative, where path and timing are optimized together.
        iterations: At most, where path and timing are optimized together.
        starts: From how many, at most, path and timing are optimized together.
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
    effort: float = 0.0
    bounds: tuple[str, ...] = ()
    segments: int = 500
    rate_hz: float = 250.0
    certificate: bool = True
    avoid: tuple[str, ...] = ()
    clearance_m: float = 0.005
    keep: tuple[str, ...] = ()
    control_point_count: int | None = None
    epsilon: float = 0.3
    place_count: int | None = None
    pull: float | None = None
    random_seed: int = 0
    tolerance: float = 1e-6
    iterations: int = 200
    starts: int = 16

    def __post_init__(self) -> None:
        for name, choice in (("method", get_args(Method)), ("timing", get_args(Timing))):
            if getattr(self, name) not in choice:
                raise OptionError(f"`{name}` is one of {', '.join(choice)}; given {getattr(self, name)!r}.")
        for name in ("alpha", "beta", "gamma", "pull", "effort", "clearance_m"):
            self._require(name, 0.0)
        for name in ("duration_s", "rate_hz", "tolerance"):
            self._require(name, 0.0, above=True)
        for name, least in (("segments", 2), ("control_point_count", 4), ("place_count", 8)):
            self._require(name, least)
        for name in ("iterations", "starts"):
            self._require(name, 1)
        if self.rate_hz > HIGHEST_RATE_HZ:
            raise OptionError(f"`rate_hz` is at most {HIGHEST_RATE_HZ:g}, given {self.rate_hz}.")
        if not 0.0 <= self.epsilon <= 1.0:
            raise OptionError(f"`epsilon` is a share from 0 to 1, given {self.epsilon}.")
        if self.beta == 0.0 and self.gamma == 0.0 and not (self.effort > 0.0 and self.duration_s is not None):
            raise OptionError(
                "With `beta` and `gamma` both 0 nothing is wanted; give one of them a weight, or an `effort` and a "
                "`duration_s`."
            )
        if self.duration_s is not None and self.method == "iterative":
            raise OptionError("A wanted `duration_s` does not go with the iterative `method`; take the coupled one.")

        if isinstance(self.bounds, str):
            raise OptionError(f"`bounds` are several words; put the one that was given into a tuple: {self.bounds!r}.")
        object.__setattr__(self, "bounds", tuple(self.bounds))
        parsed_bounds(self.bounds)
        for name in ("bounds", "effort"):
            if getattr(self, name) and self.method != "decoupled":
                raise OptionError(f"`{name}` goes with the decoupled `method` alone; leave one of them out.")

    def _require(self, name: str, least: float, *, above: bool = False) -> None:
        """Raises unless an option is a number in its range, or None where that is its default."""
        value = getattr(self, name)
        if value is None and getattr(Options, name) is None:
            return
        number = isinstance(value, int | float) and math.isfinite(value)
        if not number or value < least or (above and value == least):
            allowed = f"above {least:g}" if above else f"{least:g} or more"
            raise OptionError(f"`{name}` is a number {allowed}; given {value!r}.")
