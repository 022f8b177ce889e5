"""The board that is drawn on: a flat piece of the world."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from animato.errors import OptionError
from animato.trace.sketch import Plane

KINDS = ("board", "floor", "view")
_FARTHEST = 1000.0  # [m]
_SMALLEST = 1e-3  # [m]

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class Board:
    """Where flat places (u, v) lie in the world: origin + u * right + v * up.

    Attributes:
        kind: What it was chosen as: a board before the robot, the floor, or facing who looks.
        origin: Its middle [m].
        right: The way that is right on it, a unit vector.
        up: The way that is up on it, a unit vector at a right angle to `right`.
        width: As it is shown [m]; one may draw beyond it.
        height: As it is shown [m].
    """

    kind: str
    origin: Triple
    right: Triple
    up: Triple
    width: float
    height: float

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> Board:
        """Of plain values, such as a page's or a file's; axes are made unit vectors at a right angle.

        Raises:
            OptionError: Something is missing or says no board.
        """
        kind = values.get("kind")
        if kind not in KINDS:
            raise OptionError(f"The `kind` of a board is one of {', '.join(KINDS)}; given {kind!r:.40}.")
        origin, right, up = (_vector(name, values.get(name)) for name in ("origin", "right", "up"))
        if np.abs(origin).max() > _FARTHEST:
            raise OptionError(f"A board is within {_FARTHEST:g} m of the world's origin; given {origin.tolist()}.")
        length = float(np.linalg.norm(right))
        across = np.zeros(3) if length < 1e-6 else right / length
        rest = up - (up @ across) * across
        if length < 1e-6 or np.linalg.norm(rest) < 1e-6:
            raise OptionError("`right` and `up` of a board are two ways that differ.")
        # numbers of a file that are unit vectors already stay as they are, to the last digit
        exact = abs(length - 1.0) < 1e-12 and abs(float(np.linalg.norm(up)) - 1.0) < 1e-12 and abs(up @ right) < 1e-12
        if exact:
            across, rest = right, up
        else:
            rest /= np.linalg.norm(rest)
        return cls(
            str(kind), _triple(origin), _triple(across), _triple(rest), _size(values, "width"), _size(values, "height")
        )

    def values(self) -> dict[str, Any]:
        """Plain values, for pages and files."""
        return {
            "kind": self.kind,
            "origin": list(self.origin),
            "right": list(self.right),
            "up": list(self.up),
            "width": self.width,
            "height": self.height,
        }

    def moved(self, by: np.ndarray) -> Board:
        """The same elsewhere, by a way [m], [3]."""
        return replace(self, origin=_triple(np.round(np.array(self.origin) + by, 9)))

    @property
    def plane(self) -> Plane:
        """The same for `trace`."""
        return Plane(np.array(self.origin), np.array(self.right), np.array(self.up))

    @property
    def off(self) -> np.ndarray:
        """The way off the board when the pen is lifted, a unit vector [3]: up, or back to the robot at the origin."""
        normal = np.cross(self.right, self.up)
        side = normal[2] if abs(normal[2]) > 0.5 else -float(normal @ np.array(self.origin))
        return np.asarray(normal if side >= 0.0 else -normal)

    def to_world(self, flat: np.ndarray) -> np.ndarray:
        """Places on it [m], [place, 2], in the world [m], [place, 3]."""
        return np.asarray(np.array(self.origin) + flat[:, :1] * np.array(self.right) + flat[:, 1:] * np.array(self.up))

    def from_world(self, places: np.ndarray) -> tuple[np.ndarray, float]:
        """Places in the world [m], [place, 3], on the board [m], [place, 2], and how far off it the farthest is [m]."""
        off = places - np.array(self.origin)
        flat = np.column_stack([off @ np.array(self.right), off @ np.array(self.up)])
        return flat, float(np.abs(off @ np.cross(self.right, self.up)).max(initial=0.0))


def _vector(name: str, value: Any) -> np.ndarray:
    try:
        vector = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        vector = np.zeros(0)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise OptionError(f"`{name}` of a board is three numbers; given {value!r:.60}.")
    return vector


def _size(values: Mapping[str, Any], name: str) -> float:
    value = values.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < math.inf:
        raise OptionError(f"`{name}` of a board is a number [m]; given {value!r:.60}.")
    return float(min(max(value, _SMALLEST), _FARTHEST))


def _triple(vector: np.ndarray) -> Triple:
    x, y, z = (float(value) for value in vector)
    return x, y, z
