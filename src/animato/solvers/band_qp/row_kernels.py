"""Products with rows of four control points, and their squares in a band."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel


@kernel
def narrow_products(
    first: np.ndarray, column: np.ndarray, coefficients: np.ndarray, x: np.ndarray, columns: int, out: np.ndarray
) -> None:
    """Writes A x of rows of one column each, [row]."""
    for row in range(len(first)):
        at = first[row] * columns + column[row]
        total = 0.0
        for k in range(4):
            total += coefficients[row, k] * x[at + k * columns]
        out[row] = total


@kernel
def wide_products(first: np.ndarray, coefficients: np.ndarray, x: np.ndarray, out: np.ndarray) -> None:
    """Writes A x of rows of all columns, [row]."""
    width = coefficients.shape[1]
    for row in range(len(first)):
        at = first[row] * (width // 4)
        total = 0.0
        for k in range(width):
            total += coefficients[row, k] * x[at + k]
        out[row] = total


@kernel
def add_narrow_transposed(
    first: np.ndarray, column: np.ndarray, coefficients: np.ndarray, y: np.ndarray, columns: int, out: np.ndarray
) -> None:
    """Adds A^T y, [N]."""
    for row in range(len(first)):
        at = first[row] * columns + column[row]
        for k in range(4):
            out[at + k * columns] += coefficients[row, k] * y[row]


@kernel
def add_wide_transposed(first: np.ndarray, coefficients: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    """Adds A^T y, [N]."""
    width = coefficients.shape[1]
    for row in range(len(first)):
        at = first[row] * (width // 4)
        for k in range(width):
            out[at + k] += coefficients[row, k] * y[row]


@kernel
def add_narrow_squares(
    first: np.ndarray, column: np.ndarray, coefficients: np.ndarray, weight: np.ndarray, columns: int, band: np.ndarray
) -> None:
    """Adds A^T weight A to a band [N, 4 columns]."""
    last = band.shape[1] - 1
    for row in range(len(first)):
        at = first[row] * columns + column[row]
        for i in range(4):
            scaled = weight[row] * coefficients[row, i]
            for j in range(i + 1):
                band[at + i * columns, last - (i - j) * columns] += scaled * coefficients[row, j]


@kernel
def add_wide_squares(first: np.ndarray, coefficients: np.ndarray, weight: np.ndarray, band: np.ndarray) -> None:
    """Adds A^T weight A to a band [N, 4 columns]; columns in which a row is zero cost nothing."""
    width = coefficients.shape[1]
    for row in range(len(first)):
        at = first[row] * (width // 4)
        for i in range(width):
            scaled = weight[row] * coefficients[row, i]
            if scaled == 0.0:
                continue
            target = width - 1 - i
            for j in range(i + 1):
                band[at + i, target + j] += scaled * coefficients[row, j]
