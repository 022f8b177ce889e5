"""CSV of bare numbers, as retargeted motion of floating robots is passed around.

One line a frame, no header: base x, y, z [m], base quaternion, joints [rad or m]. The quaternion is x, y, z, w in
Unitree's files and all that follow them, w, x, y, z in Kimodo's and others that print MuJoCo's `qpos`. Names, rate and
the order of the quaternion are nowhere in it; exports put them into a file beside it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from animato.character import Character
from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.files import read_text_blocks, read_text_whole, shortened
from animato.formats.tables import read_table
from animato.formats.training.about import About, about_beside
from animato.formats.training.quaternion_order import (
    QuaternionOrder,
    as_wxyz,
    checked_order,
    doubts_of_order,
    guessed_order,
)
from animato.formats.training.robot_clip import clip_of_rows, unit_turns
from animato.formats.training.robot_order import JointOrder, names_of_columns
from animato.motion import Clip

TRAINING_HZ = 30.0
"""Frames a second where nobody says otherwise."""

_FEWEST = 7  # columns: those of the base


def robot_csv_text(qpos: np.ndarray, quaternion_order: QuaternionOrder) -> str:
    """The content of such a file, with all digits.

    Args:
        qpos: Base x, y, z [m], quaternion w, x, y, z, joints [rad or m], shape [frame, 7 + joint].
        quaternion_order: As it is written.
    """
    rows = np.array(qpos)
    if quaternion_order == "xyzw":
        rows[:, 3:7] = rows[:, [4, 5, 6, 3]]
    return "".join(",".join(map(repr, row)) + "\n" for row in rows.tolist())


def is_bare_csv(path: str | Path) -> bool:
    """Whether a file has no header but numbers at once, enough of them for a floating robot."""
    for line in next(read_text_blocks(path, block=1 << 16), "").splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = _separated(line).replace(";", ",").replace("\t", ",").rstrip(",").split(",")
        try:
            return len([float(cell) for cell in cells]) >= _FEWEST
        except ValueError:
            return False
    return False


def load_robot_csv(
    path: str | Path,
    character: Character | None,
    *,
    rate_hz: float | None = None,
    quaternion_order: str | None = None,
    joint_order: JointOrder | None = None,
) -> Clip:
    """Reads such a file; the clip's source says what was taken for granted.

    Args:
        path: The file.
        character: Whose motion it is; tells the names of the joints.
        rate_hz: Frames a second; 30 where neither given nor said beside the file.
        quaternion_order: Of the base; what the motion makes likely where neither given nor said beside the file.
        joint_order: Of the columns; depth first where neither given nor said beside the file.

    Raises:
        FileFormatError: It holds something else than numbers, or not the joints of that character.
        MotionError: The character is not stated, or the order of the quaternion cannot be told.
    """
    wanted = checked_order(quaternion_order)
    if rate_hz is not None and not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise OptionError(f"`rate_hz` must be greater than 0, given {rate_hz}.")
    if character is None:
        raise MotionError(f"{path} holds numbers without names; say for which character its clip is wanted.")
    table = read_table(_separated(read_text_whole(path)), path, header=False)
    for index in range(table.values.shape[1]):
        table.check_complete(index)
    rows = table.values
    about = about_beside(path, *rows.shape)
    names = _names(path, character, rows.shape[1], about, joint_order)
    notes = []
    if about is None and rate_hz is None:
        notes.append(f"{TRAINING_HZ:g} frames a second taken")
    rate = rate_hz or (about.rate_hz if about else TRAINING_HZ)
    if about is not None and about.base_rests:
        return clip_of_rows(path, character, names, rows, rate, (), base=False)
    rows[:, 3:7] = unit_turns(rows[:, 3:7], path, table.lines)
    order = wanted or (about.quaternion_order if about else None)
    if order is None:
        order = _guessed(path, character, names, rows)
        if character.floats:
            notes.append(f"quaternion taken as {', '.join(order)}")
    if wanted is not None:
        notes += doubts_of_order(character, names, rows, wanted)
    rows[:, 3:7] = as_wxyz(rows[:, 3:7], order)
    return clip_of_rows(path, character, names, rows, rate, notes)


def _names(
    path: str | Path, character: Character, columns: int, about: About | None, order: JointOrder | None
) -> tuple[str, ...]:
    if about is not None and order is None:
        return about.joint_names
    names = names_of_columns(character, columns - _FEWEST, order or "depth_first")
    if names is None:
        there = character.coordinate_names
        help_ = "Give the character whose motion it is."
        if names_of_columns(character, columns - _FEWEST - 1, order or "depth_first") is not None:
            help_ = "Without one of the columns it would fit: remove one that counts frames or tells the time."
        raise FileFormatError(
            path,
            f"it has {columns} columns: 7 of the base and {columns - _FEWEST} joints; '{character.name}' has "
            f"{len(there)} coordinates ({shortened(', '.join(there))}). {help_}",
        )
    return names


def _guessed(path: str | Path, character: Character, names: tuple[str, ...], rows: np.ndarray) -> QuaternionOrder:
    if not character.floats:
        return "xyzw"  # the base is not used
    order = guessed_order(character, names, rows)
    if order is None:
        raise MotionError(
            f"{path} does not say whether the quaternion of the base is w, x, y, z or x, y, z, w, and its motion does "
            "not tell either. Give `quaternion_order`: xyzw for files of Unitree's layout, wxyz for those of Kimodo's."
        )
    return order


def _separated(text: str) -> str:
    """Numbers that are separated by nothing but spaces, as numpy prints them, with commas between them."""
    first = next((line for line in text[: 1 << 16].splitlines() if line.strip() and not line.startswith("#")), "")
    if any(mark in first for mark in ",;\t") or len(first.split()) < _FEWEST:
        return text
    return "".join(",".join(line.split()) + "\n" if "#" not in line else line + "\n" for line in text.splitlines())
