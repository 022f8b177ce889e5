"""What the lamp performs in the demo: it looks around while its posture changes, and while an animation runs."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from animato.express import Loop, Options, build
from animato.express.loop import FileTargets
from animato.formats import load_character
from animato.loading import load_clip
from animato.report.express import Course, facing_film
from animato.report.kit import Film

LAMP, ANIMATION = "lamp", "lamp_look"
MOODS = ((0.0, "curious"), (4.0, "proud"), (8.0, "sad"), (12.0, "curious"))
"""Postures that are held, and from when on [s]."""

_RATE_HZ, _TARGET_HZ = 100.0, 25.0
_STORY_S = 16.0
_OPTIONS = Options(rate_hz=_RATE_HZ)


@dataclass(frozen=True, eq=False)
class Act:
    """A motion that a loop made, for a player and a chart.

    Attributes:
        film: To be played.
        course: Joints and errors over time.
        warnings: Kinds of what went wrong in the loop.
    """

    film: Film
    course: Course
    warnings: tuple[str, ...]


def changing_moods() -> Act:
    """The lamp follows a wandering point with its light while it holds one posture after another."""
    lamp = load_character(LAMP)
    times = np.arange(0.0, _STORY_S, 1.0 / _TARGET_HZ)
    lines = [json.dumps({"time_s": time, "posture": mood}) for time, mood in MOODS[1:]]
    lines += [json.dumps({"time_s": float(time), "point": _wandering(float(time))}) for time in times]
    loop = Loop(build(lamp, MOODS[0][1], options=_OPTIONS), record=True)
    words = tuple((begin, f"It holds “{mood}” and looks on.") for begin, mood in MOODS)
    return _performed(loop, lines, _STORY_S, words)


def animation_underneath() -> Act:
    """The lamp plays a clip in which it looks left and right and nods, yet keeps facing one place."""
    lamp = load_character(LAMP)
    clip = load_clip(ANIMATION, lamp)
    loop = Loop(build(lamp, "rest", options=_OPTIONS, clip=clip), record=True)
    place = {"time_s": 0.0, "point": (0.42, -0.22, 0.1)}
    words = ((0.0, "Translucent: the animation. It goes on underneath."),)
    return _performed(loop, [json.dumps(place)], clip.duration, words)


def _wandering(time: float) -> tuple[float, float, float]:
    """A point on a lying eight before the lamp [m]."""
    around = 0.6 * np.sin(2.0 * np.pi * time / 8.0)
    height = 0.2 + 0.08 * np.sin(2.0 * np.pi * time / 4.0)
    return float(0.6 * np.cos(around)), float(0.6 * np.sin(around)), float(height)


def _performed(loop: Loop, lines: list[str], seconds: float, words: tuple[tuple[float, str], ...]) -> Act:
    """Plays lines for a while [s]."""
    report = loop.play(seconds=seconds, source=FileTargets(lines, _TARGET_HZ))
    clip, commands, end_point = loop.clip(), loop.commands, loop.chain.end_point
    errors = np.array([commands[0].error_rad, *(command.error_rad for command in commands)])
    changing = np.array([False, *(command.changing for command in commands)])
    targets = [one.get(end_point.name) for one in loop.faced()]
    film = facing_film(loop.problem.character, clip, loop.held(), end_point, targets, errors, words)
    joints = loop.chain.names
    course = Course(
        f"{report.branch_changes} changes of branch",
        joints,
        clip.times,
        clip.selected(joints).positions,
        np.degrees(errors),
        "off the target",
        "°",
        changing,
    )
    return Act(film, course, tuple(one.kind for one in report.warnings))
