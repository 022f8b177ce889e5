"""Arrays that the kernels of closed motions work in, and write to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class ClosedMemory(NamedTuple):
    """Of one moment. There are n coordinates, n_u of them passive and n_p motors, m rows of gaps, r of them kept.

    Attributes:
        rows: The rows that determine the passive coordinates, [r].
        zero: Of all coordinates, [n].
        none: Multipliers of nothing, [m].
        pose, trial: Coordinates, [n].
        tau, gap: Forces [n] and gaps [m].
        by_z, by_v, by_a: Derivatives of the forces, [n, n].
        jac: Of the gap, [m, n].
        other: Of the gap at another pose, [m, n].
        lam: Multipliers, [m].
        matrix: [[1, J_u^T], [J_u, -mu^2]], factored, [n_u + r, n_u + r].
        order: Its row pivots.
        right, change: Right-hand side and solution, [n_u + r].
        follow: B = dz_u / dz_p, [n_u, n_p].
        along_v, along_a: How kept rows of the Jacobian change along v and along a, [r, n].
        bend: How they change along v twice, [r, n].
        push: Forces by motors, [n, n_p].
    """

    rows: np.ndarray
    zero: np.ndarray
    none: np.ndarray
    pose: np.ndarray
    trial: np.ndarray
    tau: np.ndarray
    gap: np.ndarray
    by_z: np.ndarray
    by_v: np.ndarray
    by_a: np.ndarray
    jac: np.ndarray
    other: np.ndarray
    lam: np.ndarray
    matrix: np.ndarray
    order: np.ndarray
    right: np.ndarray
    change: np.ndarray
    follow: np.ndarray
    along_v: np.ndarray
    along_a: np.ndarray
    bend: np.ndarray
    push: np.ndarray


def build_closed_memory(unknown_count: int, coordinate_count: int, row_count: int, rows: np.ndarray) -> ClosedMemory:
    """Memory for a system.

    Args:
        unknown_count: n_u.
        coordinate_count: n.
        row_count: m.
        rows: That are kept, [r].
    """
    n_u, n, m, r = unknown_count, coordinate_count, row_count, len(rows)
    size = n_u + r
    shapes: dict[str, tuple[int, ...]] = {
        "zero": (n,),
        "none": (m,),
        "pose": (n,),
        "trial": (n,),
        "tau": (n,),
        "gap": (m,),
        "by_z": (n, n),
        "by_v": (n, n),
        "by_a": (n, n),
        "jac": (m, n),
        "other": (m, n),
        "lam": (m,),
        "matrix": (size, size),
        "right": (size,),
        "change": (size,),
        "follow": (n_u, n - n_u),
        "along_v": (r, n),
        "along_a": (r, n),
        "bend": (r, n),
        "push": (n, n - n_u),
    }
    arrays = {name: np.zeros(shape) for name, shape in shapes.items()}
    kept, order = np.ascontiguousarray(rows, dtype=np.int64), np.zeros(size, dtype=np.int64)
    return ClosedMemory(rows=kept, order=order, **arrays)
