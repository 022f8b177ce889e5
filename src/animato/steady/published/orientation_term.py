"""The paper's orientation term (eq. 20), corrected.

In print it reads (rx . rz')^2 + (ry . rz')^2 + (rz . rx')^2 with the columns of a rotation and, primed, of its target.
That leaves turns about z free and counts those about y twice. One dot product for each axis of a turn is

    g = 1/2 ( (rx . ry')^2 + (ry . rz')^2 + (rz . rx')^2 )  +  1/2 sum over i of min(0, ri . ri')^2,

where the last sum, the sign, is zero as long as no axis is more than a quarter turn off and lifts the half turns, at
which all products vanish too, from minima to maxima.
"""

from __future__ import annotations

import numpy as np

_NEXT = (1, 2, 0)


def orientation_term(R: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The term and its gradient.

    Args:
        R: Rotations, [..., 3, 3].
        target: Those that are wanted, [..., 3, 3].

    Returns:
        g, [...], and its derivative by small turns about the world's axes, [..., 3].
    """
    value, gradient = np.zeros(R.shape[:-2]), np.zeros(R.shape[:-1])
    for i, k in enumerate(_NEXT):
        axis = R[..., :, i]
        for other, sign in ((target[..., :, k], 0.0), (target[..., :, i], 1.0)):
            product = np.sum(axis * other, axis=-1)
            if sign:
                product = np.minimum(product, 0.0)
            value += 0.5 * product**2
            gradient += product[..., None] * np.cross(axis, other)
    return value, gradient
