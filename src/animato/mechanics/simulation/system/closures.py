"""Rows that close loops: which directions of two frames a joint or a clamp keeps together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.character import Joint, JointType
from animato.mechanics.simulation.system.assembly import integers
from animato.mechanics.simulation.system.graph import Weld
from animato.mechanics.simulation.system.packed import ANGLE_ROW, POINT_ROW, Drive, Loops
from animato.mechanics.simulation.system.system import Placed
from animato.mechanics.tree import PackedTree

_X, _Y, _Z = range(3)
_AWAY = ((_Y, _X), (_Z, _X))  # keeps x of body 2 away from y and z of body 1
_UPRIGHT = ((_X, _Y), (_Y, _Z), (_Z, _X))

_KEPT: dict[JointType, tuple[tuple[int, ...], tuple[tuple[int, int], ...]]] = {
    JointType.FIXED: ((_X, _Y, _Z), _UPRIGHT),
    JointType.REVOLUTE: ((_X, _Y, _Z), _AWAY),
    JointType.UNIVERSAL: ((_X, _Y, _Z), ((_X, _Y),)),
    JointType.SPHERICAL: ((_X, _Y, _Z), ()),
    JointType.PRISMATIC: ((_Y, _Z), _UPRIGHT),
    JointType.CYLINDRICAL: ((_Y, _Z), _AWAY),
    JointType.CARTESIAN: ((), _UPRIGHT),
}
"""Of each type: axes along which points are kept together, and pairs of axes (body 1, body 2) kept at right angles."""


@dataclass(frozen=True, eq=False)
class ClosureRow:
    """One row of a closure, in the frames of the two steps."""

    kind: int
    points: np.ndarray
    axes: np.ndarray


def closure_rows(closer: Joint | Weld, first: Placed, second: Placed) -> list[ClosureRow]:
    """Rows of a joint or clamp between two placed nodes (parent or near first)."""
    if isinstance(closer, Joint):
        kind, axes = closer.type, closer.axes
        frames = (closer.frame_parent.transform, closer.frame_child.transform)
    else:
        kind, axes = JointType.FIXED, np.eye(3)
        frames = (closer.near_frame, closer.far_frame)
    one, two = first.transform @ frames[0], second.transform @ frames[1]
    points = np.array([one.position, two.position])
    axes_one, axes_two = one.rotation @ axes, two.rotation @ axes
    kept, crossed = _KEPT[kind]
    rows = [ClosureRow(POINT_ROW, points, np.array([axes_one[:, k], np.zeros(3)])) for k in kept]
    rows += [ClosureRow(ANGLE_ROW, points, np.array([axes_one[:, i], axes_two[:, j]])) for i, j in crossed]
    return rows


def pack_loops(tree: PackedTree, drive: Drive, closures: Sequence[tuple[int, int, list[ClosureRow]]]) -> Loops:
    """Packs closures, each between two steps."""
    rows = [row for _, _, some in closures for row in some]
    commons = [_common_step(tree.parent, one, two) for one, two, _ in closures]
    sides = [
        _slots_between(tree.parent, drive, step, common)
        for (one, two, _), common in zip(closures, commons, strict=True)
        for step in (one, two)
    ]
    return Loops(
        integers([0, *np.cumsum([len(some) for _, _, some in closures]).tolist()]),
        integers([(one, two) for one, two, _ in closures]).reshape(-1, 2),
        integers(commons),
        integers([0, *np.cumsum([len(side) for side in sides]).tolist()]),
        integers([slot for side in sides for slot in side]),
        integers([row.kind for row in rows]),
        np.array([row.points for row in rows], dtype=np.float64).reshape(-1, 2, 3),
        np.array([row.axes for row in rows], dtype=np.float64).reshape(-1, 2, 3),
    )


def _common_step(parent: np.ndarray, one: int, two: int) -> int:
    """The last step that carries both; parents stand before children."""
    while one != two:
        if one > two:
            one = int(parent[one])
        else:
            two = int(parent[two])
    return one


def _slots_between(parent: np.ndarray, drive: Drive, step: int, common: int) -> list[int]:
    """Slots that move a step against one that carries it."""
    found: set[int] = set()
    while step != common:
        found.update(drive.entry_slot[drive.entry_first[step] : drive.entry_first[step + 1]].tolist())
        step = int(parent[step])
    return sorted(found)
