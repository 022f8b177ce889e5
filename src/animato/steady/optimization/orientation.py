"""How far a body is turned from its target: a rotation vector, and how it changes.

Eq. 20 of the paper leaves turns about z free and does not see half turns. The rotation vector e of R = exp([e]x) R',
which to first order is what the paper means, has neither fault.
"""

from __future__ import annotations

import numpy as np


def rotation_vectors(R: np.ndarray, target: np.ndarray) -> np.ndarray:
    """E with R = exp([e]x) R', in the world [rad], for rotations [..., 3, 3], shape [..., 3]."""
    turn = R @ np.swapaxes(target, -1, -2)
    axial = 0.5 * np.stack(
        [
            turn[..., 2, 1] - turn[..., 1, 2],
            turn[..., 0, 2] - turn[..., 2, 0],
            turn[..., 1, 0] - turn[..., 0, 1],
        ],
        axis=-1,
    )
    sine = np.linalg.norm(axial, axis=-1)
    cosine = 0.5 * (np.trace(turn, axis1=-2, axis2=-1) - 1.0)
    angle = np.arctan2(sine, cosine)
    small = sine < 1e-9
    factor = np.where(small, 1.0, angle / np.where(small, 1.0, sine))
    return axial * factor[..., None]


def rates(e: np.ndarray) -> np.ndarray:
    """Changes of e per angular velocity of R in the world: the inverse left Jacobian of rotations, [..., 3, 3]."""
    angle = np.linalg.norm(e, axis=-1)
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    factor = np.where(small, 1.0 / 12.0, (1.0 - 0.5 * safe / np.tan(0.5 * safe)) / safe**2)
    cross = np.zeros((*e.shape, 3))
    cross[..., 0, 1], cross[..., 0, 2], cross[..., 1, 2] = -e[..., 2], e[..., 1], -e[..., 0]
    cross[..., 1, 0], cross[..., 2, 0], cross[..., 2, 1] = e[..., 2], -e[..., 1], e[..., 0]
    return np.eye(3) - 0.5 * cross + factor[..., None, None] * (cross @ cross)
