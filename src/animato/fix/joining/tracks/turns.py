"""Turns of ball joints and of the base as three numbers: rotation vectors from a turn of reference."""

from __future__ import annotations

import numpy as np

from animato.fix.joining.tracks.track import TrackState
from animato.spatial import quaternions

_NEAR = 0.1  # of a frame: how far beside a moment derivatives look


def turn_states(reference: np.ndarray, taylor: np.ndarray, step_s: float) -> tuple[TrackState, TrackState, TrackState]:
    """States of w = log(reference^-1 u) at a moment at which a quaternion u(t) and its derivatives are known.

    Args:
        reference: Unit quaternion, [4].
        taylor: u and its first three derivatives, of any length, [4, 4].
        step_s: Time between frames [s]; differences are taken within a tenth of it.
    """
    delta = _NEAR * step_s
    s = delta * np.arange(-2.0, 3.0)[:, None]
    u = taylor[0] + s * (taylor[1] + s * (taylor[2] / 2.0 + s * taylor[3] / 6.0))
    turned = quaternions.multiply(quaternions.conjugate(reference), quaternions.normalized(u))
    w = _unwound(quaternions.rotation_vector_from_quaternion(turned))
    rate = (w[0] - 8.0 * w[1] + 8.0 * w[3] - w[4]) / (12.0 * delta)
    bend = (-w[0] + 16.0 * w[1] - 30.0 * w[2] + 16.0 * w[3] - w[4]) / (12.0 * delta**2)
    first, second, third = (TrackState(*(float(one[k]) for one in (w[2], rate, bend))) for k in range(3))
    return first, second, third


def turned_by(reference: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Unit quaternions of rotation vectors [time, 3] from a reference, [time, 4]."""
    return quaternions.multiply(reference, quaternions.quaternion_from_rotation_vector(vectors))


def _unwound(vectors: np.ndarray) -> np.ndarray:
    """Rotation vectors near the middle one; beyond half a turn the logarithm leaps to the other side."""
    middle, out = vectors[len(vectors) // 2], np.array(vectors)
    for n, one in enumerate(vectors):
        length = float(np.linalg.norm(one))
        if length > 0.0 and one @ middle < 0.0 and length + float(np.linalg.norm(middle)) > np.pi:
            out[n] = (1.0 - 2.0 * np.pi / length) * one
    return out


def heading(quaternion: np.ndarray) -> float:
    """The turn about the vertical of a unit quaternion [rad]."""
    w, x, y, z = (float(one) for one in quaternion)
    return float(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
