"""Distances along a motion, measured where it matters: what is far stays far for as long as little moves.

Let one solid of a pair move against the other by at most m between two moments: its middle by |c - c'| and any other
point by no more than |R - R'| r more, with R its turn and r the radius of the ball around it, all seen from the other
solid. Along every direction the two then part or meet by no more than m, so that their distance, or depth, changes by
no more. Few exact distances say for most moments that two solids are far enough apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from animato.mechanics.collision.hull import Hull, packed_hulls
from animato.mechanics.collision.probing import Nearest, Placed, placed_solids, probe_placed
from animato.mechanics.tree import BodyPoses

_STRIDES = (64, 16, 4, 1)  # moments from one that is measured to the next, until none is left open
_SLACK = 4e-6  # [m] by which measured distances may be wrong


def followed(
    hulls: Sequence[Hull],
    solids: Sequence[Any],
    poses: BodyPoses,
    pairs: np.ndarray,
    bounds: np.ndarray,
    within: float,
) -> tuple[tuple[np.ndarray, np.ndarray], Nearest]:
    """Measures all that may be nearer than a distance, and raises the bounds of the rest to at least that.

    Args:
        hulls: The hulls.
        solids: The same as coal has them.
        poses: Of all bodies.
        pairs: Hulls of each pair, [pair, 2].
        bounds: Distances that they have at least [m]; becomes better, [time, pair].
        within: What must be known exactly [m].

    Returns:
        Frame and pair of each row that was measured, in the order of pairs and then of frames, and what was found.
    """
    chosen, frames = np.nonzero(within > bounds.T)  # pair by pair, so that each row begins where the last one ended
    if not len(frames):
        none = Nearest(np.zeros(0), *(np.zeros((0, 3)) for _ in range(3)))
        return (frames, chosen), none
    rank = np.arange(len(chosen)) - np.searchsorted(chosen, chosen)
    solid_a, solid_b = pairs[chosen].T
    placed_a, placed_b = (placed_solids(hulls, poses, frames, one) for one in (solid_a, solid_b))
    motion = _Relative(hulls, solid_b, chosen, placed_a, placed_b)
    known, found = np.zeros(len(frames), dtype=bool), np.empty((len(frames), 10))
    open_rows = np.ones(len(frames), dtype=bool)
    for stride in _STRIDES:
        now = np.flatnonzero(open_rows & (rank % stride == 0))
        if len(now):
            placed = _part(placed_a, now), _part(placed_b, now)
            nearest = probe_placed(solids, chosen[now], (solid_a[now], solid_b[now]), placed)
            found[now] = np.column_stack([nearest.distance, nearest.point_a, nearest.point_b, nearest.normal])
            known[now], open_rows[now] = True, False
        rest = np.flatnonzero(open_rows)
        if not len(rest):
            break
        least = motion.least(rest, np.flatnonzero(known), found[:, 0]) - _SLACK
        far = least >= within
        bounds[frames[rest[far]], chosen[rest[far]]] = least[far]
        open_rows[rest[far]] = False
    rows = np.flatnonzero(known)
    values = found[rows]
    nearest = Nearest(values[:, 0].copy(), values[:, 1:4].copy(), values[:, 4:7].copy(), values[:, 7:].copy())
    return (frames[rows], chosen[rows]), nearest


class _Relative:
    """Where the second solid of each row is, as seen from the first."""

    def __init__(
        self, hulls: Sequence[Hull], solid_b: np.ndarray, chosen: np.ndarray, placed_a: Placed, placed_b: Placed
    ) -> None:
        packed = packed_hulls(tuple(hulls))
        centre = packed.ends.mean(axis=1) - packed.origins
        middles = np.matmul(packed.rotations.transpose(0, 2, 1), centre[:, :, None])
        radii = np.linalg.norm(packed.ends[:, 1] - packed.ends[:, 0], axis=1) / 2.0 + packed.radii
        back = placed_a.rotations.transpose(0, 2, 1)
        middle = placed_b.positions + np.matmul(placed_b.rotations, middles[solid_b])[..., 0]
        self.chosen, self.radius = chosen, radii[solid_b]
        self.middle = np.matmul(back, (middle - placed_a.positions)[..., None])[..., 0]
        self.turn = np.matmul(back, placed_b.rotations)

    def least(self, rows: np.ndarray, known: np.ndarray, distance: np.ndarray) -> np.ndarray:
        """What the rows' distances are at least, by the nearest known rows of the same pairs before and after [m]."""
        best = np.full(len(rows), -np.inf)
        after = np.searchsorted(known, rows)
        for place in (after - 1, after):
            inside = (place >= 0) & (place < len(known))
            other = known[np.clip(place, 0, len(known) - 1)]
            inside &= self.chosen[other] == self.chosen[rows]
            moved = np.linalg.norm(self.middle[rows] - self.middle[other], axis=1)
            # of a difference of two turns the Frobenius norm is sqrt(2) times what it does to a vector at most
            turned = np.linalg.norm(self.turn[rows] - self.turn[other], axis=(1, 2)) / np.sqrt(2.0)
            best = np.where(inside, np.maximum(best, distance[other] - moved - turned * self.radius[rows]), best)
        return best


def _part(placed: Placed, rows: np.ndarray) -> Placed:
    return Placed(placed.positions[rows], placed.rotations[rows])
