"""Drawings and files: lines in space come onto the board in which they lie, flat ones onto the one that is open."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from animato.character import Character
from animato.errors import AnimatoError, MotionError
from animato.findings import distance
from animato.formats.strokes import PenStroke, lines_of, read_strokes
from animato.motion import Stroke
from animato.studio.drawing.lines import Board, Drawn, DrawnStroke, DrawnWishes
from animato.studio.drawing.points import point_for_page
from animato.trace.sketch import timed

STUDIO = "studio"
"""Field of a file of strokes in which the studio keeps boards and wishes; other readers pass it by."""

_ROOM = 0.8  # of the board that a flat drawing takes where it is larger, or so small that nobody would see it
_TINY = 0.05  # of the board
_AIR_S = 0.1  # from line to line, as `in_sequence` has it
_FLAT = 1e-6  # [m] off a board that are none
_UPRIGHT = 0.5  # of the way up that a board has where it is no table


@dataclass(frozen=True, eq=False)
class Brought:
    """What a file holds.

    Attributes:
        drawn: The drawing.
        words: What is otherwise than in the file, in sentences.
    """

    drawn: Drawn
    words: str


def read_drawing(character: Character, place: Path, point: str, board: Board) -> Brought:
    """Reads a drawing.

    Args:
        character: The robot; a line that is called like one of its points is drawn by that.
        place: Of the file: strokes as JSON, or SVG.
        point: Draws all other lines.
        board: Where flat drawings go.

    Raises:
        AnimatoError: It cannot be read, or nothing is drawn in it.
    """
    strokes = read_strokes(place)
    named = [(_drawer(character, name, point), line) for name, stroke in strokes.items() for line in _lines(stroke)]
    if not named:
        raise MotionError(f"'{place.name}' holds points and no line; a line has two places at least.")
    kept = _kept(place)
    told = [note for stroke in strokes.values() for note in getattr(stroke, "notes", ())]
    if all(line.points.shape[1] == 2 for _, line in named):
        placed = _on_board([line.points for _, line in named], board)
        boards, flat = [board] * len(named), placed
    else:
        places = [_in_space(line.points) for _, line in named]
        boards = _boards_of(places, kept.get("boards"))
        pairs = [one.from_world(line) for one, line in zip(boards, places, strict=True)]
        flat = [pair[0] for pair in pairs]
        off = max(pair[1] for pair in pairs)
        if off > _FLAT:
            told.append(f"Lines of a drawing are flat here: they are moved by {distance(off, angular=False)} at most.")
    lines = [_line(name, one, at, line) for (name, line), one, at in zip(named, boards, flat, strict=True)]
    return Brought(Drawn(tuple(lines), _wishes(kept)), " ".join(told))


def strokes_of(drawn: Drawn) -> dict[str, Stroke]:
    """The lines of a drawing in the world, by the point that draws them; between lines the pen is lifted."""
    found: dict[str, Stroke] = {}
    for point in drawn.points:
        lines = [line for line in drawn.strokes if line.point == point]
        ends = np.cumsum([len(line.times) for line in lines])
        begins = np.cumsum([0.0, *(line.duration + _AIR_S for line in lines[:-1])])
        found[point] = PenStroke(
            np.vstack([line.world.points for line in lines]),
            np.concatenate([line.times + begin for line, begin in zip(lines, begins, strict=True)]),
            np.concatenate([line.pressures for line in lines]),
            lifts=tuple(int(end) for end in ends[:-1]),
        )
    return found


def _drawer(character: Character, name: str, point: str) -> str:
    try:
        point_for_page(character, name)
    except AnimatoError:
        return point
    return name


def _lines(stroke: Stroke) -> list[Stroke]:
    """Lines with times; dots are none."""
    lines = [line for line in lines_of(stroke) if len(line.points) > 1 and line.length > 0.0]
    return [line if line.times is not None else timed(line) for line in lines]


def _kept(place: Path) -> Mapping[str, Any]:
    """What a studio has written beside the lines."""
    if place.suffix.lower() != ".json":
        return {}
    data = json.loads(place.read_text(encoding="utf-8-sig"))  # it was read as JSON already
    kept = data.get(STUDIO) if isinstance(data, dict) else None
    return kept if isinstance(kept, dict) else {}


def _wishes(kept: Mapping[str, Any]) -> DrawnWishes:
    wishes = kept.get("wishes")
    try:
        return DrawnWishes.from_values(wishes) if isinstance(wishes, dict) else DrawnWishes()
    except AnimatoError:
        return DrawnWishes()


def _in_space(points: np.ndarray) -> np.ndarray:
    return points if points.shape[1] == 3 else np.column_stack([points, np.zeros(len(points))])


def _on_board(lines: Sequence[np.ndarray], board: Board) -> list[np.ndarray]:
    """Flat lines in the middle of a board, as large as they are where that fits."""
    points = np.vstack(lines)
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.maximum(high - low, 1e-9)
    fit = float(np.min(np.array([board.width, board.height]) / size))
    scale = 1.0 if 1.0 <= fit <= 1.0 / _TINY else _ROOM * fit
    return [scale * (line - 0.5 * (low + high)) for line in lines]


def _boards_of(lines: Sequence[np.ndarray], kept: Any) -> list[Board]:
    """The board of each line: the one that the file says, where the line lies in it, or the one in which all lie."""
    together = _through(np.vstack(lines))
    apart = together.from_world(np.vstack(lines))[1] > _FLAT
    found = []
    for number, line in enumerate(lines):
        own = _through(line) if apart else together
        said = kept[number] if isinstance(kept, list) and number < len(kept) else None
        try:
            board = Board.from_values(said) if isinstance(said, dict) else own
        except AnimatoError:
            board = own
        found.append(board if board.from_world(line)[1] <= _FLAT else own)
    return found


def _through(points: np.ndarray) -> Board:
    """The board nearest to points, upright where it can be."""
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    around = points - points.mean(axis=0)
    normal = np.asarray(np.linalg.eigh(around.T @ around)[1][:, 0])
    table = abs(normal[2]) > _UPRIGHT
    up = np.array([1.0, 0.0, 0.0]) if table else np.array([0.0, 0.0, 1.0])
    up = up - (up @ normal) * normal
    up /= np.linalg.norm(up)
    side = normal if (normal[2] if table else -(normal @ middle)) >= 0.0 else -normal  # seen from above, or the robot
    right = np.cross(up, side)
    flat = np.column_stack([points @ right, points @ up])
    width, height = np.ptp(flat, axis=0) * 1.25
    origin = points.mean(axis=0) + ((middle - points.mean(axis=0)) @ right) * right
    values = {"kind": "board", "origin": origin.tolist(), "right": right.tolist(), "up": up.tolist()}
    return Board.from_values({**values, "width": float(width), "height": float(height)})


def _line(point: str, board: Board, places: np.ndarray, line: Stroke) -> DrawnStroke:
    assert line.times is not None  # `_lines` has given times to all
    pressures = np.full(len(places), 0.5) if line.pressure is None else line.pressure
    return DrawnStroke(point, board, places, line.times - line.times[0], pressures)
