"""Messages of numbers: a header in JSON, then arrays of 32-bit floats."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np


def packed(say: str, values: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """A message for pages: 4 bytes with the length of the header, the header, and all arrays one after the other.

    Args:
        say: What it is about.
        values: Plain values.
        arrays: Any shapes; sent as little-endian 32-bit floats, row by row.
    """
    shapes = [[name, list(np.shape(array))] for name, array in arrays.items()]
    header = json.dumps({"say": say, **values, "arrays": shapes}, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 4)  # so that floats begin where a browser can look at them in place
    numbers = [np.ascontiguousarray(array, dtype="<f4").tobytes() for array in arrays.values()]
    return struct.pack("<I", len(header)) + header + b"".join(numbers)
