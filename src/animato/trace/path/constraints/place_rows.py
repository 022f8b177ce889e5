"""Rows that a path must keep at single places, as penalties on its control points.

A row says of the posture q at its place: slope . q >= bound, or = bound. What is missing, shifted, costs

    stiffness * r^2,    r = max(0, bound - slope . q + shift)    (without the max where both must be equal)

and after a round of descent the shift becomes r: an augmented Lagrangian.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import kernel
from animato.spatial.basis import ORDER


class PlaceRows(NamedTuple):
    """k rows over n joints.

    Attributes:
        first: First control point of each row's place, [k].
        values: Basis values of it and the three after it, [k, 4].
        slopes: [m per rad or m], [k, n].
        bounds: [m], [k].
        equal: 1 where both sides must be equal, [k].
        stiffness: Weight, [k].
        shift: [m], [k].
    """

    first: np.ndarray
    values: np.ndarray
    slopes: np.ndarray
    bounds: np.ndarray
    equal: np.ndarray
    stiffness: np.ndarray
    shift: np.ndarray


FELT = 0.005
"""Before its limit is reached a row has some stiffness, so that steps do not run into it unawares: within this [m]."""


@kernel
def put_missing(rows: PlaceRows, control_points: np.ndarray, out: np.ndarray) -> float:
    """What rows cost at control points [c, n]; writes what each misses, negative where it has room, into out [k]."""
    cost = 0.0
    for k in range(len(rows.first)):
        r = rows.bounds[k] + rows.shift[k]
        for a in range(ORDER):
            for i in range(control_points.shape[1]):
                r -= rows.values[k, a] * rows.slopes[k, i] * control_points[rows.first[k] + a, i]
        out[k] = r
        if rows.equal[k] or r > 0.0:
            cost += rows.stiffness[k] * r * r
    return cost


@kernel
def add_rows(rows: PlaceRows, missing: np.ndarray, band: np.ndarray, gradient: np.ndarray) -> None:
    """Adds what the rows cost to the Hessian, a band [c n, 4 n] as in `algebra.banded`, and to the gradient [c n]."""
    n = rows.slopes.shape[1]
    width = ORDER * n
    for k in range(len(rows.first)):
        felt, r = 1.0, missing[k]
        if not rows.equal[k] and r < 0.0:
            if r <= -FELT:
                continue
            felt, r = (1.0 + r / FELT) ** 2, 0.0
        for a in range(ORDER):
            at, share = (rows.first[k] + a) * n, 2.0 * rows.stiffness[k] * rows.values[k, a]
            for i in range(n):
                gradient[at + i] -= share * rows.slopes[k, i] * r
                push = felt * share * rows.slopes[k, i]
                for b in range(a + 1):
                    start = width - 1 - i - (a - b) * n
                    for j in range(i + 1 if a == b else n):
                        band[at + i, start + j] += push * rows.values[k, b] * rows.slopes[k, j]
