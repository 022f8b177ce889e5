"""How far turns about given axes are from a rotation, and how that changes with their angles."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel
from animato.spatial.quaternions import exp_one, multiply_one, rotate_one

# Plain loops over numbers: expressions over arrays would triple the time numba takes to compile these.


@kernel
def error_and_slopes(
    axes: np.ndarray, angles: np.ndarray, target: np.ndarray, error: np.ndarray, slopes: np.ndarray
) -> None:
    """Error e = P^-1 L as a quaternion with e_w >= 0, and the slopes of its vector part [axis, 3].

    P is the product of the turns. Turning axis k by d turns P by the axis as seen after all later
    turns, J_k = S_k^-1 a_k, and so changes the vector part v of e by -(e_w J_k + J_k x v) d / 2.
    """
    back, one, moved, vector = np.zeros(4), np.empty(4), np.empty(4), np.empty(3)
    back[0] = 1.0
    for k in range(len(angles) - 1, -1, -1):
        rotate_one(back, axes[k], slopes[k])
        for i in range(3):
            vector[i] = -axes[k, i] * angles[k]
        exp_one(vector, one)
        multiply_one(back, one, moved)
        for i in range(4):
            back[i] = moved[i]
    multiply_one(back, target, error)
    sign = -1.0 if error[0] < 0.0 else 1.0
    w, x, y, z = sign * error[0], sign * error[1], sign * error[2], sign * error[3]
    error[0], error[1], error[2], error[3] = w, x, y, z
    for k in range(len(angles)):
        a, b, c = slopes[k, 0], slopes[k, 1], slopes[k, 2]
        slopes[k, 0] = -0.5 * (w * a + b * z - c * y)
        slopes[k, 1] = -0.5 * (w * b + c * x - a * z)
        slopes[k, 2] = -0.5 * (w * c + a * y - b * x)
