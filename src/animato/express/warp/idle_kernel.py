"""The flow of the idle layer: joints move along a wish, and the end-point keeps its orientation.

With the wish d [m] and the orientation Jacobian J [3, m] of the turning joints, follow for one unit of s

    dq/ds = W (I - A^T (A A^T + damping)^-1 A) d,   A = J W,   W = diag w_i(q)

which moves in the null space of J. w_i falls to zero at the joint's limits and at its amplitude away from where it
began, so that the flow passes neither. What the step size and the damping leave of a turn is taken back by Newton's
method in the same metric after every step.
"""

from __future__ import annotations

import numpy as np

from animato.express.facing import solve_symmetric
from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.quaternions import (
    IDENTITY,
    Quaternion,
    Vector,
    about,
    conjugate,
    length,
    rotated,
    rotation_vector,
    times,
    vector,
)

_STEPS = 8  # of the flow
_DAMPING = 1e-3  # of squared singular values of J; keeps the layer smooth where the chain is singular
_GUARDS = 8  # times that a wish which disturbs too much is made smaller before it is given up


@inlined_kernel
def _eased(x: float) -> float:
    """0 below 0, 1 above 1, smooth between."""
    x = min(max(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)


@kernel
def turned_chain(axis: np.ndarray, q: np.ndarray, J: np.ndarray) -> Quaternion:
    """The turn of the whole chain; writes the axes in the world, [m, 3]."""
    total = IDENTITY
    for i in range(len(q)):
        J[i, 0], J[i, 1], J[i, 2] = rotated(total, vector(axis, i))
        total = times(total, about(vector(axis, i), q[i]))
    return total


@inlined_kernel
def _weigh(box: np.ndarray, start: np.ndarray, q: np.ndarray, w: np.ndarray) -> None:
    """Writes how freely each joint may move where it is; box has lower, upper and amplitude, [m, 3]."""
    for i in range(len(q)):
        amplitude = box[i, 2]
        if amplitude <= 0.0:
            w[i] = 0.0
            continue
        away = (q[i] - start[i]) / amplitude
        inside = _eased((q[i] - box[i, 0]) / amplitude) * _eased((box[i, 1] - q[i]) / amplitude)
        w[i] = max(0.0, 1.0 - away * away) * inside


@inlined_kernel
def _multiplier(J: np.ndarray, w: np.ndarray, r: Vector) -> Vector:
    """The solution x of (A A^T + damping) x = r."""
    a, b, c, d, e, f = _DAMPING, 0.0, 0.0, _DAMPING, 0.0, _DAMPING
    for i in range(len(w)):
        square = w[i] * w[i]
        x, y, z = J[i, 0], J[i, 1], J[i, 2]
        a += square * x * x
        b += square * x * y
        c += square * x * z
        d += square * y * y
        e += square * y * z
        f += square * z * z
    return solve_symmetric((a, b, c, d, e, f), r)


@kernel
def _velocity(J: np.ndarray, w: np.ndarray, wish: np.ndarray, out: np.ndarray) -> None:
    """Writes dq/ds."""
    x, y, z = 0.0, 0.0, 0.0
    for i in range(len(w)):
        push = w[i] * wish[i]
        x += J[i, 0] * push
        y += J[i, 1] * push
        z += J[i, 2] * push
    r = _multiplier(J, w, (x, y, z))
    for i in range(len(w)):
        out[i] = w[i] * (wish[i] - w[i] * (J[i, 0] * r[0] + J[i, 1] * r[1] + J[i, 2] * r[2]))


@kernel
def _flow(axis: np.ndarray, box: np.ndarray, start: np.ndarray, wish: np.ndarray, q: np.ndarray) -> None:
    """Follows the flow from `start`; writes where it leads."""
    m = len(q)
    J, w, v, middle = np.empty((m, 3)), np.empty(m), np.empty(m), np.empty(m)
    target = turned_chain(axis, start, J)
    q[:] = start
    for _ in range(_STEPS):
        turned_chain(axis, q, J)
        _weigh(box, start, q, w)
        _velocity(J, w, wish, v)
        for i in range(m):
            middle[i] = q[i] + 0.5 * v[i] / _STEPS
        turned_chain(axis, middle, J)
        _weigh(box, start, middle, w)
        _velocity(J, w, wish, v)
        for i in range(m):
            q[i] += v[i] / _STEPS
        turned = turned_chain(axis, q, J)
        _weigh(box, start, q, w)
        r = _multiplier(J, w, rotation_vector(times(target, conjugate(turned))))
        for i in range(m):
            q[i] += w[i] * w[i] * (J[i, 0] * r[0] + J[i, 1] * r[1] + J[i, 2] * r[2])
            low, high = max(box[i, 0], start[i] - box[i, 2]), min(box[i, 1], start[i] + box[i, 2])
            q[i] = min(max(q[i], min(low, start[i])), max(high, start[i]))  # what began outside stays where it was


@kernel
def idle_rows(
    axis: np.ndarray, box: np.ndarray, tolerance: float, starts: np.ndarray, wishes: np.ndarray, out: np.ndarray
) -> None:
    """Adds the layer to many moments, each on its own.

    Args:
        axis: Of the turning joints in the world at zero, [m, 3].
        box: Lower and upper limit and amplitude of each [rad], [m, 3].
        tolerance: Turn of the end-point that is allowed [rad].
        starts: Angles without the layer [rad], [k, m].
        wishes: Where the joints would like to go from there [rad], [k, m].
        out: Angles with the layer [rad], [k, m].
    """
    J, wish = np.empty((len(axis), 3)), np.empty(len(axis))
    for n in range(len(starts)):
        start, q = starts[n], out[n]
        wish[:] = wishes[n]
        target = turned_chain(axis, start, J)
        for guard in range(_GUARDS + 1):
            _flow(axis, box, start, wish, q)
            turn = length(rotation_vector(times(target, conjugate(turned_chain(axis, q, J)))))
            if turn <= 0.5 * tolerance:
                break
            if guard == _GUARDS and turn > tolerance:
                q[:] = start
            # Shorter along the flow, not along the chord, which leaves the curve that keeps the orientation. The aim is
            # half the tolerance, so that the layer need not be given up because the last digits come slowly.
            wish *= 0.5 * tolerance / turn
