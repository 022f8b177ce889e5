"""One drawing performed with several weights, side by side in one player."""

from __future__ import annotations

import numpy as np

from animato.errors import AnimatoError
from animato.gallery.trace.runs import TrendRun
from animato.report.kit import COOL, Figure, Film, Line, Markup, Thing, Trail, film_player, use_of
from animato.report.trace import clip_usage, reading_side
from animato.trace import Solution
from animato.view.scene import build_scene, outline_points, pose_bodies

PLAYER = "film"
"""Identifier of the player; charts name it."""

_APART = 1.1  # widths of the widest motion from one to the next
_CORNERS = 1200  # places of a drawing
_MOMENTS = 40


def trend_film(run: TrendRun) -> Film:
    """All performances at once, the least weight on the left; what is fast waits at its end."""
    first = run.traces[0]
    away = reading_side(first.problem.sketch.positions)
    across = np.array([-away[1], away[0], 0.0]) / max(float(np.hypot(away[0], away[1])), 1e-9)
    step = _APART * max(_width(one, across) for one in run.traces) * across
    figures, things = [], []
    for number, (label, one) in enumerate(zip(run.labels, run.traces, strict=True)):
        x, y, z = number * step
        character = one.problem.character
        use = use_of(character, clip_usage(one))
        figures.append(Figure(character, one.clip, name=label, shift=(x, y, z), use=use))
        things += _lines(one, run.shown, number * step)
    words = f"From left to right: {', '.join(run.labels)}"
    title = f"{first.problem.character.name} performs {first.problem.name} with several weights, side by side"
    longest = max((one.clip.times for one in run.traces), key=lambda times: float(times[-1]))
    return Film(tuple(figures), tuple(things), ((0.0, words),), title, longest, seen_from=away)


def trend_player(run: TrendRun) -> Markup | None:
    """The player; None where the robot cannot be drawn."""
    try:
        return film_player(trend_film(run), PLAYER)
    except AnimatoError:
        return None


def _lines(solution: Solution, point: int, shift: np.ndarray) -> list[Thing]:
    """What was drawn and what is drawn, beside the robot that draws it."""
    sketch, s = solution.problem.sketch, np.linspace(0.0, 1.0, _CORNERS)
    down = sketch.is_down(solution.frame_places)[:, None]
    done = np.where(down, solution.points_at(solution.frame_places)[:, point], np.nan)
    drawn = np.where(sketch.is_down(s)[:, None], sketch.x_of_s(s)[:, point], np.nan)
    return [
        Line(drawn + shift, colour=COOL, dashed=True, layer="what was drawn"),
        Trail(solution.clip.times, done + shift, layer="what the robot draws"),
    ]


def _width(solution: Solution, across: np.ndarray) -> float:
    """Of all that a performance is seen with [m]."""
    character, clip = solution.problem.character, solution.clip
    times = np.linspace(clip.times[0], clip.times[-1], _MOMENTS)
    robot = outline_points(build_scene(character), pose_bodies(character, clip, times))
    places = np.vstack([robot, solution.problem.sketch.positions.reshape(-1, 3)])
    return float(np.ptp(places @ across))
