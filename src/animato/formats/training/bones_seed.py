"""CSV as in BONES-SEED's motions of a robot: a header, centimetres and degrees.

    Frame,root_translateX,root_translateY,root_translateZ,root_rotateX,root_rotateY,root_rotateZ,left_knee_joint_dof,...

The base is x, y, z [cm] and angles about the world's x, y and z, in this order [degrees]; joints are in degrees, and
their names end in `_dof`. It does not say its rate, which is 120 frames a second in that data set.
"""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.errors import FileFormatError, MotionError
from animato.formats.files import units_of
from animato.formats.tables import Column, CsvTable, check_name, source_of, times_of_table, written_table
from animato.formats.training.about import about_beside
from animato.formats.training.base_rows import base_rows
from animato.formats.training.euler_degrees import degrees_from_quaternions, quaternions_from_degrees
from animato.formats.training.robot_order import joint_columns
from animato.motion import Clip

BONES_HZ = 120.0
_BASE = tuple(f"root_{what}{axis}" for what in ("translate", "rotate") for axis in "XYZ")
_END = "_dof"


def is_bones_table(table: CsvTable) -> bool:
    """Whether the header is that of BONES-SEED."""
    return set(_BASE) <= {column.name for column in table.columns}


def clip_from_bones(table: CsvTable, rate_hz: float | None = None) -> Clip:
    """The clip that such a table holds; its source says which rate was taken.

    Args:
        table: As it was read.
        rate_hz: Frames a second; 120 where neither given nor said beside the file.
    """
    about = about_beside(table.path, *table.values.shape)
    rate = rate_hz or (about.rate_hz if about else None)
    names = [column.name for column in table.columns]
    for index in range(len(names)):
        table.check_complete(index)
    times, used = times_of_table(table, rate or (None if {"fps", "rate_hz"} & set(table.comments) else BONES_HZ))
    base = table.values[:, [names.index(name) for name in _BASE]]
    rest = [n for n, name in enumerate(names) if name not in _BASE and n not in used]
    moves = about is None or not about.base_rests
    source = source_of(table)
    if rate is None and "source" not in table.comments:
        source += f" ({BONES_HZ:g} frames a second taken)"
    try:
        return Clip(
            times,
            tuple(names[n].removesuffix(_END) for n in rest),
            np.column_stack([_in_si(table, n) for n in rest]) if rest else np.zeros((len(times), 0)),
            base[:, :3] / 100.0 if moves else None,
            quaternions_from_degrees(base[:, 3:]) if moves else None,
            source,
        )
    except MotionError as error:
        raise FileFormatError(table.path, str(error)) from None


def bones_csv_text(character: Character, clip: Clip, names: tuple[str, ...]) -> str:
    """The content of such a file. Joints that slide are in centimetres.

    Args:
        character: Whose motion it is.
        clip: With even frames.
        names: Of the columns of joints, in order.

    Raises:
        MotionError: A joint is a ball, or has a name that a table cannot hold.
    """
    units = units_of(names, character)
    for name, unit in zip(names, units, strict=True):
        check_name(name)
        if unit == "1":
            raise MotionError(f"'{name}' is part of a ball joint, which the format cannot hold: it has degrees only.")
    base, joints = base_rows(character, clip), joint_columns(character, clip, names)
    slides = np.array([unit == "m" for unit in units], dtype=bool)
    moved = np.where(slides, joints * 100.0, np.degrees(joints))
    values = np.hstack([base[:, :3] * 100.0, degrees_from_quaternions(base[:, 3:]), moved])
    # the unit stands over what slides only: readers of the format know the other names as they are
    columns = [Column(name, "") for name in _BASE]
    columns += [Column(name + _END, "cm" if slide else "") for name, slide in zip(names, slides, strict=True)]
    head, *rows = written_table([], columns, values).splitlines()
    return "".join([f"Frame,{head}\n", *(f"{frame},{row}\n" for frame, row in enumerate(rows))])


def _in_si(table: CsvTable, index: int) -> np.ndarray:
    values = table.values[:, index]
    return values / 100.0 if table.columns[index].unit == "cm" else np.radians(values)
