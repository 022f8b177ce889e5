"""Balance as it is seen at frames, where a foot takes over from the other.

Who looks at frames of a motion sees accelerations through second differences: those of the frame's own knot and of its
neighbours, weighted 1 : 4 : 1. So does the ZMP. Where the load goes from one foot to the other, a neighbour's forces
stand on the other foot already, and what is seen would lie between the soles. It stays inside the sole that stands if
the knot itself leans to the other side: for each edge of that sole, with d the distance of contacts inside of it,

    4 sum f d (here) + sum f d (before) + sum f d (after) >= 0.

The neighbours' part is taken from the last round, so that the forces of a knot stay its own affair.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.contact import convex_hull

EDGES = 4
"""Edges that are watched at a knot: those with the least room."""


@dataclass(frozen=True, eq=False)
class Leaning:
    """Rows of the watched edges.

    Attributes:
        reach: Distance of each corner inside of each edge [m], 0 where nothing is watched, [t, EDGES, corner].
        least: What sum f d must be, f in weights, -inf where nothing is watched, [t, EDGES].
    """

    reach: np.ndarray
    least: np.ndarray


def leaning_of(corners: np.ndarray, loads: np.ndarray, standing: np.ndarray, margin: float) -> Leaning:
    """Edges of what stands, at knots of which a neighbour pushes elsewhere.

    Args:
        corners: Where the corners are [m], [t, corner, 2].
        loads: Their vertical forces in weights, [t, corner].
        standing: Corners that stand still at a knot and its neighbours, [t, corner].
        margin: Distance from the edges that is kept [m].
    """
    count, number = loads.shape
    reach, least = np.zeros((count, EDGES, number)), np.full((count, EDGES), -np.inf)
    for t in range(1, count - 1):
        elsewhere = ((loads[t - 1] > 0.0) | (loads[t + 1] > 0.0)) & ~standing[t]
        if standing[t].sum() < 3 or not elsewhere.any():
            continue
        hull = convex_hull(corners[t, standing[t]])
        inward, offset = _edges(hull)
        rooms, lags = [], []
        for normal, start in zip(inward, offset, strict=True):
            around = [float(loads[k] @ (corners[k] @ normal - start - margin)) for k in (t - 1, t + 1)]
            here = corners[t] @ normal - start - margin
            rooms.append(4.0 * float(loads[t] @ here) + sum(around))
            lags.append((here, sum(around)))
        for row, edge in enumerate(np.argsort(rooms)[:EDGES]):
            reach[t, row], least[t, row] = lags[edge][0], -lags[edge][1] / 4.0
    return Leaning(reach, least)


def _edges(hull: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Inward unit normals of a counter-clockwise hull [edge, 2], and what points on an edge have along them."""
    along = np.roll(hull, -1, axis=0) - hull
    long = np.linalg.norm(along, axis=1) > 1e-9
    inward = np.column_stack([-along[:, 1], along[:, 0]])[long]
    inward /= np.linalg.norm(inward, axis=1, keepdims=True)
    return inward, np.einsum("ex,ex->e", inward, hull[long])
