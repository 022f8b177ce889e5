"""Compiled squares of all rows that look at points of the robot."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel


@kernel
def _put_landmarks(
    JT: np.ndarray, away: np.ndarray, weights: np.ndarray, bend: float, wrists: np.ndarray, Y: np.ndarray
) -> int:
    """Writes rows of landmarks relative to the pelvis, and keeps those of both wrists apart; returns their number.

    Args:
        JT: J^T of all points, [D, 3 point]; the pelvis is the first.
        away: Unit vectors of the landmarks' errors, [landmark, 3].
        weights: Of the landmarks' squares, [landmark].
        bend: Share of the square along the error that is left out: errors count nearly as they are, not as squares.
        wrists: Indices of two landmarks, -1 where there are none.
        Y: Written: rows [D].
    """
    size, n = len(JT), 0
    left_out = 1.0 - np.sqrt(1.0 - bend)
    for k in range(len(weights)):
        root = np.sqrt(weights[k])
        for i in range(size):
            x = JT[i, 3 + 3 * k] - JT[i, 0]
            y = JT[i, 4 + 3 * k] - JT[i, 1]
            z = JT[i, 5 + 3 * k] - JT[i, 2]
            along = left_out * (away[k, 0] * x + away[k, 1] * y + away[k, 2] * z)
            Y[n, i] = root * (x - along * away[k, 0])
            Y[n + 1, i] = root * (y - along * away[k, 1])
            Y[n + 2, i] = root * (z - along * away[k, 2])
        n += 3
    return n


@kernel
def _add_near(
    JT: np.ndarray, first: int, bodies: np.ndarray, local: np.ndarray, normal: np.ndarray, root: float, out: np.ndarray
) -> None:
    """Writes the row of the distance of two points of bodies, times a root.

    Args:
        JT: J^T of all points, [D, 3 point].
        first: The first point of the first body's frame.
        bodies: Both bodies among those with frames.
        local: Both points, [2, 3].
        normal: Unit vector from the second to the first.
        root: Of the weight.
        out: Written, [D].
    """
    for i in range(len(out)):
        out[i] = 0.0
    for side in range(2):
        sign = root if side == 0 else -root
        begin = first + 4 * bodies[side]
        rest = 1.0 - local[side, 0] - local[side, 1] - local[side, 2]
        for c in range(4):
            share = sign * (rest if c == 0 else local[side, c - 1])
            column = 3 * (begin + c)
            for i in range(len(out)):
                along = normal[0] * JT[i, column] + normal[1] * JT[i, column + 1] + normal[2] * JT[i, column + 2]
                out[i] += share * along


@kernel
def put_position_squares(
    JT: np.ndarray,
    away: np.ndarray,
    landmark_weights: np.ndarray,
    bend: float,
    wrists: np.ndarray,
    hand_direction: np.ndarray,
    hand_weights: np.ndarray,
    path_weight: float,
    corner_weights: np.ndarray,
    skate_weights: np.ndarray,
    near: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    first: tuple[int, int],
    own: np.ndarray,
    cross: np.ndarray,
) -> None:
    """Writes J^T W J of each knot, and of each knot with the next.

    Args:
        JT: J^T of all points, [t, D, 3 point].
        away: Unit vectors of landmarks' errors, [t, landmark, 3].
        landmark_weights: [t, landmark].
        bend: See `_put_landmarks`.
        wrists: Indices of the wrists among landmarks, [2].
        hand_direction: From the second wrist to the first, unit, [t, 3].
        hand_weights: Of the gap, [t].
        path_weight: Of the pelvis' place.
        corner_weights: Of corners' heights, [t, corner].
        skate_weights: Of corners' displacements to the next knot, [t - 1, corner].
        near: Frame, bodies, points, normal and weight of each pair, see `NearRows`.
        first: The first corner and the first point of bodies' frames.
        own: Written, [t, D, D].
        cross: Written, [t - 1, D, D]; rows are of the earlier knot.
    """
    count, size = JT.shape[0], JT.shape[1]
    landmarks, corners = landmark_weights.shape[1], corner_weights.shape[1]
    frame, bodies, local, normal, near_weight = near
    per_knot = 0
    for n in range(len(frame)):
        here = 1
        while n + here < len(frame) and frame[n + here] == frame[n]:
            here += 1
        per_knot = max(per_knot, here)
    Y = np.empty((3 * landmarks + 4 + corners + 4 * corners + per_knot, size))
    later = np.empty((2 * corners, size))
    p = 0
    for t in range(count):
        J = JT[t]
        n = _put_landmarks(J, away[t], landmark_weights[t], bend, wrists, Y)
        if hand_weights[t] > 0.0:
            a, b, root, d = 3 + 3 * wrists[0], 3 + 3 * wrists[1], np.sqrt(hand_weights[t]), hand_direction[t]
            for i in range(size):
                x, y, z = J[i, a] - J[i, b], J[i, a + 1] - J[i, b + 1], J[i, a + 2] - J[i, b + 2]
                Y[n, i] = root * (d[0] * x + d[1] * y + d[2] * z)
            n += 1
        root = np.sqrt(path_weight)
        for c in range(3):
            for i in range(size):
                Y[n + c, i] = root * J[i, c]
        n += 3
        for k in range(corners):
            column = 3 * (first[0] + k)
            if corner_weights[t, k] > 0.0:
                root = np.sqrt(corner_weights[t, k])
                for i in range(size):
                    Y[n, i] = root * J[i, column + 2]
                n += 1
        begin = n
        if t + 1 < count:
            for k in range(corners):
                if skate_weights[t, k] > 0.0:
                    root, column = np.sqrt(skate_weights[t, k]), 3 * (first[0] + k)
                    for i in range(size):
                        Y[n, i], Y[n + 1, i] = root * J[i, column], root * J[i, column + 1]
                        later[n - begin, i] = root * JT[t + 1, i, column]
                        later[n + 1 - begin, i] = root * JT[t + 1, i, column + 1]
                    n += 2
            cross[t] = -np.dot(np.ascontiguousarray(Y[begin:n].T), later[: n - begin])
        if t > 0:
            for k in range(corners):
                if skate_weights[t - 1, k] > 0.0:
                    root, column = np.sqrt(skate_weights[t - 1, k]), 3 * (first[0] + k)
                    for i in range(size):
                        Y[n, i], Y[n + 1, i] = root * J[i, column], root * J[i, column + 1]
                    n += 2
        while p < len(frame) and frame[p] == t:
            _add_near(J, first[1], bodies[p], local[p], normal[p], np.sqrt(near_weight[p]), Y[n])
            p += 1
            n += 1
        used = Y[:n]
        own[t] = np.dot(np.ascontiguousarray(used.T), used)
