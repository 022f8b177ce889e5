"""Bodies that pass right through one another, and on which side they shall pass instead.

While a hand goes through a head, the way on which the two part soonest is first back to where the hand came from and
then ahead to where it goes: rows that follow it have the hand wait on one side and leap to the other, if it can. So a
stretch in which these ways oppose one another gets one direction u for all of it. Along u two hulls are apart by

    g_u = min_A u . p - max_B u . p,

which is never more than their distance. Of many directions that one is taken along which joints have to change least.
It counts while the two overlap; once they are apart, their true distance does, on whichever side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from animato.mechanics.collision import CollisionModel, NearPairs, even_directions, near_pairs, separation_rows
from animato.mechanics.tree import BodyPoses, States, forward_kinematics
from animato.spatial import quaternions

_TRIED = 128  # directions
_LOOKED = 24  # frames of a stretch at which they are tried
_WITH = 0.3  # cosine of a normal and the direction from which on the two agree


@dataclass(frozen=True, eq=False)
class Passage:
    """A stretch in which two bodies pass on one side.

    Attributes:
        bodies: Places of the two, in the order of their pair.
        start, end: From when to when [s].
        side: From the second to the first, in the frame of the second, [3].
        hulls: Of the first and of the second that meet, places in the model.
    """

    bodies: tuple[int, int]
    start: float
    end: float
    side: np.ndarray
    hulls: tuple[np.ndarray, np.ndarray]


def passages_of(model: CollisionModel, states: States, dofs: np.ndarray) -> list[Passage]:
    """Where bodies of pairs pass right through one another.

    Args:
        model: The pairs.
        states: The artist's motion at frames.
        dofs: Columns of `separation_rows` that may change.
    """
    poses = forward_kinematics(model.character, states)
    near = near_pairs(model, poses, 0.0)
    turned = quaternions.conjugate(poses.quaternions_wxyz[near.frames, near.body_b])
    normals = quaternions.rotate(turned, near.normals)
    found = []
    for rows in _runs(near):
        own = normals[rows]
        if float((own @ own.T).min()) < 0.0:
            found.append(_passage(model, states, poses, near, rows, dofs))
    return found


def _runs(near: NearPairs) -> Iterator[np.ndarray]:
    """Rows of one pair at frames one after another."""
    order = np.lexsort((near.frames, near.pairs))
    if not len(order):
        return
    breaks = (np.diff(near.pairs[order]) != 0) | (np.diff(near.frames[order]) != 1)
    yield from np.split(order, np.flatnonzero(breaks) + 1)


def _passage(
    model: CollisionModel, states: States, poses: BodyPoses, near: NearPairs, rows: np.ndarray, dofs: np.ndarray
) -> Passage:
    a, b = int(near.body_a[rows[0]]), int(near.body_b[rows[0]])
    pair, frames = int(near.pairs[rows[0]]), near.frames[rows]
    meet = model.hull_pairs[model.pair_of == pair]
    hulls = np.unique(meet[:, 0]), np.unique(meet[:, 1])
    passage = Passage((a, b), float(states.times[frames[0]]), float(states.times[frames[-1]]), np.zeros(3), hulls)
    looked = frames[np.unique(np.linspace(0, len(frames) - 1, _LOOKED).round().astype(np.int64))]
    sides = even_directions(_TRIED)
    cost = np.zeros(_TRIED)
    for frame in looked.tolist():
        at = np.full(_TRIED, frame)
        world = quaternions.rotate(poses.quaternions_wxyz[at, b], sides)
        gaps = _along(model, poses, at, passage, world, pair)
        slopes = np.linalg.norm(separation_rows(model, states, gaps)[:, dofs], axis=1)
        cost += (np.minimum(gaps.distances, 0.0) / np.maximum(slopes, 1e-6)) ** 2
    return replace(passage, side=sides[int(np.argmin(cost))])


def sided(
    model: CollisionModel, poses: BodyPoses, near: NearPairs, passages: tuple[Passage, ...], reference: BodyPoses
) -> NearPairs:
    """Close pairs as they are, but along the side of their passage where they overlap and would part on another.

    Args:
        model: The pairs.
        poses: Of all bodies.
        near: Its close pairs.
        passages: In which bodies pass one another.
        reference: Where bodies are in the artist's clip at the same moments, for the directions.
    """
    times = poses.times[near.frames]
    which = np.full(len(near), -1)
    for n, one in enumerate(passages):
        mine = (near.body_a == one.bodies[0]) & (near.body_b == one.bodies[1])
        which[mine & (times >= one.start) & (times <= one.end)] = n
    rows = np.flatnonzero(which >= 0)
    if not len(rows):
        return near
    sides = np.array([one.side for one in passages])[which[rows]]
    world = quaternions.rotate(reference.quaternions_wxyz[near.frames[rows], near.body_b[rows]], sides)
    cosine = np.einsum("ij,ij->i", world, near.normals[rows])
    away = (cosine < _WITH) & (near.distances[rows] < 0.0)
    rows, world = rows[away], world[away]
    out = near
    for n in np.unique(which[rows]).tolist():
        mine = which[rows] == n
        own, pair = rows[mine], int(near.pairs[rows[mine][0]])
        along = _along(model, poses, near.frames[own], passages[n], world[mine], pair)
        out = _with_rows(out, own, along)
    return out


def _along(
    model: CollisionModel, poses: BodyPoses, frames: np.ndarray, passage: Passage, world: np.ndarray, pair: int
) -> NearPairs:
    """The two bodies of a passage along directions [row, 3] at frames [row]."""
    points, reaches = [], []
    for body, hulls, sign in zip(passage.bodies, passage.hulls, (-1.0, 1.0), strict=True):
        turn = poses.quaternions_wxyz[frames, body]
        cloud = np.concatenate([model.hulls[hull].points for hull in hulls])
        local = cloud[np.argmax(sign * (quaternions.rotate(quaternions.conjugate(turn), world) @ cloud.T), axis=1)]
        points.append(local)
        reaches.append(np.einsum("ij,ij->i", poses.positions[frames, body] + quaternions.rotate(turn, local), world))
    count = len(frames)
    a, b = (np.full(count, body) for body in passage.bodies)
    return NearPairs(frames, np.full(count, pair), a, b, points[0], points[1], world, reaches[0] - reaches[1])


def _with_rows(near: NearPairs, rows: np.ndarray, other: NearPairs) -> NearPairs:
    """Close pairs with some rows taken from others."""
    names = ("points_a", "points_b", "normals", "distances")
    changed = {name: getattr(near, name).copy() for name in names}
    for name in names:
        changed[name][rows] = getattr(other, name)
    return replace(near, **changed)
