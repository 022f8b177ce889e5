"""The second half of a BVH file: its frames, read block by block so that an hour of them fits."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError
from animato.formats.capture.bvh_hierarchy import LARGEST_NUMBER
from animato.formats.files import shortened

_SHORTEST_STEP, _LONGEST_STEP = 1e-6, 3600.0  # s; frame times beyond are damage
_STATED = re.compile(r"(frames|frame\s+time)\s*:\s*(\S+)", re.IGNORECASE)
_BLOCK_LINES = 2000

LineBlocks = Callable[[], Iterable[tuple[int, list[str]]]]
"""Gives all lines from the start again: the number of the first line of each block, counted from 0, and its lines."""


@dataclass(frozen=True)
class BvhMotion:
    """What is said below MOTION, before the numbers.

    Attributes:
        frames: How many are claimed.
        step: Between two of them [s].
        first_line: Where the numbers begin, counted from 0.
    """

    frames: int
    step: float
    first_line: int


def motion_of(lines: list[str], motion_line: int, path: str | Path) -> BvhMotion:
    """Reads the number of frames and the time between them.

    Args:
        lines: The first lines of the file, with some of the numbers.
        motion_line: Index of the one that says MOTION.
        path: Names the file in errors.
    """
    frames: int | None = None
    step: float | None = None
    first = len(lines)
    for index in range(motion_line + 1, len(lines)):
        line = lines[index].strip()
        if not line:
            continue
        stated = _STATED.fullmatch(line) if len(line) < 10_000 else None
        if stated is None:
            first = index
            break
        if stated[1].lower() == "frames":
            frames = _frame_count(stated[2], path, index + 1)
        else:
            step = _frame_time(stated[2], path, index + 1)
    if frames is None or step is None:
        missing = "Frames:" if frames is None else "Frame Time:"
        raise FileFormatError(path, f"'{missing}' must stand below MOTION.", min(first, len(lines) - 1) + 1)
    return BvhMotion(frames, step, first)


def numbers_of(blocks: LineBlocks, motion: BvhMotion, channels: int, path: str | Path) -> Iterator[np.ndarray]:
    """All numbers in their order, some frames at a time, each of shape [frame, channel].

    Raises:
        FileFormatError: A word is no number, or there are more or fewer than claimed; the line is named.
    """
    left = np.empty(0)
    found = 0
    for start, lines in blocks():
        body = lines[max(motion.first_line - start, 0) :]
        for n in range(0, len(body), _BLOCK_LINES):
            values = _parsed(" ".join(body[n : n + _BLOCK_LINES]))
            if values is None:
                raise _trouble(blocks, motion, channels, path)
            left = np.concatenate([left, values])
            whole = len(left) // channels
            found += whole
            if found > motion.frames:
                raise _trouble(blocks, motion, channels, path)
            if whole:
                yield left[: whole * channels].reshape(whole, channels)
                left = left[whole * channels :]
    if len(left) or found != motion.frames:
        raise _trouble(blocks, motion, channels, path)


def _parsed(text: str) -> np.ndarray | None:
    """The numbers of a text; None where a word is none, or not of a possible size."""
    if not text or text.isspace():
        return np.empty(0)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # numpy only warns where it stops at a word that is no number
            values = np.fromstring(text, dtype=np.float64, sep=" ")
    except (ValueError, DeprecationWarning):
        return None
    return values if np.all(np.abs(values) < LARGEST_NUMBER) else None


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


def _trouble(blocks: LineBlocks, motion: BvhMotion, channels: int, path: str | Path) -> FileFormatError:
    """Finds the line that is wrong; only called when one is."""
    found = 0
    for start, lines in blocks():
        first = max(motion.first_line - start, 0)
        for index, line in enumerate(lines[first:], start + first):
            words = line.split()
            for word in words:
                try:
                    fits = abs(float(word)) < LARGEST_NUMBER
                except ValueError:
                    fits = False
                if not fits or "_" in word:
                    return FileFormatError(path, f"'{shortened(word)}' must be a finite number.", index + 1)
            if words and len(words) != channels:
                message = f"{len(words)} numbers, but the skeleton has {channels} channels. Was the file cut off?"
                return FileFormatError(path, message, index + 1)
            found += bool(words)
    return FileFormatError(
        path, f"'Frames:' says {motion.frames}, but there are {found}. Correct it, or copy the file again."
    )
