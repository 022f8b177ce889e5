"""Handles: a target pulled and turned at moments, and giving way smoothly around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character
from animato.design.problem import TargetMotion, point_on_body
from animato.design.study.editing import PointTrajectory, flat_bump, hermite_offsets, run_design
from animato.design.terms import TrackingTarget
from animato.errors import MotionError, OptionError, unknown_name
from animato.motion import Clip
from animato.spatial import quaternions

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_THREE = rf"({_NUMBER}),({_NUMBER}),({_NUMBER})"
_WORDS = re.compile(
    rf"(?P<name>.+?)\s+at\s+(?P<at>{_NUMBER})\s*s?"
    rf"(?:\s+move\s+{_THREE})?(?:\s+turn\s+{_THREE})?(?:\s+width\s+(?P<width>{_NUMBER})\s*s?)?\s*"
)
_EXAMPLE = '"pen at 1.2s move 0,0,0.05 turn 0,0,10 width 0.4"'


@dataclass(frozen=True)
class Handle:
    """A target pulled at one moment.

    Attributes:
        name: Of the target.
        at: When, from the start of the motion [s].
        move: How far its place is pulled in the world [m].
        turn: By how much its body is turned in the world, a rotation vector [rad].
        width: Time before and after within which the pull fades away [s]; None leads smoothly to the next handle
            of the target, and stays as it is before the first and after the last.
    """

    name: str
    at: float
    move: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: tuple[float, float, float] = (0.0, 0.0, 0.0)
    width: float | None = None

    def __post_init__(self) -> None:
        numbers = (self.at, *self.move, *self.turn, 0.0 if self.width is None else self.width)
        if len(self.move) != 3 or len(self.turn) != 3 or not np.all(np.isfinite(numbers)) or self.at < 0.0:
            raise OptionError(f"A handle of '{self.name}' needs a moment and moves and turns of three numbers each.")
        if self.width is not None and self.width <= 0.0:
            raise OptionError(f"The width of the handle of '{self.name}' must be above 0 s, not {self.width:g} s.")


def as_handle(word: Handle | str) -> Handle:
    """A handle from words: "pen at 1.2s move 0,0,0.05 turn 0,0,10 width 0.4", metres, degrees and seconds.

    Raises:
        OptionError: The words say none.
    """
    if isinstance(word, Handle):
        return word
    found = _WORDS.fullmatch(word.strip()) if isinstance(word, str) else None
    if found is None or (found.group(3) is None and found.group(6) is None):
        form = "NAME at TIME move X,Y,Z turn X,Y,Z width TIME"
        raise OptionError(f"`handle` is {form}, such as {_EXAMPLE}; not {word!r:.60}.")
    groups = found.groups()

    def three(first: int, factor: float) -> tuple[float, float, float]:
        values = [factor * float(value or 0.0) for value in groups[first : first + 3]]
        return values[0], values[1], values[2]

    width = found.group("width")
    return Handle(
        found.group("name"), float(found.group("at")), three(2, 1.0), three(5, float(np.pi / 180.0)),
        None if width is None else float(width),
    )  # fmt: skip


def handled(motion: TargetMotion, handles: Sequence[Handle | str]) -> TargetMotion:
    """The motion with its targets pulled at handles; what they do in between is kept.

    Args:
        motion: Whose targets.
        handles: In any order, each for one target, as `Handle` or in words.

    Raises:
        UnknownNameError: A target that the motion does not have.
        MotionError: A handle after the end, or a turn of a target that has none.
    """
    every = [as_handle(one) for one in handles]
    names = [target.name for target in motion.targets]
    for one in every:
        if one.name not in names:
            raise unknown_name("target", one.name, names, motion.name)
        if one.at * motion.rate_hz > motion.step_count - 1 + 1e-6:
            ends = (motion.step_count - 1) / motion.rate_hz
            raise MotionError(f"The handle of '{one.name}' at {one.at:g} s is after the end of the motion, {ends:g} s.")
    targets = [_pulled(target, [one for one in every if one.name == target.name], motion) for target in motion.targets]
    return replace(motion, targets=tuple(targets))


def _pulled(target: TrackingTarget, handles: list[Handle], motion: TargetMotion) -> TrackingTarget:
    if not handles:
        return target
    moves, turns = _displacement(handles, motion, "move"), _displacement(handles, motion, "turn")
    for what, pulled, has in (("place", moves, target.positions), ("turn", turns, target.orientations_wxyz)):
        if has is None and np.any(pulled):
            raise MotionError(f"The target '{target.name}' asks for no {what}, so no handle can change it.")
    positions, turned = target.positions, target.orientations_wxyz
    if turned is not None:
        turned = quaternions.multiply(quaternions.quaternion_from_rotation_vector(turns), turned)
    return replace(target, positions=None if positions is None else positions + moves, orientations_wxyz=turned)


def _displacement(handles: list[Handle], motion: TargetMotion, what: str) -> np.ndarray:
    """Sum of one spline through all handles without a width, and of a bump for each with one, shape [step, 3]."""
    steps, rate = motion.step_count, motion.rate_hz
    found = np.zeros((steps, 3))
    keys = sorted((one for one in handles if one.width is None), key=lambda one: one.at)
    if keys:
        at = [min(one.at * rate, steps - 1.0) for one in keys]
        found += hermite_offsets(steps, at, [getattr(one, what) for one in keys])
    for one in handles:
        if one.width is not None:
            found += flat_bump(steps, one.at * rate, one.width * rate)[:, None] * np.array(getattr(one, what))
    return found


def motion_now(
    character: Character, controls: Clip, names: Sequence[str], *, rate_hz: float | None = None
) -> TargetMotion:
    """What some points of a character do now, as targets to be edited.

    Args:
        character: As it is configured.
        controls: What its motors do; those that it does not name rest.
        names: End-points, markers or bodies.
        rate_hz: Steps a second; the clip's where not given.

    Raises:
        MechanismError: The character cannot follow its controls.
    """
    if not names:
        raise OptionError("Say which points are followed: in `follow`, or in a `handle`.")
    rate = rate_hz or (len(controls.times) - 1) / max(float(controls.times[-1] - controls.times[0]), 1e-9)
    steps = max(int((controls.times[-1] - controls.times[0]) * rate + 1e-6) + 1, 1)
    places = {name: point_on_body(character, name) for name in dict.fromkeys(names)}
    still = TrackingTarget(character.bodies[0].name, np.zeros(3), np.zeros((steps, 3)))
    values = TargetMotion((still,), rate).with_controls(character, controls).controls
    assert values is not None  # for the type checker: they were just given
    paths = run_design(character, values, {name: (body, frame.position) for name, (body, frame) in places.items()})
    targets = tuple(_asked(path) for path in paths.values())
    return TargetMotion(targets, float(rate), values, "the motion now")


def _asked(path: PointTrajectory) -> TrackingTarget:
    return path.target(position_weight=100.0, orientation_weight=1.0)
