"""BVH, the common file of motion capture, into a CapturedMotion.

A BVH says neither its unit nor which axis is up; both are guessed unless given, and the guess is
told in the motion's `source`. The result is in metres with z up, and a bone's rotation is zero
in the pose of the OFFSETs. An End Site is kept as a bone "<parent>.end" that never turns. Position
channels of a bone replace its OFFSET, as in files of Blender and most others.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.capture.bvh_hierarchy import LARGEST_NUMBER, BvhBone, parse_hierarchy
from animato.formats.capture.conventions import (
    check_metres_per_unit,
    check_up_axis,
    guessed_metres_per_unit,
    guessed_up_axis,
    sampled_frames,
    turns_z_up,
    vectors_z_up,
)
from animato.formats.files import read_text_whole, shortened
from animato.motion import CapturedMotion
from animato.spatial import quaternions

_SHORTEST_STEP, _LONGEST_STEP = 1e-6, 3600.0  # s; frame times beyond are damage
_BLOCK_LINES = 2000  # lines split into words at once; words take ten times the memory of their numbers
_MOST_VALUES = 50_000_000  # of frames times bones times four numbers: 400 MB


def load_bvh(
    path: str | Path, *, metres_per_unit: float | None = None, up_axis: str = "auto", first_frame: int = 0
) -> CapturedMotion:
    """Reads a BVH file.

    Args:
        path: The file.
        metres_per_unit: Length of the file's unit [m], such as 0.01 for centimetres; None guesses
            it from the height of the skeleton.
        up_axis: "y", "z", or "auto" to guess it from the skeleton.
        first_frame: Frames before this one are left out, such as a calibration pose; it is then at 0 s.

    Raises:
        FileFormatError: With the line of the trouble.
    """
    text = read_text_whole(path)
    return bvh_from_text(text, path, metres_per_unit=metres_per_unit, up_axis=up_axis, first_frame=first_frame)


def bvh_from_text(
    text: str,
    path: str | Path,
    *,
    metres_per_unit: float | None = None,
    up_axis: str = "auto",
    first_frame: int = 0,
) -> CapturedMotion:
    """The same of the content of a file; `path` only names it."""
    check_up_axis(up_axis)
    check_metres_per_unit(metres_per_unit)
    lines = text.splitlines()
    bones, motion_line = parse_hierarchy(lines, path)
    channel_count = sum(len(bone.channels or ()) for bone in bones)
    if channel_count == 0:
        raise FileFormatError(path, "no bone has CHANNELS, so nothing moves.")
    step, values = _motion_block(lines, motion_line, channel_count, path)
    if len(values) * len(bones) * 4 > _MOST_VALUES:
        raise FileFormatError(path, f"{len(values)} frames of {len(bones)} bones are more than fit; cut the file.")
    if not 0 <= first_frame < len(values):
        raise OptionError(f"first_frame must be 0 to {len(values) - 1}, given {first_frame}.")
    values = values[first_frame:]
    offsets = np.array([bone.offset for bone in bones], dtype=np.float64)
    translations = _translations(bones, offsets, values)
    rotations = _rotations(bones, values)
    parents = np.array([bone.parent for bone in bones])
    names = tuple(bone.name for bone in bones)
    notes = []
    if up_axis == "auto" or metres_per_unit is None:
        figure = _sampled_positions(parents, offsets, translations, rotations)
        if up_axis == "auto":
            up_axis = guessed_up_axis(figure)
            notes.append(f"{up_axis} taken as up")
        if metres_per_unit is None:
            metres_per_unit, unit = guessed_metres_per_unit(figure, up_axis, names)
            notes.append(f"unit taken as {unit}")
    try:
        return CapturedMotion(
            np.arange(len(values)) * step,
            names,
            parents,
            vectors_z_up(offsets * metres_per_unit, up_axis),
            turns_z_up(rotations, up_axis),
            None if translations is None else vectors_z_up(translations * metres_per_unit, up_axis),
            Path(path).name + (f" ({', '.join(notes)})" if notes else ""),
        )
    except MotionError as error:
        raise FileFormatError(path, str(error)) from None


def _motion_block(lines: list[str], motion_line: int, channels: int, path: str | Path) -> tuple[float, np.ndarray]:
    """Frame time [s] and the numbers of all frames, shape [frame, channel]."""
    frames: int | None = None
    step: float | None = None
    first = len(lines)
    for index in range(motion_line + 1, len(lines)):
        line = lines[index].strip()
        if not line:
            continue
        stated = re.fullmatch(r"(frames|frame\s+time)\s*:\s*(\S+)", line, re.IGNORECASE)
        if stated is None:
            first = index
            break
        if stated[1].lower() == "frames":
            frames = _frame_count(stated[2], path, index + 1)
        else:
            step = _frame_time(stated[2], path, index + 1)
    if frames is None or step is None:
        missing = "Frames:" if frames is None else "Frame Time:"
        message = f"'{missing}' must stand below MOTION."
        raise FileFormatError(path, message, min(first, len(lines) - 1) + 1)
    try:
        starts = range(first, len(lines), _BLOCK_LINES)
        blocks = [np.array(" ".join(lines[n : n + _BLOCK_LINES]).split(), dtype=np.float64) for n in starts]
        values = np.concatenate([np.empty(0), *blocks])
    except ValueError:
        values = np.array([np.nan])  # some word is not a number; it is named below
    if values.size != frames * channels or not np.all(np.abs(values) < LARGEST_NUMBER):
        raise _motion_trouble(lines, first, frames, channels, path)
    return step, values.reshape(frames, channels)


def _frame_count(word: str, path: str | Path, line: int) -> int:
    if not re.fullmatch(r"\d{1,9}", word, re.ASCII) or int(word) == 0:
        raise FileFormatError(path, f"Frames must be a whole number greater than 0, not '{shortened(word)}'.", line)
    return int(word)


def _frame_time(word: str, path: str | Path, line: int) -> float:
    try:
        step = float(word)
    except ValueError:
        step = 0.0
    if not _SHORTEST_STEP <= step <= _LONGEST_STEP:
        message = f"Frame Time must be seconds between {_SHORTEST_STEP} and {_LONGEST_STEP}, not '{shortened(word)}'."
        raise FileFormatError(path, message, line)
    return step


def _motion_trouble(lines: list[str], first: int, frames: int, channels: int, path: str | Path) -> FileFormatError:
    """Finds the line that is wrong; only called when one is."""
    found = 0
    for index in range(first, len(lines)):
        words = lines[index].split()
        for word in words:
            try:
                fits = abs(float(word)) < LARGEST_NUMBER
            except ValueError:
                fits = False
            if not fits:
                return FileFormatError(path, f"'{shortened(word)}' must be a finite number.", index + 1)
        if words and len(words) != channels:
            message = f"{len(words)} numbers, but the skeleton has {channels} channels. Was the file cut off?"
            return FileFormatError(path, message, index + 1)
        found += bool(words)
    return FileFormatError(path, f"'Frames:' says {frames}, but there are {found}. Correct it, or copy the file again.")


def _translations(bones: list[BvhBone], offsets: np.ndarray, values: np.ndarray) -> np.ndarray | None:
    """Places of the bones relative to their parents in the file's unit, or None where no bone has position channels."""
    result: np.ndarray | None = None
    column = 0
    for index, bone in enumerate(bones):
        for channel in bone.channels or ():
            if channel[0] == "p":
                if result is None:
                    result = np.tile(offsets, (len(values), 1, 1))
                result[:, index, "xyz".index(channel[1])] = values[:, column]
            column += 1
    return result


def _rotations(bones: list[BvhBone], values: np.ndarray) -> np.ndarray:
    """Local quaternions, shape [frame, bone, 4]; bones with the same order of axes are turned at once."""
    result = np.zeros((len(values), len(bones), 4))
    result[..., 0] = 1.0
    by_order: dict[str, tuple[list[int], list[int]]] = {}
    column = 0
    for index, bone in enumerate(bones):
        channels = bone.channels or ()
        turning = [column + place for place, channel in enumerate(channels) if channel[0] == "r"]
        order = "".join(channel[1] for channel in channels if channel[0] == "r")
        column += len(channels)
        if order:
            indices, columns = by_order.setdefault(order, ([], []))
            indices.append(index)
            columns.extend(turning)
    for order, (indices, columns) in by_order.items():
        angles = np.radians(values[:, columns]).reshape(len(values), len(indices), len(order))
        result[:, indices] = quaternions.quaternion_from_euler(angles, order)
    return result


def _sampled_positions(
    parents: np.ndarray, offsets: np.ndarray, translations: np.ndarray | None, rotations: np.ndarray
) -> np.ndarray:
    """Where the joints are in some frames, in the file's unit and axes, shape [frame, bone, 3]."""
    frames = sampled_frames(len(rotations))
    moved = None if translations is None else translations[frames]
    names = tuple(map(str, range(len(parents))))
    part = CapturedMotion(np.arange(len(frames)), names, parents, offsets, rotations[frames], moved)
    return part.world_poses()[0]
