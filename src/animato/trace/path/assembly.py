"""The normal equations of a path fit, as a band over control points."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.spatial.basis import ORDER


@kernel
def spline_gram(first: np.ndarray, values: np.ndarray, weights: np.ndarray, factor: float, gram: np.ndarray) -> None:
    """Adds factor * sum_j weights_j b_j b_j^T to a band [c, 4]; b_j has its four values from index first_j on."""
    for j in range(len(first)):
        for a in range(ORDER):
            for b in range(a + 1):
                gram[first[j] + a, ORDER - 1 - a + b] += factor * weights[j] * values[j, a] * values[j, b]


@kernel
def path_cost(
    residuals: np.ndarray, share: np.ndarray, weight: np.ndarray, gram: np.ndarray, away: np.ndarray, parts: np.ndarray
) -> None:
    """Writes the mean weighted square of the residuals, and the form of the gram matrix, into parts [2].

    Args:
        residuals: f - x, [m, 3 t].
        share: Of each place in the integral over s, [m].
        weight: Of each residual, [3 t].
        gram: Smoothness and pull, a band [c, 4] that holds for every joint.
        away: Control points less the rest posture, [c, n].
        parts: Result.
    """
    parts[:] = 0.0
    for j in range(len(share)):
        total = 0.0
        for a in range(len(weight)):
            total += weight[a] * residuals[j, a] * residuals[j, a]
        parts[0] += share[j] * total
    for r in range(len(away)):
        for d in range(min(ORDER, r + 1)):
            value = gram[r, ORDER - 1 - d] * (1.0 if d == 0 else 2.0)
            for i in range(away.shape[1]):
                parts[1] += value * away[r, i] * away[r - d, i]


@kernel
def assemble_path(
    first: np.ndarray,
    values: np.ndarray,
    share: np.ndarray,
    weight: np.ndarray,
    residuals: np.ndarray,
    J: np.ndarray,
    hessians: np.ndarray,
    gram: np.ndarray,
    away: np.ndarray,
    band: np.ndarray,
    gradient: np.ndarray,
) -> None:
    """Writes the Hessian and the gradient of the cost with respect to the control points.

    Unknowns are the control points one after the other, [c n]. At place j the posture is sum_a values_ja P_a, so
    each pair of control points (a, b) gets 2 values_ja values_jb (J^T W J + hessians) of that place.

    Args:
        first: First control point of each place, [m].
        values: Basis values of it and the three after it, [m, 4].
        share: As in `path_cost`.
        weight: As in `path_cost`.
        residuals: As in `path_cost`.
        J: df/dq at the places, [m, 3 t n].
        hessians: d/dq (J^T W r) at the places, [m, n n]; of no width for Gauss and Newton's approximation.
        gram: As in `path_cost`.
        away: As in `path_cost`.
        band: The Hessian, [c n, 4 n], as in `algebra.banded`.
        gradient: [c n].
    """
    n, rows = away.shape[1], len(weight)
    width = ORDER * n
    M, g = np.empty((n, n)), np.empty(n)
    band[:] = 0.0
    gradient[:] = 0.0
    for r in range(len(away)):
        for d in range(min(ORDER, r + 1)):
            value = 2.0 * gram[r, ORDER - 1 - d]
            for i in range(n):
                band[r * n + i, width - 1 - d * n] += value
                gradient[r * n + i] += value * away[r - d, i]
                if d > 0:
                    gradient[(r - d) * n + i] += value * away[r, i]
    for j in range(len(share)):
        M[:] = 0.0
        g[:] = 0.0
        for a in range(rows):
            for i in range(n):
                value = weight[a] * J[j, a * n + i]
                if value != 0.0:
                    g[i] += value * residuals[j, a]
                    for k in range(n):
                        M[i, k] += value * J[j, a * n + k]
        if hessians.shape[1] > 0:
            for i in range(n):
                for k in range(n):
                    M[i, k] += hessians[j, i * n + k]
        for a in range(ORDER):
            at = (first[j] + a) * n
            factor = 2.0 * share[j] * values[j, a]
            for i in range(n):
                gradient[at + i] += factor * g[i]
            for b in range(a + 1):
                both = factor * values[j, b]
                for i in range(n):
                    start = width - 1 - i - (a - b) * n  # of the first column of block b in row i of block a
                    for k in range(i + 1 if a == b else n):
                        band[at + i, start + k] += both * M[i, k]
