"""Unit quaternions, wxyz, over arrays of any leading shape.

Each operation is one compiled scalar kernel, which other kernels may call, and one public function
that runs it over all rows. `a * b` turns by b first, then by a, as matrices do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.kernels.compiled import kernel

_EPSILON = 1e-12


@kernel
def multiply_one(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """Writes the product a b, each shape [4]; out may be neither a nor b."""
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]


@kernel
def rotate_one(q: np.ndarray, v: np.ndarray, out: np.ndarray) -> None:
    """Writes R(q) v = v + 2 w (u x v) + 2 u x (u x v) with q = (w, u)."""
    tx = 2.0 * (q[2] * v[2] - q[3] * v[1])
    ty = 2.0 * (q[3] * v[0] - q[1] * v[2])
    tz = 2.0 * (q[1] * v[1] - q[2] * v[0])
    x = v[0] + q[0] * tx + q[2] * tz - q[3] * ty
    y = v[1] + q[0] * ty + q[3] * tx - q[1] * tz
    z = v[2] + q[0] * tz + q[1] * ty - q[2] * tx
    out[0], out[1], out[2] = x, y, z


@kernel
def matrix_one(q: np.ndarray, out: np.ndarray) -> None:
    """Writes R(q), shape [3, 3], by the Euler-Rodrigues formula for a unit quaternion."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    out[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    out[0, 1] = 2.0 * (x * y - w * z)
    out[0, 2] = 2.0 * (x * z + w * y)
    out[1, 0] = 2.0 * (x * y + w * z)
    out[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    out[1, 2] = 2.0 * (y * z - w * x)
    out[2, 0] = 2.0 * (x * z - w * y)
    out[2, 1] = 2.0 * (y * z + w * x)
    out[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@kernel
def from_matrix_one(m: np.ndarray, out: np.ndarray) -> None:
    """Quaternion of a rotation matrix with w >= 0, by Shepperd's choice of the largest component."""
    trace = m[0, 0] + m[1, 1] + m[2, 2]
    if trace >= m[0, 0] and trace >= m[1, 1] and trace >= m[2, 2]:
        out[0] = 1.0 + trace
        out[1] = m[2, 1] - m[1, 2]
        out[2] = m[0, 2] - m[2, 0]
        out[3] = m[1, 0] - m[0, 1]
    else:
        i = 0
        if m[1, 1] > m[0, 0]:
            i = 1
        if m[2, 2] > m[i, i]:
            i = 2
        j, k = (i + 1) % 3, (i + 2) % 3
        out[0] = m[k, j] - m[j, k]
        out[1 + i] = 1.0 + m[i, i] - m[j, j] - m[k, k]
        out[1 + j] = m[j, i] + m[i, j]
        out[1 + k] = m[k, i] + m[i, k]
    norm = np.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3])
    if out[0] < 0.0:
        norm = -norm
    for n in range(4):
        out[n] /= norm


@kernel
def exp_one(v: np.ndarray, out: np.ndarray) -> None:
    """Quaternion of a rotation vector (axis times angle [rad])."""
    half = 0.5 * np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    # sin(h) / h from its series where the quotient would lose digits
    factor = 0.5 * (1.0 - half * half / 6.0) if half < 1e-4 else 0.5 * np.sin(half) / half
    out[0] = np.cos(half)
    out[1], out[2], out[3] = factor * v[0], factor * v[1], factor * v[2]


@kernel
def log_one(q: np.ndarray, out: np.ndarray) -> None:
    """Rotation vector of a unit quaternion, the shorter way round: its length is at most pi."""
    sign = 1.0 if q[0] >= 0.0 else -1.0
    norm = np.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    w = sign * q[0]
    # atan2 keeps its accuracy everywhere; only the quotient needs a limit at zero
    factor = sign * 2.0 / w if norm < 1e-9 else sign * 2.0 * np.arctan2(norm, w) / norm
    out[0], out[1], out[2] = factor * q[1], factor * q[2], factor * q[3]


@kernel
def _multiply_rows(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    for n in range(len(out)):
        multiply_one(a[n], b[n], out[n])


@kernel
def _rotate_rows(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    for n in range(len(out)):
        rotate_one(a[n], b[n], out[n])


@kernel
def _matrix_rows(a: np.ndarray, out: np.ndarray) -> None:
    for n in range(len(out)):
        matrix_one(a[n], out[n])


@kernel
def _from_matrix_rows(a: np.ndarray, out: np.ndarray) -> None:
    for n in range(len(out)):
        from_matrix_one(a[n], out[n])


@kernel
def _exp_rows(a: np.ndarray, out: np.ndarray) -> None:
    for n in range(len(out)):
        exp_one(a[n], out[n])


@kernel
def _log_rows(a: np.ndarray, out: np.ndarray) -> None:
    for n in range(len(out)):
        log_one(a[n], out[n])


def _rows(value: ArrayLike, tail: tuple[int, ...]) -> tuple[np.ndarray, tuple[int, ...]]:
    """An array as contiguous rows of shape `tail`, and the leading shape it had."""
    array = np.ascontiguousarray(value, dtype=np.float64)
    lead = array.shape[: array.ndim - len(tail)]
    if array.shape[len(lead) :] != tail:
        raise ValueError(f"expected an array whose last axes are {tail}, given shape {array.shape}")
    return array.reshape(-1, *tail), lead


def _row_pair(a: ArrayLike, b: ArrayLike, tail_b: int) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """Two arrays broadcast against one another over their leading axes, as rows."""
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    lead = np.broadcast_shapes(first.shape[:-1], second.shape[:-1])
    rows_a, _ = _rows(np.broadcast_to(first, (*lead, first.shape[-1])), (4,))
    rows_b, _ = _rows(np.broadcast_to(second, (*lead, second.shape[-1])), (tail_b,))
    return rows_a, rows_b, lead


def multiply(a: ArrayLike, b: ArrayLike) -> np.ndarray:
    """Product a b, which turns by b and then by a; shapes [..., 4] broadcast."""
    rows_a, rows_b, lead = _row_pair(a, b, 4)
    out = np.empty_like(rows_a)
    _multiply_rows(rows_a, rows_b, out)
    return out.reshape(*lead, 4)


def conjugate(q: ArrayLike) -> np.ndarray:
    """The opposite turn, shape [..., 4]."""
    return np.asarray(q, dtype=np.float64) * np.array((1.0, -1.0, -1.0, -1.0))


def rotate(q: ArrayLike, v: ArrayLike) -> np.ndarray:
    """Vectors v [..., 3] turned by q [..., 4]."""
    rows_q, rows_v, lead = _row_pair(q, v, 3)
    out = np.empty_like(rows_v)
    _rotate_rows(rows_q, rows_v, out)
    return out.reshape(*lead, 3)


def matrix_from_quaternion(q: ArrayLike) -> np.ndarray:
    """Rotation matrices [..., 3, 3] of unit quaternions [..., 4]."""
    rows, lead = _rows(q, (4,))
    out = np.empty((len(rows), 3, 3))
    _matrix_rows(rows, out)
    return out.reshape(*lead, 3, 3)


def quaternion_from_matrix(matrix: ArrayLike) -> np.ndarray:
    """Unit quaternions [..., 4], w >= 0, of rotation matrices [..., 3, 3]."""
    rows, lead = _rows(matrix, (3, 3))
    out = np.empty((len(rows), 4))
    _from_matrix_rows(rows, out)
    return out.reshape(*lead, 4)


def quaternion_from_rotation_vector(vector: ArrayLike) -> np.ndarray:
    """The exponential map: unit quaternions [..., 4] of rotation vectors [..., 3] [rad]."""
    rows, lead = _rows(vector, (3,))
    out = np.empty((len(rows), 4))
    _exp_rows(rows, out)
    return out.reshape(*lead, 4)


def rotation_vector_from_quaternion(q: ArrayLike) -> np.ndarray:
    """The logarithm: rotation vectors [..., 3] of length at most pi [rad] of unit quaternions [..., 4]."""
    rows, lead = _rows(q, (4,))
    out = np.empty((len(rows), 3))
    _log_rows(rows, out)
    return out.reshape(*lead, 3)


def normalized(q: ArrayLike) -> np.ndarray:
    """Quaternions [..., 4] scaled to unit length; a zero one becomes the identity."""
    array = np.asarray(q, dtype=np.float64)
    norm = np.linalg.norm(array, axis=-1, keepdims=True)
    return np.where(norm > _EPSILON, array / np.where(norm > _EPSILON, norm, 1.0), (1.0, 0.0, 0.0, 0.0))


def continuous(q: ArrayLike) -> np.ndarray:
    """Signs chosen along the first axis so that neighbours are nearest; q and -q are the same turn.

    Args:
        q: Unit quaternions over time, shape [frame, ..., 4].
    """
    array = np.array(q, dtype=np.float64)
    if len(array) > 1:
        flips = np.sum(array[1:] * array[:-1], axis=-1) < 0.0
        sign = np.cumprod(np.where(flips, -1.0, 1.0), axis=0)
        array[1:] *= sign[..., None]
    return array


def slerp(a: ArrayLike, b: ArrayLike, share: ArrayLike) -> np.ndarray:
    """The turn a share (0 to 1) of the way from a to b, at constant rate, the shorter way round."""
    step = rotation_vector_from_quaternion(multiply(conjugate(a), b))
    return multiply(a, quaternion_from_rotation_vector(np.asarray(share, dtype=np.float64)[..., None] * step))


def quaternion_about(axis: ArrayLike, angle: ArrayLike) -> np.ndarray:
    """Turns by `angle` [...] [rad] about the unit `axis` [..., 3]."""
    return quaternion_from_rotation_vector(np.asarray(axis) * np.asarray(angle, dtype=np.float64)[..., None])


def quaternion_from_euler(angles: ArrayLike, order: str) -> np.ndarray:
    """Turns about the body's own axes one after another.

    Args:
        angles: [..., n], n the length of `order` [rad].
        order: Letters of the axes in the order they are applied, such as "zyx".

    Returns:
        Unit quaternions, shape [..., 4].
    """
    values = np.asarray(angles, dtype=np.float64)
    turns = np.zeros((*values.shape[:-1], len(order), 4))
    turns[..., 0] = np.cos(values / 2.0)
    for n, letter in enumerate(order):
        turns[..., n, 1 + "xyz".index(letter)] = np.sin(values[..., n] / 2.0)
    total = turns[..., 0, :]
    for n in range(1, len(order)):
        total = multiply(total, turns[..., n, :])
    return total


def angle_between(a: ArrayLike, b: ArrayLike) -> np.ndarray:
    """Angle of the turn that leads from a to b, 0 to pi [rad], shape [...]."""
    return np.linalg.norm(rotation_vector_from_quaternion(multiply(conjugate(a), b)), axis=-1)


def shortest_turn(start: ArrayLike, end: ArrayLike) -> np.ndarray:
    """The smallest turn that takes the direction `start` [..., 3] to `end` [..., 3], shape [..., 4]."""
    a, b = np.broadcast_arrays(np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64))
    a = a / np.linalg.norm(a, axis=-1, keepdims=True)
    b = b / np.linalg.norm(b, axis=-1, keepdims=True)
    # (1 + a.b, a x b) is twice the turn by half the angle; opposite directions leave its axis open
    w = 1.0 + np.sum(a * b, axis=-1)
    turn = np.concatenate([w[..., None], np.cross(a, b)], axis=-1)
    side = np.where(np.abs(a[..., :1]) < 0.9, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    half_turn = np.concatenate([np.zeros_like(w)[..., None], np.cross(a, side)], axis=-1)
    return normalized(np.where(w[..., None] > _EPSILON, turn, half_turn))
