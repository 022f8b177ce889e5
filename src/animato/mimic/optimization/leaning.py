"""Balance as it is seen at frames and between knots.

Who looks at frames of a motion sees accelerations through second differences: those of the frame's own knot and of its
neighbours, weighted 1 : 4 : 1. So does the ZMP. Where the load goes from one foot to the other, a neighbour's forces
stand on the other foot already, and what is seen would lie between the soles. It stays inside the sole that stands if
the knot itself leans to the other side: for each edge of that sole, with d the distance of contacts inside of it,

    4 sum f d (here) + sum f d (before) + sum f d (after) >= 0.

The neighbours' part is taken from the last round, so that the forces of a knot stay its own affair. And where a fast
limb carries the ZMP out of the soles between two knots, these knots keep away from that edge by as much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.mechanics.contact import convex_hull, outside_distance

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

    @staticmethod
    def nothing(count: int, corners: int) -> Leaning:
        """Watches nothing."""
        return Leaning(np.zeros((count, EDGES, corners)), np.full((count, EDGES), -np.inf))


def leaning_of(
    corners: np.ndarray, loads: np.ndarray, standing: np.ndarray, rims: np.ndarray, margin: float
) -> Leaning:
    """Edges of what stands, at knots of which a neighbour pushes elsewhere or which must keep away from an edge.

    Args:
        corners: Where the corners are [m], [t, corner, 2].
        loads: Their vertical forces in weights, [t, corner].
        standing: Corners that stand still at a knot and its neighbours, [t, corner].
        rims: To where, and how far, the ZMP was outside near a knot [m], [t, 2].
        margin: Distance from the edges that is kept [m].
    """
    found = Leaning.nothing(*loads.shape)
    for t in range(1, len(loads) - 1):
        elsewhere = ((loads[t - 1] > 0.0) | (loads[t + 1] > 0.0)) & ~standing[t]
        if standing[t].sum() < 3 or not (elsewhere.any() or rims[t].any()):
            continue
        inward, offset = edges_of(corners[t, standing[t]])
        around = (t - 1, t + 1) if elsewhere.any() else ()
        rooms, rows = [], []
        for normal, start in zip(inward, offset, strict=True):
            level = start + margin + max(0.0, -float(normal @ rims[t]))
            lag = sum(float(loads[k] @ (corners[k] @ normal - level)) for k in around)
            reach = corners[t] @ normal - level
            rooms.append(4.0 * float(loads[t] @ reach) + lag)
            rows.append((reach, -lag / 4.0))
        for row, edge in enumerate(np.argsort(rooms)[:EDGES]):
            found.reach[t, row], found.least[t, row] = rows[edge]
    return found


def edges_of(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges of the convex hull of points: inward unit normals [edge, 2], and what points on an edge have along them."""
    hull = convex_hull(points)
    along = np.roll(hull, -1, axis=0) - hull
    long = np.linalg.norm(along, axis=1) > 1e-9
    inward = np.column_stack([-along[:, 1], along[:, 0]])[long]
    inward /= np.linalg.norm(inward, axis=1, keepdims=True)
    return inward, np.einsum("ex,ex->e", inward, hull[long])


def outside_vectors(zmp: np.ndarray, corners: np.ndarray, standing: np.ndarray) -> np.ndarray:
    """How far points are outside of what stands, across the edge they are farthest out of [m], 0 inside, [sample, 2].

    Args:
        zmp: [m], NaN in flight, [sample, 2].
        corners: [m], [sample, corner, 2].
        standing: Corners of the hull, [sample, corner].
    """
    out = np.zeros(zmp.shape)
    looked_at = np.flatnonzero(np.isfinite(zmp).all(axis=1) & (standing.sum(axis=1) >= 3))
    distances = outside_distance(zmp[looked_at], corners[looked_at], standing[looked_at])
    for n in looked_at[distances > 0.0]:
        inward, offset = edges_of(corners[n, standing[n]])
        if len(inward) < 3:
            continue
        rooms = inward @ zmp[n] - offset
        worst = int(np.argmin(rooms))
        if rooms[worst] < 0.0:
            out[n] = rooms[worst] * inward[worst]
    return out
