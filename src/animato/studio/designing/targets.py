"""Target paths before anybody drags them: what a take does, a line, or a target that comes with animato."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from animato.character import Character
from animato.design import Options, TargetMotion, TrackingTarget, motion_now
from animato.design.problem import point_on_body
from animato.errors import MotionError
from animato.gallery.design import requested_motion, shipped_targets
from animato.motion import Clip, Stroke
from animato.studio.watching import lift_of

MOST_RATE_HZ = 60.0
MOST_STEPS = 240
"""Steps of a target: enough for what eyes see, few enough to be solved in seconds."""

_PLACES_WEIGHT = 100.0  # as `design.motion_now` and `design.load_targets` count metres


@dataclass(frozen=True, eq=False)
class Targets:
    """Paths that are asked for.

    Attributes:
        motion: The paths, and what motors do now where that is known.
        options: What may change and what counts how much, as the target was made for.
        begin: When it begins on the take's own clock [s].
    """

    motion: TargetMotion
    options: Options
    begin: float = 0.0


def take_targets(character: Character, clip: Clip, points: tuple[str, ...], turns: bool) -> Targets:
    """What some points do in a clip.

    Args:
        character: Who performs.
        clip: Of it; a character that floats is held at its rest.
        points: End-points, markers or bodies.
        turns: Whether it counts how they are turned, too.

    Raises:
        AnimatoError: A point that does not exist, or a mechanism that cannot follow.
    """
    seconds = clip.duration
    if clip.frame_count < 2 or seconds <= 0.0:
        raise MotionError("A target path needs a take that moves; this one has a single frame.")
    rate = min((clip.frame_count - 1) / seconds, MOST_RATE_HZ, (MOST_STEPS - 1) / seconds)
    motion = motion_now(character, clip, points, rate_hz=rate)
    if not turns:
        motion = replace(motion, targets=tuple(replace(one, orientations_wxyz=None) for one in motion.targets))
    return Targets(motion, Options(), float(clip.times[0]))


def line_targets(character: Character, stroke: Stroke, point: str) -> Targets:
    """A line that was drawn, at the speed of the hand.

    Args:
        character: Who performs.
        stroke: In the world of the stage.
        point: Of the character, which should draw it.
    """
    body, frame = point_on_body(character, point)
    if stroke.times is None or len(stroke.times) < 2:
        raise MotionError("A target path needs a line that was drawn in time; this one is a single place.")
    times = stroke.times
    seconds = max(float(times[-1] - times[0]), 1e-3)
    steps = max(2, min(MOST_STEPS, round(seconds * MOST_RATE_HZ) + 1))
    places = stroke.points - lift_of(character)
    even = np.linspace(times[0], times[-1], steps)
    path = np.column_stack([np.interp(even, times, column) for column in places.T])
    target = TrackingTarget(body, frame.position, path, position_weights=np.full(3, _PLACES_WEIGHT), name=point)
    return Targets(TargetMotion((target,), (steps - 1) / seconds, name="the line"), Options())


def shipped(character: Character, name: str) -> Targets:
    """A target that comes with animato.

    Args:
        character: The one that it is made for, or a design of it.
        name: One of `shipped_for`.
    """
    motion, options = requested_motion(character, name)
    return Targets(motion, options)


def shipped_for(character: Character) -> list[str]:
    """Targets that come with animato for a character."""
    return [name for name, made in shipped_targets().items() if made.character == character.name]
