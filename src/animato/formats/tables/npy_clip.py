"""Clips from bare arrays (.npy): frames by columns, without names, times or units.

What is missing the character and the caller say: the columns are the positions of its motors in the
order of its joints, or of all its coordinates where there are as many; the rate is stated.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.errors import AnimatoError, FileFormatError, MotionError, OptionError
from animato.formats.files import read_bytes_whole
from animato.formats.tables.npy_archive import array_of_npy
from animato.motion import Clip


def clip_from_array(character: Character, array: ArrayLike, rate_hz: float, *, source: str = "") -> Clip:
    """A clip of an array without names.

    Args:
        character: Whose motion it is. With as many columns as `actuated_coordinate_names`, these are
            the columns, in this order (for USD robots: the joints with drives, as the file lists them);
            with as many as `coordinate_names`, all coordinates are.
        array: [rad or m], shape [frame, column].
        rate_hz: Frames a second.
        source: Where it came from, for people.

    Raises:
        MotionError: The columns fit neither.
    """
    if not (math.isfinite(rate_hz) and rate_hz > 0.0):
        raise OptionError(f"The rate of a clip must be greater than 0 Hz, not {rate_hz}.")
    positions = np.asarray(array)
    if positions.ndim != 2 or not len(positions) or positions.dtype.kind not in "fiu":
        raise MotionError(f"A clip is an array of numbers, frames by columns, not of shape {positions.shape}.")
    motors, all_names = character.actuated_coordinate_names, character.coordinate_names
    count = positions.shape[1]
    if count not in (len(motors), len(all_names)):
        raise MotionError(
            f"The array has {count} columns; '{character.name}' has {len(motors)} motor coordinates "
            f"({', '.join(motors[:12])}{', ...' if len(motors) > 12 else ''}) and {len(all_names)} coordinates in all."
        )
    names = motors if count == len(motors) else all_names
    return Clip(np.arange(len(positions)) / rate_hz, names, positions.astype(np.float64), source=source)


def load_npy_clip(path: str | Path, character: Character | None, *, rate_hz: float | None = None) -> Clip:
    """Reads a bare array as a clip; see `clip_from_array`.

    Args:
        path: The .npy file.
        character: Whose motion it is.
        rate_hz: Frames a second; the file does not say.

    Raises:
        FileFormatError: It is no plain array of numbers, or does not fit the character.
        MotionError: The character or the rate is not stated.
    """
    if character is None:
        raise MotionError(f"{path} is an array without names; say for which character its clip is wanted.")
    if rate_hz is None:
        raise MotionError(f"{path} is an array without times; say its frames a second: `rate_hz`.")
    array = array_of_npy(read_bytes_whole(path), Path(path).name, path)
    try:
        return clip_from_array(character, array, rate_hz, source=str(path))
    except OptionError:
        raise
    except AnimatoError as error:
        raise FileFormatError(path, str(error)) from None
