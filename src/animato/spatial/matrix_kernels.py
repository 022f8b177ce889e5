"""Rotation matrices in arrays, for kernels."""

from __future__ import annotations

import numpy as np

from animato.spatial.compiled import kernel


@kernel
def product(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """Writes the 3 x 3 product a b; out must be neither of them."""
    for i in range(3):
        for j in range(3):
            out[i, j] = a[i, 0] * b[0, j] + a[i, 1] * b[1, j] + a[i, 2] * b[2, j]


@kernel
def axis_matrix(axis: np.ndarray, angle: float, out: np.ndarray) -> None:
    """Writes the rotation by an angle about a unit axis, after Rodrigues."""
    c, s = np.cos(angle), np.sin(angle)
    x, y, z = axis[0], axis[1], axis[2]
    k = 1.0 - c
    out[0, 0], out[0, 1], out[0, 2] = k * x * x + c, k * x * y - s * z, k * x * z + s * y
    out[1, 0], out[1, 1], out[1, 2] = k * x * y + s * z, k * y * y + c, k * y * z - s * x
    out[2, 0], out[2, 1], out[2, 2] = k * x * z - s * y, k * y * z + s * x, k * z * z + c
