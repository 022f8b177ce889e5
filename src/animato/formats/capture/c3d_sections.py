"""The sections of a C3D file: header, parameters and the numbers of its points.

Every count and offset in it is checked against the bytes that are there. Numbers come in three kinds, after the
processors of their time: Intel, DEC and MIPS.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from animato.errors import FileFormatError

_BLOCK = 512
_INTEL, _DEC, _MIPS = 84, 85, 86
_MOST_PARAMETERS = 10_000
_MOST_VALUES = 120_000_000  # of all points and frames, four each: about 1 GB

Parameter = list[str] | list[float]


@dataclass(frozen=True, eq=False)
class C3dFile:
    """A file whose sections were found.

    Attributes:
        path: For errors.
        data: All of it.
        processor: What wrote its numbers.
        parameters: By group and name, in capitals.
    """

    path: str | Path
    data: bytes
    processor: int
    parameters: dict[tuple[str, str], Parameter]

    @property
    def order(self) -> str:
        """Byte order of its whole numbers, for struct and numpy."""
        return ">" if self.processor == _MIPS else "<"

    def trouble(self, message: str) -> FileFormatError:
        """The error for this file."""
        return FileFormatError(self.path, f"{message}; the file is damaged or cut off.")

    def texts(self, group: str, *names: str) -> list[str]:
        """All texts of parameters that continue one another, as LABELS and LABELS2."""
        found: list[str] = []
        for name in names:
            found += [one for one in self.parameters.get((group, name), []) if isinstance(one, str)]
        return found

    def number(self, group: str, name: str) -> float | None:
        """The first number of a parameter."""
        values = self.parameters.get((group, name), [])
        return float(values[0]) if values and not isinstance(values[0], str) else None

    def word(self, number: int) -> int:
        """A word of the header, counted from 1."""
        return int(struct.unpack_from(f"{self.order}H", self.data, 2 * (number - 1))[0])

    def real(self, number: int) -> float:
        """A number of two words of the header, counted from 1."""
        return float(self.reals(self.data[2 * number - 2 : 2 * number + 2])[0])

    def reals(self, content: bytes) -> np.ndarray:
        """Numbers of single precision, widened."""
        return reals(content, self.processor)

    def points(self) -> np.ndarray:
        """x, y, z in the file's unit and the residual, negative where a point was not seen, [frame, point, 4].

        Raises:
            FileFormatError: The file is shorter than it says.
        """
        count, analog = self.word(2), self.word(3)
        scale = self.real(7)
        as_floats = scale < 0.0
        size = 4 if as_floats else 2
        stride = (4 * count + analog) * size
        begin = _BLOCK * (self.word(9) - 1)
        if count == 0:
            return np.empty((0, 0, 4))
        frames = self._frame_count(begin, stride)
        if begin < _BLOCK or begin + frames * stride > len(self.data):
            raise self.trouble(f"it says {frames} frames of {count} points, which are not there")
        if 4 * frames * count > _MOST_VALUES:
            raise FileFormatError(self.path, f"{frames} frames of {count} points are more than fit; cut the file.")
        rows = np.frombuffer(self.data, np.uint8, frames * stride, begin).reshape(frames, stride)[:, : 4 * count * size]
        content = np.ascontiguousarray(rows).tobytes()
        if as_floats:
            return self.reals(content).reshape(frames, count, 4)
        whole = np.frombuffer(content, f"{self.order}i2").astype(np.float64).reshape(frames, count, 4)
        whole[..., :3] *= scale
        return whole

    def _frame_count(self, begin: int, stride: int) -> int:
        """Frames by the header; where 16 bits were too few, what a parameter says."""
        first, last = self.word(4), self.word(5)
        frames = last - first + 1
        stated = self.number("POINT", "FRAMES")
        there = max(len(self.data) - begin, 0) // stride if stride else 0
        if last == 65535 or frames < 1:
            # FRAMES itself is often kept in 16 bits, so that only what is there tells
            frames = int(stated) if stated is not None and 65535 < stated < 1e9 else there
        return frames


def opened_c3d(data: bytes, path: str | Path) -> C3dFile:
    """Finds the sections.

    Raises:
        FileFormatError: It is no C3D file, or its parameters are damaged.
    """
    start = _BLOCK * (data[0] - 1) if data else 0
    if len(data) < 2 * _BLOCK or data[1] != 0x50 or data[0] < 1 or start + 4 > len(data):
        raise FileFormatError(path, "this is no C3D file: its first bytes do not say so.")
    processor = data[start + 3]
    if processor not in (_INTEL, _DEC, _MIPS):
        raise FileFormatError(path, f"its numbers are of an unknown processor ({processor}); the file is damaged.")
    file = C3dFile(path, data, processor, {})
    _read_parameters(file, start + 4)
    return file


def _read_parameters(file: C3dFile, place: int) -> None:
    """Fills the parameters in; groups may be named after what is in them."""
    groups: dict[int, str] = {}
    found: list[tuple[int, str, Parameter]] = []
    for _ in range(_MOST_PARAMETERS):
        if place + 2 > len(file.data):
            break
        length, number = struct.unpack_from("bb", file.data, place)
        length = abs(length)
        if length == 0 or number == 0:
            break
        after = place + 2 + length
        if after + 2 > len(file.data):
            raise file.trouble("its parameters end in the middle of one")
        name = file.data[place + 2 : after].decode("latin-1").strip().upper()
        step = struct.unpack_from(f"{file.order}h", file.data, after)[0]
        if number < 0:
            groups[-number] = name
        else:
            found.append((number, name, _parameter(file, after + 2)))
        if step <= 0:
            break
        place = after + step
    for number, name, values in found:
        file.parameters[groups.get(number, ""), name] = values


def _parameter(file: C3dFile, place: int) -> Parameter:
    """The values of a parameter: texts of its last axes, or numbers."""
    if place + 2 > len(file.data):
        raise file.trouble("its parameters end in the middle of one")
    kind, axes = struct.unpack_from("bB", file.data, place)
    if axes > 7 or kind not in (-1, 1, 2, 4) or place + 2 + axes > len(file.data):
        raise file.trouble(f"a parameter has the type {kind} and {axes} axes")
    sizes = list(file.data[place + 2 : place + 2 + axes])
    count = int(np.prod(sizes, dtype=np.int64)) if sizes else 1
    begin = place + 2 + axes
    content = file.data[begin : begin + count * abs(kind)]
    if len(content) < count * abs(kind):
        raise file.trouble("a parameter is longer than the file")
    if kind == -1:
        width = sizes[0] if sizes else 1
        return (
            [content[n : n + width].decode("latin-1").strip() for n in range(0, len(content), width)] if width else []
        )
    if kind == 4:
        return [float(one) for one in file.reals(content)]
    types: dict[int, Any] = {1: "i1", 2: f"{file.order}i2"}
    return [float(one) for one in np.frombuffer(content, types[kind])]


def reals(content: bytes, processor: int) -> np.ndarray:
    """Numbers of single precision as float64, whichever processor wrote them."""
    with np.errstate(all="ignore"):  # damage can be a signalling NaN
        if processor == _MIPS:
            return np.frombuffer(content, ">f4").astype(np.float64)
        if processor == _INTEL:
            return np.frombuffer(content, "<f4").astype(np.float64)
        # DEC's F_floating: its words are swapped, and its exponent counts two more than IEEE's
        words = np.frombuffer(content, "<u2").reshape(-1, 2)
        swapped = np.ascontiguousarray(words[:, ::-1]).reshape(-1).view("<u4").view("<f4")
        return swapped.astype(np.float64) / 4.0
