"""What a user may choose of facing, tracking, the motion filter and the loop."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, SupportsFloat

from animato.errors import OptionError

Minimized = Literal["posture", "shape"]
"""The error that is minimized beside the orientation: equation 21, or the signed shape error."""

PerJoint = float | tuple[float, ...]
"""One number for all joints of the chain, or one a joint."""

Method = Literal["animato", "dls", "erik"]
"""What solves: animato's own solver, or one of the published ones."""

Direction = str | tuple[float, float, float]
"""A word such as x or -y, or three numbers."""

Rule = tuple[str, Callable[[float], bool]]
"""What is allowed, in words and as a test."""


METHODS: tuple[Method, ...] = ("animato", "dls", "erik")


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a character holds a posture while it faces.

    Attributes:
        end_point: What faces: an end-point, or a marker or body that becomes one; the only end-point where not given.
        forward: The way the end-point faces, in its own frame: x, y, z, -x, -y, -z or three numbers. As the character
            says where not given, x for a marker or body.
        up: What the end-point calls up, likewise; z for a marker or body, or x where that faces along z.
        also_facing: Further end-points that face, less and less important: each with what those before it leave over.
        give_way_rad: How far the joints of the most important end-point may go for the sake of the others from where it
            alone would have them, while it faces just as well; 0 leaves the others their own joints only.
        rate_hz: Commands a second.
        duration_s: Later targets are not faced, and a live loop ends then; no bound where not given.
        target_rate_hz: Targets a second where they say no times; as many as commands where not given.
        smoothness: Of the motion, 0 (time-optimal) to 1, one number or one a joint. Where not given, as the character
            says, and 0.1 where it says nothing.
        responsiveness: Of the motion, 0 to 1, one number or one a joint; at 1 a steady target is followed without lag.
            Where not given, as the character says, or 1.
        softness: How early joints slow down before the ends of their ranges, 0 (not at all) to 1, one number or one a
            joint. Where not given, as the character says, or 0.
        haste: Share of the easing of `smoothness` that is left out again, 0 to 1, one number or one a joint. Where not
            given, as the character says, or 0.
        overshoot: Share of a way by which its end is passed before joints settle, 0 to 0.9, one number or one a joint.
            Where not given, as the character says, or 0.
        roll_tolerance_rad: Turn about the facing axis that costs nothing, 0 (exact) to pi (free). Where not given,
            exact for orientations and targets with a roll, free for others.
        minimize: Beside the orientation: the posture error of the paper, or the signed shape error.
        orientation_weight: Of the orientation error in the combined error.
        posture_weight: Of the posture error in the combined error.
        aggravation: How much more each joint's bend counts than that of the joint before it.
        symmetric: Whether the end-point is as good upside down; as the character says where not given.
        solve_every: Commands from one solution to the next.
        top_speed_rad_s: Of any joint while it tracks; lower limits of the character hold as well.
        top_acceleration_rad_s2: Of any joint while it tracks.
        horizon_s: How far the planner looks ahead; at 0 it never changes to another branch of solutions.
        look_s: Step in which it does.
        idle: Whether the character breathes and shifts while its end-point keeps facing.
        idle_amplitude_rad: How far a joint then moves at most.
        idle_rate_hz: Breaths a second.
        idle_seed: Of its waves; different seeds move differently.
        method: What solves: animato's own solver and tracker; or, to compare, damped least squares (dls) or ERIK (erik)
            as published, each target anew and without a plan.
        dls_iterations: Of damped least squares: steps at most.
        erik_threshold: Of ERIK: combined error at which a solution is accepted.
        erik_iterations: Of ERIK: rounds of forward and backward phase at most.
        erik_descent_iterations: Of ERIK: rounds of each coordinate descent, CCD and BWCD, at most.
        erik_descent_precision: Of ERIK: error (1 - cos angle) / 2 of the facing direction at which a descent stops.
        erik_precision: Of ERIK: change of an error that counts as none.
        erik_patience: Of ERIK: rounds without a lower error that count as not converging.
        erik_disturbance_rad: Of ERIK: offset of its tricks, and distance from joint edges.
        erik_table_step_rad: Of ERIK: angle between rows of its latitude tables.
        erik_avoid_edges: Of ERIK, an extension: joints keep off the ends of their limits.
        erik_offset_trick: Of ERIK, an extension: a target that does not converge is first offset a little.
        erik_ccd_trick: Of ERIK, an extension: then CCD is tried.
        erik_twist_target: Of ERIK: the posture's twist of the end-point is added to the target, as printed.
    """

    end_point: str | None = None
    forward: Direction | None = None
    up: Direction | None = None
    also_facing: tuple[str, ...] = ()
    give_way_rad: float = 0.5
    rate_hz: float = 100.0
    duration_s: float | None = None
    target_rate_hz: float | None = None
    smoothness: PerJoint | None = None
    responsiveness: PerJoint | None = None
    softness: PerJoint | None = None
    haste: PerJoint | None = None
    overshoot: PerJoint | None = None
    roll_tolerance_rad: float | None = None
    minimize: Minimized = "posture"
    orientation_weight: float = 1.0
    posture_weight: float = 0.2
    aggravation: float = 2.0
    symmetric: bool | None = None
    solve_every: int = 1
    top_speed_rad_s: float = 4.2
    top_acceleration_rad_s2: float = 80.0
    horizon_s: float = 12.0
    look_s: float = 0.1
    idle: bool = False
    idle_amplitude_rad: float = 0.05
    idle_rate_hz: float = 0.25
    idle_seed: int = 0
    method: Method = "animato"
    dls_iterations: int = 400
    erik_threshold: float = 0.04
    erik_iterations: int = 13
    erik_descent_iterations: int = 10
    erik_descent_precision: float = 1e-6
    erik_precision: float = 1e-3
    erik_patience: int = 2
    erik_disturbance_rad: float = math.pi / 180.0
    erik_table_step_rad: float = math.pi / 180.0
    erik_avoid_edges: bool = True
    erik_offset_trick: bool = True
    erik_ccd_trick: bool = True
    erik_twist_target: bool = False

    def __post_init__(self) -> None:
        for name, (allowed, holds) in _RULES.items():
            value = getattr(self, name)
            some = _some(value) if name in _PER_JOINT else (value,)
            if not (value is None and name in _OPEN) and not all(_is_number(one) and holds(one) for one in some):
                raise OptionError(f"`{name}` must be {allowed}, not {value!r:.60}.")
        if self.minimize not in ("posture", "shape"):
            raise OptionError(f"`minimize` must be 'posture' or 'shape', not {self.minimize!r}.")
        if self.method not in METHODS:
            raise OptionError(f"`method` must be one of {', '.join(map(repr, METHODS))}, not {self.method!r:.60}.")
        for name in _SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise OptionError(f"`{name}` must be True or False, not {getattr(self, name)!r:.60}.")
        if self.end_point is not None and not isinstance(self.end_point, str):
            raise OptionError(f"`end_point` must be the name of an end-point, not {self.end_point!r:.60}.")
        also = self.also_facing
        listed = isinstance(also, Iterable) and not isinstance(also, str) and all(isinstance(one, str) for one in also)
        if not listed or len({*also}) < len(tuple(also)):
            raise OptionError(f"`also_facing` must be different names of end-points, not {also!r:.60}.")
        if self.end_point in also:
            raise OptionError(f"`also_facing` must name other end-points than `end_point`, '{self.end_point}'.")
        object.__setattr__(self, "also_facing", tuple(also))
        for name in ("forward", "up"):
            value = getattr(self, name)
            if value is not None and not _is_direction(value):
                raise OptionError(f"`{name}` must be {_DIRECTION}, not {value!r:.60}.")
        for name in (*_PER_JOINT, "forward", "up"):
            value = getattr(self, name)
            if isinstance(value, Iterable) and not isinstance(
                value, str
            ):  # such as an array: options are compared and hashed
                object.__setattr__(self, name, tuple(float(one) for one in value))


_ABOVE: Rule = ("a number greater than 0", lambda value: 0.0 < value < math.inf)
_NOT_BELOW: Rule = ("a number 0 or more", lambda value: 0.0 <= value < math.inf)
_SHARE: Rule = ("from 0 to 1, one number or one a joint", lambda value: 0.0 <= value <= 1.0)
_COUNT: Rule = ("a whole number, 1 to 10000", lambda value: 1 <= value <= 10_000 and value % 1 == 0)
_RULES: dict[str, Rule] = {
    "give_way_rad": _NOT_BELOW,
    "rate_hz": _ABOVE,
    "duration_s": _ABOVE,
    "target_rate_hz": _ABOVE,
    "smoothness": _SHARE,
    "responsiveness": _SHARE,
    "softness": _SHARE,
    "haste": _SHARE,
    "overshoot": ("from 0 to 0.9, one number or one a joint", lambda value: 0.0 <= value <= 0.9),
    "roll_tolerance_rad": ("0 (exact) to pi rad (free)", lambda value: 0.0 <= value <= math.pi + 1e-12),
    "orientation_weight": _ABOVE,
    "posture_weight": _NOT_BELOW,
    "aggravation": _ABOVE,
    "solve_every": ("a whole number of commands, 1 or more", lambda value: value >= 1 and value % 1 == 0),
    "top_speed_rad_s": _ABOVE,
    "top_acceleration_rad_s2": _ABOVE,
    "horizon_s": _NOT_BELOW,
    "look_s": _ABOVE,
    "idle_amplitude_rad": _NOT_BELOW,
    "idle_rate_hz": _NOT_BELOW,
    "idle_seed": ("a whole number, 0 or more", lambda value: value >= 0 and value % 1 == 0),
    "dls_iterations": _COUNT,
    "erik_threshold": _NOT_BELOW,
    "erik_iterations": _COUNT,
    "erik_descent_iterations": _COUNT,
    "erik_descent_precision": ("from 0 to 1", lambda value: 0.0 <= value <= 1.0),
    "erik_precision": ("from 0 to 1", lambda value: 0.0 <= value <= 1.0),
    "erik_patience": _COUNT,
    "erik_disturbance_rad": ("0 to pi / 2 rad", lambda value: 0.0 <= value <= 0.5 * math.pi),
    "erik_table_step_rad": ("0.0001 to pi / 4 rad", lambda value: 1e-4 <= value <= 0.25 * math.pi),
}
_SWITCHES = ("erik_avoid_edges", "erik_offset_trick", "erik_ccd_trick", "erik_twist_target")
_AXIS_WORDS = ("x", "y", "z", "-x", "-y", "-z")
_DIRECTION = f"one of {', '.join(_AXIS_WORDS)}, or three numbers that are not all 0"
_PER_JOINT = ("smoothness", "responsiveness", "softness", "haste", "overshoot")
_OPEN = ("duration_s", "target_rate_hz", "roll_tolerance_rad", *_PER_JOINT)  # left to the character or the target


def _some(values: object) -> tuple[Any, ...]:
    """One number or some, as some."""
    return tuple(values) if isinstance(values, Iterable) and not isinstance(values, str) else (values,)


def _is_number(value: object) -> bool:
    return isinstance(value, SupportsFloat) and not isinstance(value, bool)


def _is_direction(value: object) -> bool:
    if isinstance(value, str):
        return value in _AXIS_WORDS
    some = _some(value)
    return len(some) == 3 and all(_is_number(one) and abs(one) < math.inf for one in some) and any(map(bool, some))
