"""BVH, the common file of motion capture, into a CapturedMotion.

A BVH says neither its unit nor which axis is up; both are guessed unless given, and the guess is
told in the motion's `source`. The result is in metres with z up, and a bone's rotation is zero
in the pose of the OFFSETs. An End Site is kept as a bone "<parent>.end" that never turns. Position
channels of a bone replace its OFFSET, as in files of Blender and most others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError, MotionError, OptionError
from animato.formats.capture.bvh_hierarchy import BvhBone, parse_hierarchy
from animato.formats.capture.bvh_numbers import BvhMotion, LineBlocks, motion_of, numbers_of
from animato.formats.capture.conventions import (
    check_metres_per_unit,
    check_up_axis,
    guessed_metres_per_unit,
    guessed_up_axis,
    sampled_frames,
    turns_z_up,
    vectors_z_up,
)
from animato.formats.files import read_text_blocks
from animato.motion import CapturedMotion
from animato.spatial import quaternions

_MOST_VALUES = 200_000_000  # of frames times bones times four numbers, 1.6 GB: an hour of 100 bones at 120 Hz
_BLOCK_FRAMES = 4096
_HEAD_LINES = 100_000
_LINES_AFTER = 10  # MOTION is followed by two lines before the numbers


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
    check_up_axis(up_axis)
    check_metres_per_unit(metres_per_unit)
    return _captured(lambda: _line_blocks(path), path, metres_per_unit, up_axis, first_frame)


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
    return _captured(lambda: [(0, text.splitlines())], path, metres_per_unit, up_axis, first_frame)


def _line_blocks(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """Lines of a file and the number of the first of them, block by block."""
    before = 0
    for text in read_text_blocks(path):
        lines = text.splitlines()
        yield before, lines
        before += len(lines)


def _head(blocks: LineBlocks) -> list[str]:
    """The first lines of a file, as many as a skeleton can have."""
    lines: list[str] = []
    for _, more in blocks():
        lines += more
        if len(lines) > _HEAD_LINES or any(line.strip().upper() == "MOTION" for line in more[:-_LINES_AFTER]):
            break
    return lines


def _captured(
    blocks: LineBlocks, path: str | Path, metres_per_unit: float | None, up_axis: str, first_frame: int
) -> CapturedMotion:
    lines = _head(blocks)
    bones, motion_line = parse_hierarchy(lines, path)
    channel_count = sum(len(bone.channels or ()) for bone in bones)
    if channel_count == 0:
        raise FileFormatError(path, "no bone has CHANNELS, so nothing moves.")
    motion = motion_of(lines, motion_line, path)
    del lines
    offsets = np.array([bone.offset for bone in bones], dtype=np.float64)
    rotations, translations = _filled(blocks, bones, offsets, motion, channel_count, path, first_frame)
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
    _turn_in_place(rotations, translations, up_axis, metres_per_unit)
    try:
        return CapturedMotion(
            np.arange(len(rotations)) * motion.step,
            names,
            parents,
            vectors_z_up(offsets * metres_per_unit, up_axis),
            rotations,
            translations,
            Path(path).name + (f" ({', '.join(notes)})" if notes else ""),
        )
    except MotionError as error:
        raise FileFormatError(path, str(error)) from None


def _filled(
    blocks: LineBlocks,
    bones: list[BvhBone],
    offsets: np.ndarray,
    motion: BvhMotion,
    channels: int,
    path: str | Path,
    first_frame: int,
) -> tuple[np.ndarray, np.ndarray | None]:
    """Rotations [frame, bone, 4] and places [frame, bone, 3], or None where no bone moves, as the file has them."""
    if not 0 <= first_frame < motion.frames:
        raise OptionError(f"first_frame must be 0 to {motion.frames - 1}, given {first_frame}.")
    count = motion.frames - first_frame
    if count * len(bones) * 4 > _MOST_VALUES:
        for _ in numbers_of(blocks, motion, channels, path):  # says so where the claim is not true
            pass
        raise FileFormatError(
            path, f"{count} frames of {len(bones)} bones are more than fit ({_MOST_VALUES // 4} turns); cut the file."
        )
    # the pages of an array are taken as they are written to, so a claim that is not true costs nothing
    rotations = np.empty((count, len(bones), 4))
    moves = any(channel[0] == "p" for bone in bones for channel in bone.channels or ())
    translations = np.empty((count, len(bones), 3)) if moves else None
    at = -first_frame
    for values in numbers_of(blocks, motion, channels, path):
        wanted = values[max(-at, 0) :]
        place = slice(max(at, 0), max(at, 0) + len(wanted))
        rotations[place] = _rotations(bones, wanted)
        if translations is not None:
            translations[place] = _translations(bones, offsets, wanted)
        at += len(values)
    return rotations, translations


def _turn_in_place(
    rotations: np.ndarray, translations: np.ndarray | None, up_axis: str, metres_per_unit: float
) -> None:
    """Into metres with z up, some frames at a time; then nobody writes into them any more."""
    for start in range(0, len(rotations), _BLOCK_FRAMES):
        block = slice(start, start + _BLOCK_FRAMES)
        rotations[block] = turns_z_up(rotations[block], up_axis)
        if translations is not None:
            translations[block] = vectors_z_up(translations[block] * metres_per_unit, up_axis)
    rotations.setflags(write=False)
    if translations is not None:
        translations.setflags(write=False)


def _translations(bones: list[BvhBone], offsets: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Places of the bones relative to their parents in the file's unit."""
    result = np.tile(offsets, (len(values), 1, 1))
    column = 0
    for index, bone in enumerate(bones):
        for channel in bone.channels or ():
            if channel[0] == "p":
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
