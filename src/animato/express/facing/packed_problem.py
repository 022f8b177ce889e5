"""A facing problem as one array of numbers, for the kernel that solves it.

Whoever has just done something else has nothing of a problem in the cache: then each array is a few reads from far away
before its first number is there, and longer than the arithmetic on it. In one array all of it is together, in the order
in which it is needed, and it is handed over once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.express.facing.arrays import FacingArrays
from animato.express.facing.errors import BendMeasure
from animato.express.facing.vertex_table import ANGLES, BLOCK_ROWS, LANES, Vertices
from animato.kernels.compiled import kernel

M, TURNING, POSITIONS, CORNERS, SIGNED, ORIENTATION, POSTURE, POSTURE_WEIGHT, SYMMETRIC, ROLL = range(10)
"""First numbers: joints of the kernels, of them turning ones, joints of the chain, corners; then as in `FacingArrays`
and `Scored`."""

_HEAD = 10
_JOINT = 3 + 4 + 2 + 6 + 4  # numbers of a joint in `FacingArrays`


class Scored(NamedTuple):
    """What the errors of an answer need, and where its joints are in the chain.

    Attributes:
        frame: As `once.REST` says, [3, 4].
        measure: Of the k turning joints.
        posture: Positions of the chain's joints that are held [rad or m], [n].
        columns: Of the turning joints among them, [k].
        posture_weight: Of the posture error.
        symmetric: Whether half a turn does not count.
        roll: Turn about forward that does not count [rad].
    """

    frame: np.ndarray
    measure: BendMeasure
    posture: np.ndarray
    columns: np.ndarray
    posture_weight: float
    symmetric: bool
    roll: float


def pack_problem(arrays: FacingArrays, vertices: Vertices, scored: Scored) -> np.ndarray:
    """All of a problem in one array."""
    m, k, n = len(arrays.axis), len(scored.columns), len(scored.posture)
    weights = (arrays.orientation, arrays.posture, scored.posture_weight)
    head = (m, k, n, len(vertices.records), arrays.signed, *weights, scored.symmetric, scored.roll)
    joints = (arrays.axis, arrays.limits, arrays.kinks, arrays.cost, arrays.place)
    blocks = vertices.blocks.view(np.float64)
    parts = (*joints, scored.frame, *scored.measure, scored.posture, scored.columns, blocks, vertices.records)
    return np.concatenate([np.array(head, dtype=np.float64), *(part.ravel() for part in parts)], dtype=np.float64)


@kernel
def arrays_in(packed: np.ndarray) -> FacingArrays:
    """The arrays of a packed problem."""
    m = int(packed[M])
    a, b, c, d = _HEAD + 3 * m, _HEAD + 7 * m, _HEAD + 9 * m, _HEAD + 15 * m
    return FacingArrays(
        packed[_HEAD:a].reshape((m, 3)),
        packed[a:b].reshape((m, 4)),
        packed[b:c].reshape((m, 2)),
        packed[c:d].reshape((m, 6)),
        packed[SIGNED] > 0.0,
        packed[ORIENTATION],
        packed[POSTURE],
        packed[d : d + 4 * (m + 3)].reshape((m + 3, 4)),
    )


@kernel
def scored_in(packed: np.ndarray) -> Scored:
    """What the errors need of a packed problem."""
    k, n = int(packed[TURNING]), int(packed[POSITIONS])
    a = _HEAD + _JOINT * int(packed[M]) + 12
    b = a + 12
    return Scored(
        packed[a:b].reshape((3, 4)),
        BendMeasure(packed[b : b + k], packed[b + k : b + 4 * k].reshape((k, 3)), packed[b + 4 * k : b + 5 * k]),
        packed[b + 5 * k : b + 5 * k + n],
        packed[b + 5 * k + n : b + 6 * k + n],
        packed[POSTURE_WEIGHT],
        packed[SYMMETRIC] > 0.0,
        packed[ROLL],
    )


@kernel
def vertices_in(packed: np.ndarray, some: bool) -> Vertices:
    """The corners of a packed problem, or none of them."""
    m, count = int(packed[M]), int(packed[CORNERS]) if some else 0
    a = _HEAD + _JOINT * m + 24 + 6 * int(packed[TURNING]) + int(packed[POSITIONS])
    blocks = (count + LANES - 1) // LANES
    b = a + blocks * BLOCK_ROWS * LANES // 2  # of two numbers in single precision each
    return Vertices(
        packed[a:b].view(np.float32),
        packed[b : b + count * (ANGLES + m)].reshape((count, ANGLES + m)),
    )
