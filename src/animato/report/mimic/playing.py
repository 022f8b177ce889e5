"""Person and robot in one player: the person beside the robot and as thin lines over it, soles and ZMP on the floor."""

from __future__ import annotations

from functools import partial

import numpy as np

from animato.mechanics.contact import convex_hull
from animato.mimic import Solution
from animato.report.kit import (
    OFF,
    Figure,
    Film,
    FloorPolygon,
    Markup,
    Readout,
    StickFigure,
    Thing,
    film_player,
    use_of,
)
from animato.report.mimic.holding import holders
from animato.report.mimic.shown import RIM, Shown, gather
from animato.report.mimic.sticks import bones_of, edges_of
from animato.report.mimic.words import capture_name
from animato.view.raster import Colour
from animato.view.scene import set_stage

PLAYER = "film"
"""Identifier of the player; charts, strips and sentences of the page name it."""

_PERSON: Colour = (0.66, 0.0, 0.37)
_ROBOT: Colour = (1.0, 0.81, 0.23)
_MESH: Colour = (0.0, 0.62, 0.45)
_WITHOUT: Colour = (0.84, 0.37, 0.0)
_THICK, _THIN, _MARKER = 0.011, 0.0035, 0.008  # of the robot's size: bones, bones over the robot, markers
_APART = 1.15  # widths of the wider one between person and robot
_MOST_MESHES = 600
_STAYS_S = 0.12  # words that are told for less cannot be read
_MOST_WORDS = 600


def pair_player(shown: Shown, *, still: bool = True) -> Markup:
    """The player, at the moment at which key-points are farthest off.

    Args:
        shown: A solution, with what is shown of it.
        still: Whether there is a picture where nothing can play.
    """
    worst = float(shown.times[int(np.argmax(shown.after.mean(axis=1)))])
    return film_player(film_of(shown), PLAYER, begin_s=worst, still=still)


def film_of(result: Solution | Shown) -> Film:
    """The film of person and robot, of a solution or of what is shown of it."""
    shown = result if isinstance(result, Shown) else gather(result)
    solution = shown.solution
    character, times = solution.problem.character, shown.times
    figures = [Figure(character, solution.clip, use=use_of(character, solution.usage))]
    if solution.problem.options.balance:
        name = "without balance and torque"
        figures.append(Figure(character, solution.kinematic, name=name, ghost=True, colour=_WITHOUT, placing=OFF))
    things = [
        *_persons(shown),
        _soles(shown),
        Readout(times, 1e3 * shown.after.mean(axis=1), before="key-points ", after=" mm off"),
        Readout(times, _known(1e3 * shown.inside, shown.inside >= -RIM), before="ZMP ", after=" mm inside the soles"),
        Readout(times, _known(-1e3 * shown.inside, shown.inside < -RIM), before="ZMP ", after=" mm outside the soles"),
    ]
    title = f"{capture_name(solution)}, the person, beside {character.name}, who mimics it"
    return Film(tuple(figures), tuple(things), _words(shown), title)


def _persons(shown: Shown) -> list[Thing]:
    """The person beside the robot, and over it; markers and meshes of both."""
    times, bones, size = shown.times, tuple(bones_of(shown.names)), shown_size(shown)
    edges, present = _mesh(shown.person)
    beside, here = _beside(shown), (0.0, 0.0, 0.0)
    bare = partial(StickFigure, times, markers=False)
    over = partial(bare, shown.person, bones, thickness=_THIN * size, through=True)
    dots = partial(StickFigure, times, thickness=_MARKER * size / 1.5, through=True, layer="markers")
    mesh = partial(bare, edges=edges, present=present, colour=_MESH, through=True, layer="mesh", shown=False)
    return [
        bare(shown.person, bones, thickness=_THICK * size, shift=beside),
        over(layer="the person over the robot"),
        dots(shown.person, colour=_PERSON, shift=beside),
        dots(shown.robot, colour=_ROBOT, shift=here),
        mesh(shown.person, shift=beside),
        mesh(shown.robot, shift=here),
    ]


def shown_size(shown: Shown) -> float:
    """How tall the robot stands [m]."""
    return float(max(np.ptp(shown.robot[0, :, 2]), np.ptp(shown.person[0, :, 2]), 1e-3))


def _beside(shown: Shown) -> tuple[float, float, float]:
    """Where the person stands from the robot [m]: at the left of who sees the robot from where our pictures do."""
    solution = shown.solution
    camera = set_stage(solution.problem.character, solution.clip).camera
    across = camera.axes[0] * (1.0, 1.0, 0.0)
    across = across / max(float(np.linalg.norm(across)), 1e-9)
    wide = max(float(np.ptp((one - shown.robot[:, :1]) @ across)) for one in (shown.person, shown.robot))
    x, y, z = -(_APART * wide + 0.08 * shown_size(shown)) * across
    return float(x), float(y), float(z)


def _mesh(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All edges that the mesh has in any frame, [edge, 2], and in which it has them, [frame, edge].

    Of long captures only some frames are looked at; those between are as their neighbours.
    """
    chosen = np.unique(np.linspace(0, len(points) - 1, _MOST_MESHES).round().astype(int))
    each = [edges_of(frame) for frame in points[chosen]]
    pairs = np.unique(np.concatenate(each), axis=0)
    keys = pairs @ [1000, 1]
    present = np.stack([np.isin(keys, frame @ [1000, 1]) for frame in each])
    return pairs, present[np.searchsorted(chosen, np.arange(len(points)))]


def _soles(shown: Shown) -> FloorPolygon:
    """What stands on the floor, and the ZMP."""
    outlines = []
    for corners, there in zip(shown.corners, shown.planted, strict=True):
        standing = corners[there, :2]
        outlines.append(convex_hull(standing) if len(standing) > 2 else np.zeros((0, 2)))
    return FloorPolygon(shown.times, outlines, shown.solution.zmp, ~(shown.inside < -RIM))


def _known(values: np.ndarray, where: np.ndarray) -> np.ndarray:
    return np.where(where, values, np.nan)


def _words(shown: Shown) -> tuple[tuple[float, str], ...]:
    """What holds the motion, from each time on at which that changes [s]."""
    told: list[tuple[float, str]] = []
    flying = ~np.isfinite(shown.solution.zmp).all(axis=1)
    for time, held, flies in zip(shown.times.tolist(), holders(shown), flying.tolist(), strict=True):
        words = f"held by {', '.join(held[:2])}{', ...' if len(held) > 2 else ''}" if held else ""
        words = "in the air" + (f", {words}" if words else "") if flies else words
        if told and told[-1][1] == words:
            continue
        if told and time - told[-1][0] < _STAYS_S:
            told.pop()
        if not told or told[-1][1] != words:
            told.append((float(time), words))
    return tuple(told) if len(told) <= _MOST_WORDS else ()
