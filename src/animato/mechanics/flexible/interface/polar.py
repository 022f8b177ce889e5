"""The rotation nearest to a matrix, A = R S with S symmetric, and its first and second derivative.

With [w]x = R^T dR the symmetry of S = R^T A asks that

    (tr S 1 - S) w = vex(R^T dA - dA^T R),      vex([w]x) = w,

a system of three that is regular also where A has rank two, as for an interface whose nodes lie in a plane: the third
direction is then that which makes R a rotation. See Barbič and Zhao: Real-time large-deformation substructuring (2011).
"""

from __future__ import annotations

import numpy as np


def polar_rotation(A: np.ndarray) -> np.ndarray:
    """PD(A): the rotation R that maximizes tr(R^T A).

    Args:
        A: Matrices of rank two or three, [..., 3, 3].

    Returns:
        Rotations, [..., 3, 3].
    """
    left, _, right = np.linalg.svd(A)
    sign = np.sign(np.linalg.det(left @ right))
    return np.asarray((left * np.stack((np.ones_like(sign), np.ones_like(sign), sign), axis=-1)[..., None, :]) @ right)


def polar_rotation_rate(A: np.ndarray, dA: np.ndarray) -> np.ndarray:
    """The derivative of PD(A) along a change of A.

    Args:
        A: [..., 3, 3].
        dA: Its change, [..., 3, 3].

    Returns:
        dR, [..., 3, 3].
    """
    R = polar_rotation(A)
    return np.asarray(R @ _crossing(_turn(R, A, dA)))


def polar_rotation_second(A: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The mixed second derivative of PD(A + s first + t second) by s and t, at s = t = 0.

    Args:
        A: [..., 3, 3].
        first: One change of A, [..., 3, 3].
        second: Another, [..., 3, 3].

    Returns:
        d2R, [..., 3, 3].
    """
    R = polar_rotation(A)
    by_first, by_second = _turn(R, A, first), _turn(R, A, second)
    turning = R @ _crossing(by_second)
    stretch = _transposed(turning) @ A + _transposed(R) @ second  # change of S
    right = _axial(_transposed(turning) @ first) - (_spread_of(stretch) @ by_first[..., None])[..., 0]
    change = np.linalg.solve(_spread_of(_transposed(R) @ A), right[..., None])[..., 0]
    return np.asarray(turning @ _crossing(by_first) + R @ _crossing(change))


def _turn(R: np.ndarray, A: np.ndarray, dA: np.ndarray) -> np.ndarray:
    """The turn w of [w]x = R^T dR, [..., 3]."""
    right = _axial(_transposed(R) @ dA)
    return np.asarray(np.linalg.solve(_spread_of(_transposed(R) @ A), right[..., None])[..., 0])


def _transposed(A: np.ndarray) -> np.ndarray:
    return np.swapaxes(A, -1, -2)


def _axial(B: np.ndarray) -> np.ndarray:
    """vex(B - B^T)."""
    return np.stack(
        (B[..., 2, 1] - B[..., 1, 2], B[..., 0, 2] - B[..., 2, 0], B[..., 1, 0] - B[..., 0, 1]),
        axis=-1,
    )


def _spread_of(S: np.ndarray) -> np.ndarray:
    """The matrix tr S 1 - S of a symmetric S."""
    symmetric = 0.5 * (S + _transposed(S))
    return np.trace(symmetric, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - symmetric


def _crossing(w: np.ndarray) -> np.ndarray:
    """[w]x."""
    zero = np.zeros_like(w[..., 0])
    rows = (zero, -w[..., 2], w[..., 1], w[..., 2], zero, -w[..., 0], -w[..., 1], w[..., 0], zero)
    return np.stack(rows, axis=-1).reshape((*w.shape[:-1], 3, 3))
