"""The robot at work, to be played: its line grows over the drawing, beside it the hand in its own rhythm."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.errors import AnimatoError
from animato.mechanics.limits import LimitUsage
from animato.report.kit import (
    COOL,
    Ball,
    Figure,
    Film,
    Line,
    Markup,
    Readout,
    Thing,
    Trail,
    film_player,
    section,
    use_of,
)
from animato.report.trace.path_chart import view_axes
from animato.report.trace.words import AT_LIMIT, KIND_WORDS
from animato.trace import Solution
from animato.trace.timing import performed_usage
from animato.view.raster import Colour

PLAYER = "film"
"""Identifier of the player; charts and the strip of limits name it."""

HAND: Colour = (0.58, 0.2, 0.75)
"""Of the dot that goes as the hand went."""

_STILL: Colour = (0.45, 0.45, 0.5)  # of places at which the hand paused
_DRAWING, _INK, _HAND = "what was drawn", "what the robot draws", "the hand in its own rhythm"
_CORNERS = 2400  # places of the drawing
_DOT = 0.016  # of the drawing's size
_ASIDE, _ABOVE = 1.2, 0.4  # of the way off the drawing to who looks
_PAUSE = 2e-4  # of the path: nearer to where the hand stood still the robot stands, too
_STAYS_S = 0.15  # words that are told for less cannot be read
_MOST_WORDS = 400
_TOLD = 2
_WORDS = (
    "Dashed: what was drawn. Orange: what the robot has drawn so far. The purple dot goes as the hand went: where it "
    "runs ahead, the robot is late. A click on a line, a curve or the strip below shows that moment."
)


def film_of(solution: Solution) -> Film:
    """The film of a drawing as a robot performs it."""
    character, clip = solution.problem.character, solution.clip
    figure = Figure(character, clip, use=use_of(character, clip_usage(solution)))
    sketch, s = solution.problem.sketch, np.linspace(0.0, 1.0, _CORNERS)
    drawn = np.where(sketch.is_down(s)[:, None, None], sketch.x_of_s(s), np.nan)
    down = sketch.is_down(solution.frame_places)
    done = np.where(down[:, None, None], solution.points_at(solution.frame_places), np.nan)
    hand, radius = _hand(solution), _DOT * drawing_size(sketch.positions)
    things: list[Thing] = []
    for point in range(len(sketch.points)):
        things += [
            Line(drawn[:, point], colour=COOL, dashed=True, layer=_DRAWING),
            Trail(clip.times, done[:, point], layer=_INK),
            Ball(clip.times, hand[:, point], colour=HAND, radius=radius, layer=_HAND),
        ]
        places = sketch.x_of_s(np.array([place for place, _ in solution.problem.drawn.pauses]))[:, point]
        things += [
            Ball(clip.times[:1], place[None], colour=_STILL, radius=0.6 * radius, layer="pauses") for place in places
        ]
    title = f"{character.name} while it performs {solution.problem.name}"
    seen_from = reading_side(drawn)
    return Film((figure,), (*things, *_readouts(solution, down)), _words(solution, down), title, seen_from=seen_from)


def film_section(solution: Solution) -> Markup | None:
    """The player under the headline; None where the robot cannot be drawn."""
    try:
        player = film_player(film_of(solution), PLAYER, trails=solution.problem.sketch.points)
    except AnimatoError:  # a robot that cannot be drawn can still draw
        return None
    return section("The robot at work", _WORDS, player)


def clip_usage(solution: Solution) -> LimitUsage:
    """How much of each limit that trace holds the clip uses; jerk only where it was asked for."""
    usage = solution.usage
    if solution.problem.options.jerk:
        return usage
    return replace(usage, shares={**usage.shares, "jerk": np.full_like(usage.shares["jerk"], np.nan)})


def reading_side(drawn: np.ndarray) -> np.ndarray:
    """The way to who sees the drawing unmirrored, from beside the robot and a little above, [3].

    Args:
        drawn: [m], NaN in the air, [place, point, 3].
    """
    right, up = view_axes(drawn[np.isfinite(drawn[:, 0, 0])])
    return np.asarray(np.cross(right, up) + _ASIDE * right + _ABOVE * np.array([0.0, 0.0, 1.0]))


def drawing_size(places: np.ndarray) -> float:
    """How large a drawing is [m], from its places [..., 3]."""
    return max(float(np.linalg.norm(np.ptp(places.reshape(-1, 3), axis=0))), 1e-3)


def _hand(solution: Solution) -> np.ndarray:
    """Where the hand was at each frame of the clip, at the tempo that counts [m], [frame, point, 3]."""
    s = solution.frame_places
    due = solution.scaling.time_of(s)
    if solution.problem.options.timing == "relative":
        due = due / solution.tempo
    drawn = solution.problem.drawn
    # at a pause two nodes share one s: there the hand waits
    return solution.problem.sketch.x_of_s(np.interp(due, drawn.times - drawn.times[0], drawn.s))


def _readouts(solution: Solution, down: np.ndarray) -> list[Thing]:
    """How far the robot is off the line and the rhythm, while the pen is down."""
    times, s = solution.clip.times, solution.frame_places
    off = np.linalg.norm(solution.points_at(s) - solution.problem.sketch.x_of_s(s), axis=-1).max(axis=1)
    scale, unit = (1000.0, "mm") if float(off.max()) < 1.0 else (1.0, "m")
    late = 1000.0 * solution.lateness(s)
    return [
        Readout(times, np.where(down, scale * off, np.nan), after=f" {unit} off the line"),
        Readout(times, np.where(down & (late >= 0.0), late, np.nan), after=" ms behind the rhythm", digits=0),
        Readout(times, np.where(down & (late < 0.0), -late, np.nan), after=" ms ahead of the rhythm", digits=0),
    ]


def _words(solution: Solution, down: np.ndarray) -> tuple[tuple[float, str], ...]:
    """What the pen does and what holds the robot back, from each time on at which that changes [s]."""
    told: list[tuple[float, str]] = []
    frames = zip(
        solution.clip.times.tolist(), down.tolist(), _pausing(solution).tolist(), _holders(solution), strict=True
    )
    for time, drawing, resting, names in frames:
        words = f"Held back by {', '.join(names[:_TOLD])}{', ...' if len(names) > _TOLD else ''}" if names else ""
        if not drawing:
            words = "The pen is in the air"
        elif resting:
            words = "A pause of the hand"
        if told and told[-1][1] == words:
            continue
        if told and time - told[-1][0] < _STAYS_S:
            told.pop()
        if not told or told[-1][1] != words:
            told.append((float(time), words))
    return tuple(told) if len(told) <= _MOST_WORDS else ()


def _pausing(solution: Solution) -> np.ndarray:
    """Whether each frame is where the hand stood still on its way, [frame]."""
    s, drawn = solution.frame_places, solution.problem.drawn
    found = np.zeros(len(s), dtype=bool)
    for place, _ in drawn.pauses:
        found |= np.abs(s - place) < _PAUSE
    return found


def _holders(solution: Solution) -> list[list[str]]:
    """Limits that the timing fully uses where each frame is, in words, [frame]."""
    when = solution.scaling.time_of(solution.frame_places)
    usage = performed_usage(solution.problem.character, solution.path, solution.scaling, when)
    found: list[list[str]] = [[] for _ in when]
    for kind, word in KIND_WORDS.items():
        if kind == "position":
            continue
        for axis, column in zip(usage.axes, np.nan_to_num(usage.shares[kind], nan=0.0).T, strict=True):
            for frame in np.flatnonzero(column >= AT_LIMIT):
                found[frame].append(f"{axis.name.replace('_', ' ')}'s {word}")
    return found
