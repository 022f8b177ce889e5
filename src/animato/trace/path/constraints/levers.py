"""How far bodies can move against one another while joints move by so much: never less than the truth."""

from __future__ import annotations

import numpy as np

from animato.mechanics.collision import CollisionModel
from animato.mechanics.tree import SLIDE, PointKinematics, packed_tree


def pair_levers(
    model: CollisionModel, pairs: np.ndarray, columns: list[int], kinematics: PointKinematics
) -> np.ndarray:
    """By how much any point of one body of a pair moves against the other at most, per rad or m of each column.

    A turn moves a point by no more than its distance from the joint, and that is no more than the way along the links
    between. Joints that carry both bodies of a pair do not count.

    Args:
        model: The bodies.
        pairs: Places of their two bodies, [pair, 2].
        columns: Coordinates of the model's character that move.
        kinematics: Their names and ranges.

    Returns:
        [m per rad or m], [column, pair].
    """
    arrays = packed_tree(model.character).arrays
    size = _sizes(model, len(arrays.body_step))
    longest = np.where(
        np.isfinite(kinematics.lower) & np.isfinite(kinematics.upper),
        np.maximum(np.abs(kinematics.lower), np.abs(kinematics.upper)),
        1.0,  # a slide without ends stays within a metre of where it was built
    )
    out = np.zeros((len(columns), len(pairs)))
    for pair, bodies in enumerate(pairs.tolist()):
        ways = [_way_inward(arrays.parent, int(arrays.body_step[body])) for body in bodies]
        common = set(ways[0]) & set(ways[1])
        for body, way in zip(bodies, ways, strict=True):
            reach = size[body] + float(np.linalg.norm(arrays.body_position[body]))
            for step in way:
                slides, scale = bool(arrays.kind[step] == SLIDE), abs(float(arrays.scale[step]))
                column = columns.index(arrays.coordinate[step]) if arrays.coordinate[step] in columns else -1
                if column >= 0 and step not in common:
                    out[column, pair] += scale * (1.0 if slides else reach)
                reach += float(np.linalg.norm(arrays.position[step]))
                if slides:
                    reach += abs(float(arrays.offset[step])) + scale * (float(longest[column]) if column >= 0 else 1.0)
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
