"""Numbers of a film as one small text: whole numbers, differences between neighbours, deflated."""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass, field

import numpy as np

FULL = 32767
"""What 1 becomes in 16 bits."""

Place = tuple[int, int, int, int]
"""Where an array lies in the text: first byte, rows, columns, bytes of a number."""


@dataclass
class Packer:
    """Gathers arrays; what is alike lies together, so that little is left after deflating.

    Attributes:
        size: Bytes so far.
    """

    size: int = 0
    _parts: list[bytes] = field(default_factory=list)
    _places: dict[tuple[bytes, int, int], Place] = field(default_factory=dict)

    def shares(self, values: np.ndarray) -> Place:
        """Numbers from -1 to 1 in 16 bits each, [row, column]."""
        return self.whole(np.clip(np.rint(FULL * np.nan_to_num(values)), -FULL, FULL).astype("<i2"))

    def whole(self, values: np.ndarray) -> Place:
        """Whole numbers of one or two bytes, [row, column] or [row].

        They are written column by column, each as what it adds to the one before, low bytes first and high bytes after
        them; a script sums them up again, modulo their size. What was written before is not written again.
        """
        table = values[:, None] if values.ndim == 1 else values
        width = table.dtype.itemsize
        flat = np.ascontiguousarray(table.T).reshape(-1).view(f"<u{width}")
        steps = np.diff(flat, prepend=np.zeros(1, dtype=flat.dtype))
        planes = np.ascontiguousarray(steps).view("u1").reshape(-1, width).T
        written = np.ascontiguousarray(planes).tobytes()
        known = (written, table.shape[0], width)
        if known not in self._places:
            self._places[known] = (self.size, table.shape[0], table.shape[1], width)
            self._parts.append(written)
            self.size += flat.nbytes
        return self._places[known]

    def text(self) -> str:
        """All of it, deflated, in letters."""
        return base64.b64encode(zlib.compress(b"".join(self._parts), 9)).decode("ascii")


def unpacked(text: str, place: Place, *, signed: bool = False) -> np.ndarray:
    """What a script reads at a place, [row, column]; the other way round, for tests and for people."""
    first, rows, columns, width = place
    raw = zlib.decompress(base64.b64decode(text))[first : first + rows * columns * width]
    planes = np.frombuffer(raw, dtype="u1").reshape(width, -1)
    steps = np.ascontiguousarray(planes.T).reshape(-1).view(f"<u{width}")
    summed = np.cumsum(steps, dtype=f"u{width}")
    return summed.view(f"i{width}" if signed else f"u{width}").reshape(columns, rows).T
