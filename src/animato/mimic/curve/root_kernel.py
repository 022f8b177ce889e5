"""The root of a robot along a cubic B-spline of poses, with exact derivatives at the knots.

With control points P_- P_0 P_+ and a time step h, a uniform cubic B-spline has at the knot of P_0

    u = (P_- + 4 P_0 + P_+) / 6,    u' = (P_+ - P_-) / 2h,    u'' = (P_- - 2 P_0 + P_+) / h^2.

Places are such a curve, and so are the four numbers of a quaternion, which is then divided by its length. With
n = |u|^2 the angular velocity and acceleration along the body's axes, and the turn of a change of u, are

    w = 2 vec(u* u') / n,    w' = 2 vec(u* u'') / n - 2 (u . u') / n w,    dtheta = 2 vec(u* du) / n.

A control point turns by its own right-hand increment: Q = Q_ref exp(x), dQ = Q (0, J_r(x) dx) / 2.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel


@kernel
def _conjugate_times(a: np.ndarray, b: np.ndarray, out: np.ndarray) -> None:
    """Writes the vector part of a* b, of quaternions wxyz."""
    out[0] = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
    out[1] = a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3]
    out[2] = a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1]


@kernel
def _put_turned(Q: np.ndarray, r: np.ndarray, out: np.ndarray) -> None:
    """Writes Q (0, r) / 2."""
    out[0] = 0.5 * (-Q[1] * r[0] - Q[2] * r[1] - Q[3] * r[2])
    out[1] = 0.5 * (Q[0] * r[0] + Q[2] * r[2] - Q[3] * r[1])
    out[2] = 0.5 * (Q[0] * r[1] + Q[3] * r[0] - Q[1] * r[2])
    out[3] = 0.5 * (Q[0] * r[2] + Q[1] * r[1] - Q[2] * r[0])


@kernel
def _put_right_jacobian(x: np.ndarray, out: np.ndarray) -> None:
    """Writes J_r(x) = 1 - (1 - cos t) / t^2 [x] + (t - sin t) / t^3 [x]^2, with t = |x|."""
    square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2]
    if square < 1e-8:
        first, second = 0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0
    else:
        angle = np.sqrt(square)
        first, second = (1.0 - np.cos(angle)) / square, (angle - np.sin(angle)) / (square * angle)
    for i in range(3):
        for j in range(3):
            out[i, j] = second * x[i] * x[j]
        out[i, i] += 1.0 - second * square
    out[0, 1] += first * x[2]
    out[0, 2] -= first * x[1]
    out[1, 0] -= first * x[2]
    out[1, 2] += first * x[0]
    out[2, 0] += first * x[1]
    out[2, 1] -= first * x[0]


@kernel
def _put_rotation(u: np.ndarray, n: float, out: np.ndarray) -> None:
    """Writes the rotation of a quaternion of squared length n."""
    w, x, y, z = u[0], u[1], u[2], u[3]
    out[0, 0], out[0, 1], out[0, 2] = (
        1.0 - 2.0 * (y * y + z * z) / n,
        2.0 * (x * y - w * z) / n,
        2.0 * (x * z + w * y) / n,
    )
    out[1, 0], out[1, 1], out[1, 2] = (
        2.0 * (x * y + w * z) / n,
        1.0 - 2.0 * (x * x + z * z) / n,
        2.0 * (y * z - w * x) / n,
    )
    out[2, 0], out[2, 1], out[2, 2] = (
        2.0 * (x * z - w * y) / n,
        2.0 * (y * z + w * x) / n,
        1.0 - 2.0 * (x * x + y * y) / n,
    )


@kernel
def put_root_states(
    places: np.ndarray,
    turns: np.ndarray,
    increments: np.ndarray,
    step: float,
    root: np.ndarray,
    velocity: np.ndarray,
    acceleration: np.ndarray,
    tangents: np.ndarray,
) -> None:
    """Writes pose, velocity and acceleration of the root at all knots, and how they change with control points.

    Args:
        places: Of the control points in the world [m], [knot + 2, 3].
        turns: Their unit quaternions wxyz, signs continuous, [knot + 2, 4].
        increments: x of each of them: their right-hand turns from their references, [knot + 2, 3].
        step: h [s].
        root: Written: x, y, z and qw, qx, qy, qz, [knot, 7].
        velocity: Written: linear, angular along the body's axes, [knot, dof], the first six.
        acceleration: The same of the acceleration of its origin in space and the angular one, [knot, dof].
        tangents: Written, [knot, 18, 18]: rows are tangents of pose, velocity and acceleration, six each, linear and
            angular along the body's axes; columns are the three control points' places in the world and increments.
    """
    weights = np.array(
        [
            [1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0],
            [-0.5 / step, 0.0, 0.5 / step],
            [1.0 / step**2, -2.0 / step**2, 1.0 / step**2],
        ]
    )
    u, p = np.zeros((3, 4)), np.zeros((3, 3))
    R, Jr = np.empty((3, 3)), np.empty((3, 3))
    body = np.empty((3, 3))  # place' and place'' along the body's axes, in rows 1 and 2
    raw, part, other, w, second = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    dQ, du, dw = np.empty(4), np.empty((3, 4)), np.empty(3)
    for t in range(len(root)):
        u[:] = 0.0
        p[:] = 0.0
        for o in range(3):
            for c in range(3):
                for i in range(4):
                    u[o, i] += weights[o, c] * turns[t + c, i]
                for i in range(3):
                    p[o, i] += weights[o, c] * places[t + c, i]
        n, along = 0.0, 0.0
        for i in range(4):
            n += u[0, i] * u[0, i]
            along += u[0, i] * u[1, i]
        _put_rotation(u[0], n, R)
        _conjugate_times(u[0], u[1], raw)
        _conjugate_times(u[0], u[2], second)
        growth = 2.0 * along / n
        for i in range(3):
            w[i] = 2.0 * raw[i] / n
            second[i] = 2.0 * second[i] / n
        for o in range(3):
            for i in range(3):
                body[o, i] = R[0, i] * p[o, 0] + R[1, i] * p[o, 1] + R[2, i] * p[o, 2]
        length = np.sqrt(n)
        for i in range(3):
            root[t, i] = p[0, i]
            velocity[t, i], velocity[t, 3 + i] = body[1, i], w[i]
            acceleration[t, i], acceleration[t, 3 + i] = body[2, i], second[i] - growth * w[i]
        for i in range(4):
            root[t, 3 + i] = u[0, i] / length
        tangent = tangents[t]
        tangent[:] = 0.0
        for c in range(3):
            for o in range(3):
                for i in range(3):
                    for j in range(3):
                        tangent[6 * o + i, 6 * c + j] = weights[o, c] * R[j, i]
            _put_right_jacobian(increments[t + c], Jr)
            for j in range(3):
                column = 6 * c + 3 + j
                _put_turned(turns[t + c], Jr[:, j].copy(), dQ)
                for o in range(3):
                    for i in range(4):
                        du[o, i] = weights[o, c] * dQ[i]
                inner, d_along = 0.0, 0.0
                for i in range(4):
                    inner += u[0, i] * du[0, i]
                    d_along += du[0, i] * u[1, i] + u[0, i] * du[1, i]
                shrink = 2.0 * inner / n
                d_growth = 2.0 * d_along / n - growth * shrink
                _conjugate_times(u[0], du[0], part)
                theta = 2.0 / n * part
                _conjugate_times(du[0], u[1], part)
                _conjugate_times(u[0], du[1], other)
                dw[:] = 2.0 / n * (part + other) - shrink * w
                _conjugate_times(du[0], u[2], part)
                _conjugate_times(u[0], du[2], other)
                bend = 2.0 / n * (part + other) - shrink * second - d_growth * w - growth * dw
                for i in range(3):
                    tangent[3 + i, column] = theta[i]
                    tangent[9 + i, column] = dw[i]
                    tangent[15 + i, column] = bend[i]
                for o in range(1, 3):  # what the turn does to vectors that are seen from the body: y x theta
                    y = body[o]
                    tangent[6 * o, column] = y[1] * theta[2] - y[2] * theta[1]
                    tangent[6 * o + 1, column] = y[2] * theta[0] - y[0] * theta[2]
                    tangent[6 * o + 2, column] = y[0] * theta[1] - y[1] * theta[0]
