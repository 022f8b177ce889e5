"""Whether four numbers are a quaternion w, x, y, z or x, y, z, w.

Their length is 1 either way, and the angle from frame to frame is the same either way: neither tells. What tells:

- What stands on the ground stands still. In every frame some body of a robot hardly moves, a foot above all; read the
  wrong way the base faces elsewhere, the legs walk against the motion of the base and everything slides.
- Where nothing moves, robots are upright more often than not. (0, 0, 0, 1) is no evidence of that kind: it is upright
  both ways.
- Numbers that are exactly those of no turn at all were written by somebody who meant no turn at all.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from animato.character import Character
from animato.errors import OptionError
from animato.formats.training.opened import opened
from animato.mechanics.tree import forward_kinematics
from animato.motion import Clip
from animato.spatial import quaternions

QuaternionOrder = Literal["wxyz", "xyzw"]

_PAIRS = 200  # frames, each with the one after it, that are looked at
_STILL = 1e-5  # [m] from frame to frame; below this everything counts as still
_ENOUGH = 1.5  # times that the stillest body moves less
_UPRIGHT = 0.8  # height of an axis that points up, of 1: within 37 degrees
_MORE_UPRIGHT = 0.2  # by which the height of an axis that points up differs, of 1


def as_wxyz(turns: np.ndarray, order: QuaternionOrder) -> np.ndarray:
    """Quaternions w, x, y, z, shape [frame, 4], of quaternions in that order."""
    return turns if order == "wxyz" else turns[:, [3, 0, 1, 2]]


def checked_order(order: str | None) -> QuaternionOrder | None:
    """An order that was given.

    Raises:
        OptionError: It is none.
    """
    for known in get_args(QuaternionOrder):
        if order == known:
            return known
    if order is None:
        return None
    raise OptionError(f"`quaternion_order` is one of {', '.join(get_args(QuaternionOrder))}; given {order!r}.")


def guessed_order(character: Character, names: tuple[str, ...], rows: np.ndarray) -> QuaternionOrder | None:
    """The order that the motion makes likely; None where it does not tell.

    Args:
        character: Whose motion it is.
        names: Coordinates of the columns behind the base's.
        rows: Base x, y, z [m], four numbers of unit length, coordinates [rad or m], shape [frame, 7 + name].
    """
    slid, upright = evidence(character, names, rows)
    pairs: tuple[tuple[QuaternionOrder, QuaternionOrder], ...] = (("xyzw", "wxyz"), ("wxyz", "xyzw"))
    for better, other in pairs:
        if _ENOUGH * slid[better] < slid[other]:
            return better
    for better, other in pairs:
        if upright[better] > upright[other] + _MORE_UPRIGHT:
            return better
    first = np.abs(rows[0, 3:7])
    if np.array_equal(first, (0.0, 0.0, 0.0, 1.0)):
        return "xyzw"
    return "wxyz" if np.array_equal(first, (1.0, 0.0, 0.0, 0.0)) else None


def doubts_of_order(
    character: Character | None, names: tuple[str, ...], rows: np.ndarray, order: QuaternionOrder
) -> tuple[str, ...]:
    """What has to be said where a motion speaks for another order than the one that was stated.

    Args:
        character: Whose motion it is; None where that is not known, and then nothing is said.
        names: Of the columns behind the base's.
        rows: Base x, y, z [m], four numbers of unit length as they stand in the file, joints, shape [frame, 7 + name].
        order: In which they are read.
    """
    if character is None or not character.floats:
        return ()
    slid, upright = evidence(character, names, rows)
    other: QuaternionOrder = "xyzw" if order == "wxyz" else "wxyz"
    if upright[order] < 0.0 and upright[other] > _UPRIGHT:
        return ("the base is upside down; with the other order of the quaternion it would be upright",)
    if _ENOUGH * slid[other] < slid[order]:
        return ("what should stand on the ground slides; with the other order of the quaternion it would stand",)
    return ()


def evidence(
    character: Character, names: tuple[str, ...], rows: np.ndarray
) -> tuple[dict[QuaternionOrder, float], dict[QuaternionOrder, float]]:
    """For each order: how far the stillest body goes from frame to frame [m], and how upright the base is (-1 to 1)."""
    starts = np.unique(np.linspace(0, max(len(rows) - 2, 0), min(_PAIRS, max(len(rows) - 1, 1))).astype(int))
    frames = np.column_stack([starts, np.minimum(starts + 1, len(rows) - 1)]).ravel()
    slid: dict[QuaternionOrder, float] = {}
    upright: dict[QuaternionOrder, float] = {}
    for order in get_args(QuaternionOrder):
        turns = quaternions.normalized(as_wxyz(rows[frames, 3:7], order))
        upright[order] = float(np.mean(quaternions.rotate(turns, np.tile((0.0, 0.0, 1.0), (len(turns), 1)))[:, 2]))
        slid[order] = _STILL + _slide(character, names, rows[frames], turns)
    return slid, upright


def _slide(character: Character, names: tuple[str, ...], rows: np.ndarray, turns: np.ndarray) -> float:
    """How far the stillest body goes from the first to the second frame of each pair [m], on average."""
    tree = opened(character)
    known = [n for n, name in enumerate(names) if name in tree.coordinate_names]
    clip = Clip(
        np.arange(len(rows), dtype=np.float64),
        tuple(names[n] for n in known),
        rows[:, 7:][:, known],
        rows[:, :3],
        turns,
    )
    places = forward_kinematics(tree, clip).positions
    steps = np.linalg.norm(places[1::2] - places[0::2], axis=2)
    return float(steps.min(axis=1).mean())
