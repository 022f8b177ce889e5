"""What a constraint says of a path at some places."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.trace.path.constraints.place_rows import PlaceRows


class Measured(NamedTuple):
    """k rows, each at one place of the path.

    Attributes:
        s: Places, [k].
        values: What is to be kept [m], [k].
        wanted: What it must be at least, or exactly [m], [k].
        slopes: Change of the values with the joints at that place [m per rad or m], [k, n].
        equal: Whether it must be exactly so, [k].
        keys: What the row is about, apart from its place; the same row keeps its key, [k].
    """

    s: np.ndarray
    values: np.ndarray
    wanted: np.ndarray
    slopes: np.ndarray
    equal: np.ndarray
    keys: np.ndarray

    @property
    def missing(self) -> np.ndarray:
        """By how much each row does not hold [m], [k]."""
        short = self.wanted - self.values
        return np.where(self.equal, np.abs(short), np.maximum(short, 0.0))


def rows_from(
    measured: Measured, places: tuple[np.ndarray, np.ndarray], q: np.ndarray, stiffness: float, shift: np.ndarray
) -> PlaceRows:
    """Rows as penalties around where they were measured.

    Args:
        measured: The rows.
        places: First control point and basis values of each row's place, [k] and [k, 4].
        q: Posture of each row, [k, n].
        stiffness: Of every row.
        shift: Of each row [m], [k].
    """
    bounds = measured.wanted - measured.values + np.einsum("kn,kn->k", measured.slopes, q)
    slopes, equal = np.ascontiguousarray(measured.slopes), measured.equal.astype(np.int64)
    return PlaceRows(*places, slopes, bounds, equal, np.full(len(bounds), stiffness), shift)
