"""The first half of a BVH file: the skeleton."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from animato.errors import FileFormatError
from animato.formats.files import shortened

LARGEST_NUMBER = 1e9  # larger offsets, positions or angles can only be damage

_MOST_BONES = 2000

_CHANNELS = {f"{axis}{what}": what[0] + axis for what in ("position", "rotation") for axis in "xyz"}


@dataclass
class BvhBone:
    """A ROOT, JOINT or End Site while the file is read.

    Attributes:
        name: As written; an end site is called after its parent, "<parent>.end".
        parent: Index of the parent, -1 for a root.
        offset: From the parent, in the file's unit and axes.
        channels: Such as ("px", "py", "pz", "rz", "ry", "rx"), in the order of the columns.
        line: Where it begins.
    """

    name: str
    parent: int
    line: int
    offset: tuple[float, ...] | None = None
    channels: tuple[str, ...] | None = None


def parse_hierarchy(lines: list[str], path: str | Path) -> tuple[list[BvhBone], int]:
    """Reads the skeleton.

    Args:
        lines: All lines of the file.
        path: Names the file in errors.

    Returns:
        The bones, parents first, and the index of the line that says MOTION.

    Raises:
        FileFormatError: With the line of the trouble.
    """
    bones: list[BvhBone] = []
    names: set[str] = set()
    stack: list[int] = []
    opened: int | None = None  # a bone that still waits for its brace
    for number, piece in _pieces(lines):
        word, _, rest = piece.partition(" ")
        keyword = word.upper()
        if keyword == "HIERARCHY" and not bones:
            continue
        if piece in "{}":
            opened = _brace(piece, opened, stack, bones, path, number)
        elif opened is not None:
            raise FileFormatError(path, f"a '{{' must open '{shortened(bones[opened].name)}' here.", number)
        elif keyword == "MOTION":
            if stack:
                open_name = shortened(bones[stack[-1]].name)
                raise FileFormatError(path, f"MOTION begins before '{open_name}' is closed by '}}'.", number)
            if not bones:
                raise FileFormatError(path, "there is no ROOT before MOTION.", number)
            return bones, number - 1
        elif keyword in ("ROOT", "JOINT") or piece.upper().split() == ["END", "SITE"]:
            if len(bones) == _MOST_BONES:
                raise FileFormatError(path, f"more than {_MOST_BONES} bones; this can only be damage.", number)
            bones.append(_new_bone(keyword, rest.strip(), stack, bones, names, path, number))
            opened = len(bones) - 1
        elif not stack:
            raise FileFormatError(path, f"ROOT or MOTION must stand here, not '{shortened(piece)}'.", number)
        elif keyword == "OFFSET":
            bones[stack[-1]].offset = _offset(rest, path, number)
        elif keyword == "CHANNELS":
            bones[stack[-1]].channels = _channels(rest, path, number)
        else:
            allowed = "JOINT, End Site, OFFSET, CHANNELS or }"
            raise FileFormatError(path, f"{allowed} must stand here, not '{shortened(piece)}'.", number)
    raise FileFormatError(path, "there is no line MOTION, so the file has no motion or was cut off.")


def _pieces(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Line numbers and what stands there, braces apart, white space made single blanks."""
    for number, line in enumerate(lines, 1):
        for piece in re.split(r"([{}])", line):
            plain = " ".join(piece.split())
            if plain:
                yield number, plain


def _brace(
    piece: str, opened: int | None, stack: list[int], bones: list[BvhBone], path: str | Path, number: int
) -> int | None:
    """Opens the waiting bone or closes the innermost one."""
    if piece == "{":
        if opened is None:
            raise FileFormatError(path, "a '{' without a ROOT, JOINT or End Site before it.", number)
        stack.append(opened)
        return None
    if opened is not None or not stack:
        raise FileFormatError(path, "a '}' that closes nothing.", number)
    bone = bones[stack.pop()]
    if bone.offset is None:
        raise FileFormatError(path, f"'{shortened(bone.name)}' has no OFFSET.", bone.line)
    return None


def _new_bone(
    keyword: str, name: str, stack: list[int], bones: list[BvhBone], names: set[str], path: str | Path, number: int
) -> BvhBone:
    if (keyword == "ROOT") == bool(stack):
        where = "inside another bone" if stack else "outside of a ROOT"
        raise FileFormatError(path, f"{keyword} must not stand {where}.", number)
    if keyword == "END":
        name = first = f"{bones[stack[-1]].name}.end"
        count = 1
        while name in names:
            count += 1
            name = f"{first}{count}"
    elif not name:
        raise FileFormatError(path, f"{keyword} needs a name.", number)
    elif name in names:
        raise FileFormatError(path, f"the name '{shortened(name)}' stands twice; names must differ.", number)
    names.add(name)
    return BvhBone(name, stack[-1] if stack else -1, number)


def _offset(rest: str, path: str | Path, number: int) -> tuple[float, ...]:
    try:
        values = tuple(float(word) for word in rest.split())
    except ValueError:
        values = ()
    if len(values) != 3 or not np.all(np.abs(values) < LARGEST_NUMBER):
        raise FileFormatError(path, f"OFFSET needs 3 finite numbers, not '{shortened(rest)}'.", number)
    return values


def _channels(rest: str, path: str | Path, number: int) -> tuple[str, ...]:
    words = rest.split()
    channels = tuple(_CHANNELS.get(word.lower(), "") for word in words[1:])
    if not words or words[0] != str(len(channels)):
        message = f"CHANNELS says '{shortened(rest)}': the first number must be the number of names behind it."
        raise FileFormatError(path, message, number)
    if "" in channels or len(set(channels)) != len(channels):
        names = ", ".join(name.capitalize() for name in _CHANNELS)
        raise FileFormatError(path, f"CHANNELS must be some of {names}, each once, not '{shortened(rest)}'.", number)
    return channels
