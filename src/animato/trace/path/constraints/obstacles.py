"""What a path shall avoid, as a person writes it: the robot itself, the board, boxes, balls, cylinders, scenes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from animato.character import Box, Capsule, Character, Cylinder, Frame, Geometry, Shape, Sphere
from animato.errors import MotionError, OptionError
from animato.loading import as_character
from animato.mechanics.collision import Obstacle, box_behind, obstacles_of
from animato.mechanics.tree import build_point_kinematics, forward_kinematics, states_of_posture
from animato.motion import Posture
from animato.trace.sketch import Sketch

SELF, BOARD = "self", "board"
FLAT = 0.02
"""Of its size, how far a stroke may leave its plane and still be drawn on a board."""
_MARGIN, _DEPTH = 0.05, 0.3  # [m] of the board, beyond the drawing and behind it
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?"
_TEXT = re.compile(
    rf"(?P<kind>box|sphere|cylinder|capsule)\s+(?P<sizes>{_NUMBER}(?:\s*,\s*{_NUMBER})*)"
    rf"\s+at\s+(?P<at>{_NUMBER}(?:\s*,\s*{_NUMBER}){{2}})"
)
_SIZES = {"box": 3, "sphere": 1, "cylinder": 2, "capsule": 2}
_HELP = (
    "What to avoid is 'self', 'board', a file with things in it, or a thing and its place in metres: 'box 0.2,0.3,0.1 "
    "at 0.5,0,0.2', 'sphere 0.1 at x,y,z', 'cylinder RADIUS,LENGTH at x,y,z', 'capsule RADIUS,LENGTH at x,y,z'."
)


def obstacles_from(
    words: Sequence[str], character: Character, sketch: Sketch, posture: Posture | None
) -> tuple[Obstacle, ...]:
    """The obstacles of a sketch.

    Args:
        words: What to avoid; "self" is no obstacle.
        character: Who draws.
        sketch: What is drawn: on the board, if there is one.
        posture: Where the robot begins; the board is where it is not.

    Raises:
        OptionError: A word that says nothing.
        MotionError: A board, but the drawing is not flat.
        AnimatoError: A file that cannot be read.
    """
    found: list[Obstacle] = []
    for word in words:
        text = " ".join(word.split())
        match = _TEXT.fullmatch(text)
        if match is not None:
            shape = Shape(_geometry(match["kind"], match["sizes"], word), Frame(_three(match["at"])))
            found.append(Obstacle(match["kind"], (shape,)))
        elif text == BOARD:
            found.append(_board(character, sketch, posture))
        elif text != SELF:
            if text.split(" ")[0] in _SIZES or not Path(word).suffix:
                raise OptionError(f"`avoid` cannot be read: '{word}'. {_HELP}")
            found += obstacles_of(as_character(word))
    return tuple(found)


def _board(character: Character, sketch: Sketch, posture: Posture | None) -> Obstacle:
    """Behind the drawing, as seen from the robot; the bodies that draw may touch it."""
    drawn = np.ascontiguousarray(sketch.positions[~sketch.in_air, 0])  # a lifted pen is off the board
    spread = np.linalg.svd(drawn - drawn.mean(axis=0), full_matrices=False)[1] / np.sqrt(len(drawn))
    off = float(spread[2])
    if off > FLAT * spread[0]:
        raise MotionError(
            f"A board is to be avoided, but the stroke is not flat: it leaves its plane by {1000.0 * off:.0f} mm. "
            f"State the board as a box, or leave it out."
        )
    poses = forward_kinematics(character, states_of_posture(character, posture))
    pens = tuple(point.body for point in build_point_kinematics(character, sketch.points).points)
    return Obstacle(BOARD, (box_behind(drawn, poses.positions[0].mean(axis=0), margin=_MARGIN, depth=_DEPTH),), pens)


def _three(text: str) -> tuple[float, float, float]:
    x, y, z = _numbers(text)
    return x, y, z


def _numbers(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split(","))


def _geometry(kind: str, sizes: str, word: str) -> Geometry:
    numbers = _numbers(sizes)
    if len(numbers) != _SIZES[kind]:
        raise OptionError(f"`avoid`: a {kind} has {_SIZES[kind]} sizes, '{word}' gives {len(numbers)}. {_HELP}")
    if kind == "box":
        return Box(numbers)  # type: ignore[arg-type]
    if kind == "sphere":
        return Sphere(*numbers)
    return Cylinder(*numbers) if kind == "cylinder" else Capsule(*numbers)
