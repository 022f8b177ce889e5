"""How far bodies can move against one another while joints move by so much: never less than the truth."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from animato.mechanics.collision.model import CollisionModel
from animato.mechanics.tree import SLIDE, packed_tree
from animato.mechanics.tree.kinematics import BALL

_FARTHEST = 1.0  # [m]: a slide without ends stays within a metre of where it was built
_QUATERNION = 4
_TURN = 3.0  # [rad] by which a ball joint turns at most for a change of 1 of its quaternion, of nearly unit length


def pair_levers(
    model: CollisionModel, pairs: np.ndarray, columns: Sequence[int], lower: np.ndarray, upper: np.ndarray
) -> np.ndarray:
    """By how much any point of one body of a pair moves against the other at most, per unit of each column.

    A turn moves a point by no more than its distance from the joint, and that is no more than the way along the links
    between. Joints that carry both bodies of a pair do not count.

    Args:
        model: The bodies.
        pairs: Places of their two bodies, [pair, 2].
        columns: Coordinates of the model's character that move.
        lower: Lower ends of their ranges [rad or m], infinite where there are none, [column].
        upper: Upper ends, [column].

    Returns:
        [m per rad, m or 1], [column, pair].
    """
    arrays = packed_tree(model.character).arrays
    size = _sizes(model, len(arrays.body_step))
    farther = np.maximum(np.abs(lower), np.abs(upper))
    longest = np.where(np.isfinite(farther), farther, _FARTHEST)
    places = {int(column): n for n, column in enumerate(columns)}
    out = np.zeros((len(places), len(pairs)))
    for pair, bodies in enumerate(pairs.tolist()):
        ways = [_way_inward(arrays.parent, int(arrays.body_step[body])) for body in bodies]
        common = set(ways[0]) & set(ways[1])
        for body, way in zip(bodies, ways, strict=True):
            reach = size[body] + float(np.linalg.norm(arrays.body_position[body]))
            for step in way:
                kind, scale, first = (
                    int(arrays.kind[step]),
                    abs(float(arrays.scale[step])),
                    int(arrays.coordinate[step]),
                )
                column = places.get(first, -1)
                if step not in common:
                    for n in range(_QUATERNION if kind == BALL else 1):
                        if first + n in places:
                            lever = 1.0 if kind == SLIDE else reach
                            out[places[first + n], pair] += lever * (_TURN if kind == BALL else scale)
                reach += float(np.linalg.norm(arrays.position[step]))
                if kind == SLIDE:
                    way_out = float(longest[column]) if column >= 0 else _FARTHEST
                    reach += abs(float(arrays.offset[step])) + scale * way_out
    return out


def _sizes(model: CollisionModel, count: int) -> np.ndarray:
    """Distance of the farthest point of each body from its origin [m], [body]."""
    size = np.zeros(count)
    for hull in model.hulls:
        ends = float(np.linalg.norm(hull.ends, axis=1).max()) + hull.radius
        size[hull.index] = max(size[hull.index], ends)
    return size


def _way_inward(parent: np.ndarray, step: int) -> list[int]:
    """Steps from one that carries a body to the root."""
    way = [step]
    while parent[way[-1]] >= 0:
        way.append(int(parent[way[-1]]))
    return way
