"""Which rows of a Jacobian follow from the others, chosen the same way on every machine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RANK_TOLERANCE = 1e-6
"""Singular values below this share of the largest count as zero. Rows are normalized first.

Models written in single precision close their loops to about 1e-7, so their zero singular values are of
that size.
"""

_TIE = 1e-6  # two rows whose scores differ by less are equally good to remove: the later one goes


@dataclass(frozen=True, eq=False)
class Redundancy:
    """Rank of a Jacobian and the rows that can go.

    Attributes:
        rank: Of the rows, to the tolerance: the highest of all poses.
        pose: The first pose that has it.
        removed: Indices of rows that follow from the rest, rising.
        singular_values: Of the normalized rows at that pose, falling.
    """

    rank: int
    pose: int
    removed: np.ndarray
    singular_values: np.ndarray


def find_redundancy(
    jacobians: np.ndarray, candidates: np.ndarray | None = None, *, tolerance: float = RANK_TOLERANCE
) -> Redundancy:
    """Finds rows to remove so that the rest has full row rank and spans the same space.

    After Maloisel et al. (2023), Sec. 6.3: with Z^T J = 0, the row to remove is the one that some
    combination w of the columns of Z states with the smallest coefficients on the others, min over w
    of sum_{i != j} z_i^2 / z_j^2 for z = Z w. The best w gives (1 - P_jj) / P_jj with the projector
    P = Z Z^T, so it is the row with the largest P_jj. The paper takes the best column of Z instead,
    which depends on the basis that the decomposition happens to return; P does not. Removing row j
    leaves the combinations with z_j = 0, whose projector is P - P_:j P_j: / P_jj. With several poses
    the row counts that is best at its worst pose, among the poses of highest rank.

    Args:
        jacobians: At some poses, shape [pose, row, variable]; each row is normalized here.
        candidates: Indices of rows that may go; all where not given. Rows that may not go must be
            independent.
        tolerance: Singular values below this share of the largest count as zero.
    """
    norms = np.linalg.norm(jacobians, axis=2, keepdims=True)
    left, values = _left_vectors(jacobians / np.where(norms > 0.0, norms, 1.0), tolerance)
    ranks = np.count_nonzero(values > tolerance * values[:, :1], axis=1)
    rank = int(ranks.max())
    poses = np.flatnonzero(ranks == rank)
    idle = left[poses][:, :, rank:]
    projectors = idle @ idle.transpose(0, 2, 1)
    allowed = np.zeros(jacobians.shape[1], dtype=bool)
    allowed[slice(None) if candidates is None else candidates] = True
    removed: list[int] = []
    for _ in range(jacobians.shape[1] - rank):
        score = np.where(allowed, np.min(np.diagonal(projectors, axis1=1, axis2=2), axis=0), -1.0)
        best = int(np.flatnonzero(score >= score.max() - _TIE)[-1])
        if score[best] <= tolerance:
            break  # what is left cannot be stated by candidates alone
        column = projectors[:, :, best]
        projectors = projectors - column[:, :, None] * column[:, None, :] / column[:, best, None, None]
        allowed[best] = False
        removed.append(best)
    pose = int(poses[0])
    return Redundancy(rank, pose, np.array(sorted(removed), dtype=np.int64), values[pose])


def unseen_motions(jacobian: np.ndarray, rank: int) -> np.ndarray:
    """Orthonormal columns that no row sees, shape [variable, variables - rank].

    Args:
        jacobian: Shape [row, variable].
        rank: Of its normalized rows.
    """
    norms = np.linalg.norm(jacobian, axis=1, keepdims=True)
    return np.linalg.svd(jacobian / np.where(norms > 0.0, norms, 1.0))[2][rank:].T


def _left_vectors(rows: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """Left singular vectors as columns and singular values, falling.

    From J J^T, several times faster, where the tolerance is well above the square root of the rounding
    error, to which that knows the small values.
    """
    if tolerance < 1e-7:
        left, values, _ = np.linalg.svd(rows)
        return left, values
    squares, left = np.linalg.eigh(rows @ rows.transpose(0, 2, 1))
    return left[:, :, ::-1], np.sqrt(np.maximum(squares[:, ::-1], 0.0))
