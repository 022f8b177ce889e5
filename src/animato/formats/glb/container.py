"""The container of binary glTF 2.0: one text, one block of numbers."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np

FLOAT, WHOLE = 5126, 5125
_TYPES = {1: "SCALAR", 3: "VEC3", 4: "VEC4"}
VERTICES, INDICES = 34962, 34963


@dataclass
class GlbContainer:
    """What is written so far.

    Attributes:
        sections: Of the text: nodes, meshes, materials, animations.
        blocks: Of numbers.
    """

    sections: dict[str, Any] = field(default_factory=dict)
    blocks: list[bytes] = field(default_factory=list)
    _size: int = 0

    def accessor(self, values: np.ndarray, *, target: int | None = None, bounds: bool = False) -> int:
        """Adds numbers and returns their index.

        Args:
            values: Shape [row] or [row, 3 or 4]; whole numbers or floats, which become single precision.
            target: `VERTICES` or `INDICES` for what is drawn.
            bounds: Whether their least and largest are stated, as glTF wants for places and times.
        """
        whole = np.issubdtype(values.dtype, np.integer)
        array = np.ascontiguousarray(values, dtype="<u4" if whole else "<f4")
        data = array.tobytes()
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self._size, "byteLength": len(data)}
        if target is not None:
            view["target"] = target
        views = self.sections.setdefault("bufferViews", [])
        views.append(view)
        self.blocks.append(data)
        self._size += len(data)  # all numbers have 4 bytes, so every block starts where it may
        width = 1 if array.ndim == 1 else array.shape[1]
        one = {
            "bufferView": len(views) - 1,
            "componentType": WHOLE if whole else FLOAT,
            "count": len(array),
            "type": _TYPES[width],
        }
        if bounds:
            rows = array.reshape(len(array), width)
            one |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        accessors: list[dict[str, Any]] = self.sections.setdefault("accessors", [])
        accessors.append(one)
        return len(accessors) - 1

    def data(self) -> bytes:
        """The whole file."""
        head: dict[str, Any] = {"asset": {"version": "2.0", "generator": "animato"}} | self.sections
        if self._size:
            head["buffers"] = [{"byteLength": self._size}]
        text = json.dumps(head, separators=(",", ":"), allow_nan=False).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        if self._size:
            chunks += struct.pack("<I4s", self._size, b"BIN\0") + b"".join(self.blocks)
        return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks
