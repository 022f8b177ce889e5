"""Turns as three angles about the world's axes: x first, then y, then z.

With halves A, B, C of the angles a, b, c and q = q_z(c) q_y(b) q_x(a):

    w - y = (cos B - sin B) cos(A + C)      w + y = (cos B + sin B) cos(A - C)
    x + z = (cos B - sin B) sin(A + C)      x - z = (cos B + sin B) sin(A - C)

so that A + C and A - C are exact on their own, also where b is 90 degrees and a and c are not.
"""

from __future__ import annotations

import numpy as np

from animato.spatial import quaternions


def degrees_from_quaternions(turns_wxyz: np.ndarray) -> np.ndarray:
    """Angles a, b, c [degrees] about the fixed axes x, y, z, shape [frame, 3]; without jumps by 360."""
    w, x, y, z = turns_wxyz.T
    both, differ = np.arctan2(x + z, w - y), np.arctan2(x - z, w + y)
    b = 0.5 * np.pi - 2.0 * np.arctan2(np.hypot(w - y, x + z), np.hypot(w + y, x - z))
    angles = np.degrees(np.column_stack([both + differ, b, both - differ]))
    angles[:, [0, 2]] = (angles[:, [0, 2]] + 180.0) % 360.0 - 180.0
    return np.unwrap(angles, axis=0, period=360.0)


def quaternions_from_degrees(angles: np.ndarray) -> np.ndarray:
    """Unit quaternions w, x, y, z without jumps, shape [frame, 4], of angles [degrees] about the fixed x, y, z."""
    # about the world's axes x, y, z is the same as about the body's own z, y, x
    return quaternions.continuous(quaternions.quaternion_from_euler(np.radians(angles[:, ::-1]), "zyx"))
