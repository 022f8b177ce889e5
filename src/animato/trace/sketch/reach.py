"""Which places the points of a robot can reach: joint positions that bring them there, many at a time."""

from __future__ import annotations

import numpy as np

from animato.mechanics.tree import PointKinematics

_LONGEST_STEP = 0.5
"""Of a joint in one step towards a target [rad or m]: beyond it the Jacobian says little."""


def step_towards(points: PointKinematics, q: np.ndarray, targets: np.ndarray, *, damping: float = 1e-3) -> np.ndarray:
    """Joint positions nearer to bringing the points to their targets, by one damped Gauss-Newton step.

    Args:
        points: The robot's points.
        q: [rad or m], shape [count, n].
        targets: [m], shape [count, point, 3].
        damping: Small against the squared lever arms [m^2].
    """
    places, J = points.jacobians(q)
    error = (targets - places).reshape(len(q), -1)
    J = J.reshape(len(q), error.shape[1], -1)
    # a joint that stands at its end and is pushed further out takes no part, so that the others make up for it
    push = np.einsum("bmn,bm->bn", J, error)
    blocked = ((q >= points.upper) & (push > 0.0)) | ((q <= points.lower) & (push < 0.0))
    J = np.where(blocked[:, None, :], 0.0, J)
    square = J @ J.transpose(0, 2, 1) + damping * np.eye(J.shape[1])
    move = np.einsum("bmn,bm->bn", J, np.linalg.solve(square, error[..., None])[..., 0])
    longest = np.abs(move).max(axis=1, keepdims=True)
    return np.clip(q + move * np.minimum(1.0, _LONGEST_STEP / np.maximum(longest, 1e-12)), points.lower, points.upper)


def misses(points: PointKinematics, q: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """How far the worst point is from its target [m], shape [count]."""
    return np.linalg.norm(points.places(q) - targets, axis=-1).max(axis=-1)
