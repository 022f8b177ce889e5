"""Compiled assembly of the whole clip's normal equations, knot by knot.

All that is asked at a knot depends on its state, and that on three control points. With B the 3 x D matrices that take
control points to positions, velocities and accelerations of the knot, rows of positions add B^T J^T W J B and rows of
dynamics add A^T M A, where M is what is left of the rows' weights after the forces of the knot were eliminated
(`put_eliminated`). What is planted at two knots couples these: four control points, and so the width of the band.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel

_SIXTHS = (1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0)


@kernel
def _add_block(band: np.ndarray, row: int, column: int, block: np.ndarray) -> None:
    """Adds a square block to the lower triangle of a band, at (row, column) with row >= column."""
    size, last = len(block), band.shape[1] - 1
    for i in range(size):
        end = i + 1 if row == column else size
        offset = last - (row + i) + column
        for j in range(end):
            band[row + i, offset + j] += block[i, j]


@kernel
def _put_root_sides(H: np.ndarray, left: np.ndarray, right: np.ndarray, above: np.ndarray, beside: np.ndarray) -> None:
    """Writes what the roots' tangents make of a matrix by positions of two knots.

    Args:
        H: By positions of both knots, [D, D].
        left: Tangents of the first knot's root, [18, 18].
        right: The same of the second.
        above: Written: B_i^T H by the first knot's control points i, root rows only, [3, 6, D].
        beside: Written: H B_j by the second one's j, root columns only and turned, [3, 6, D].
    """
    above[:], beside[:] = 0.0, 0.0
    for i in range(3):
        for a in range(6):
            for e in range(6):
                f, g = left[e, 6 * i + a], right[e, 6 * i + a]
                for b in range(len(H)):
                    above[i, a, b] += f * H[e, b]
                    beside[i, a, b] += g * H[b, e]


@kernel
def _add_lifted(
    band: np.ndarray,
    H: np.ndarray,
    filled: np.ndarray,
    sides: tuple[np.ndarray, np.ndarray, np.ndarray],
    i: int,
    j: int,
    row: int,
    column: int,
) -> None:
    """Adds B_i^T H B_j to the lower triangle of a band at (row, column), with row >= column.

    Args:
        band: Lower triangle, [control point * D, 4 D].
        H: By positions, rows of the knot whose control point i is, [D, D].
        filled: Which rows of H have anything behind the root, [D].
        sides: Root rows and turned root columns, see `_put_root_sides`, and tangents of the knot of j.
        i: Control point of the knot of the rows.
        j: Control point of the knot of the columns.
        row: The first row of i's control point.
        column: The first column of j's.
    """
    size, last, share = len(H), band.shape[1] - 1, _SIXTHS[i] * _SIXTHS[j]
    above, beside, right = sides
    whole = row != column
    for a in range(6):
        offset = last - (row + a) + column
        for b in range(6 if whole else a + 1):
            total = 0.0
            for e in range(6):
                total += above[i, a, e] * right[e, 6 * j + b]
            band[row + a, offset + b] += total
        if whole:
            for b in range(6, size):
                band[row + a, offset + b] += _SIXTHS[j] * above[i, a, b]
    for a in range(6, size):
        offset = last - (row + a) + column
        for b in range(6):
            band[row + a, offset + b] += _SIXTHS[i] * beside[j, b, a]
        if filled[a]:
            for b in range(6, size if whole else a + 1):
                band[row + a, offset + b] += share * H[a, b]


@kernel
def _mark_filled(H: np.ndarray, filled: np.ndarray) -> None:
    """Writes which rows have anything behind the root."""
    for a in range(len(H)):
        filled[a] = False
        for b in range(6, len(H)):
            if H[a, b] != 0.0:
                filled[a] = True
                break


@kernel
def add_position_terms(band: np.ndarray, own: np.ndarray, cross: np.ndarray, tangents: np.ndarray) -> None:
    """Adds squares of positions to a band over control points.

    Args:
        band: Lower triangle, [control point * D, 4 D].
        own: By positions of each knot, [t, D, D].
        cross: Of each knot with the next, [t - 1, D, D]; rows are of the earlier one.
        tangents: Of the root, [t, 18, 18].
    """
    size = own.shape[1]
    above, beside = np.empty((3, 6, size)), np.empty((3, 6, size))
    filled, turned = np.empty(size, dtype=np.bool_), np.empty((size, size))
    for t in range(len(own)):
        _put_root_sides(own[t], tangents[t], tangents[t], above, beside)
        _mark_filled(own[t], filled)
        for i in range(3):
            for j in range(i + 1):
                sides = (above, beside, tangents[t])
                _add_lifted(band, own[t], filled, sides, i, j, (t + i) * size, (t + j) * size)
        if t + 1 == len(own):
            continue
        for a in range(size):
            for b in range(size):
                turned[b, a] = cross[t, a, b]
        _put_root_sides(cross[t], tangents[t], tangents[t + 1], above, beside)
        _mark_filled(cross[t], filled)
        for i in range(3):  # control points of this knot that are not before those of the next
            for j in range(i):
                sides = (above, beside, tangents[t + 1])
                _add_lifted(band, cross[t], filled, sides, i, j, (t + i) * size, (t + 1 + j) * size)
        _mark_filled(turned, filled)
        for j in range(3):
            for i in range(j + 2):
                if i < 3:
                    sides = (beside, above, tangents[t])
                    _add_lifted(band, turned, filled, sides, j, i, (t + 1 + j) * size, (t + i) * size)


@kernel
def add_root_squares(band: np.ndarray, squares: np.ndarray, size: int) -> None:
    """Adds squares of what looks at the root alone to a band over control points.

    Args:
        band: Lower triangle, [control point * D, 4 D].
        squares: By places and increments of each knot's three control points, [t, 18, 18].
        size: D.
    """
    for t in range(len(squares)):
        for i in range(3):
            for j in range(i + 1):
                block = squares[t, 6 * i : 6 * i + 6, 6 * j : 6 * j + 6]
                _add_block(band, (t + i) * size, (t + j) * size, block)


@kernel
def put_lifted_gradient(by_positions: np.ndarray, tangents: np.ndarray, out: np.ndarray) -> None:
    """Adds B^T g of gradients by positions of knots [t, D] to those by control points [t + 2, D]."""
    size = by_positions.shape[1]
    for t in range(len(by_positions)):
        for i in range(3):
            for a in range(6):
                for e in range(6):
                    out[t + i, a] += tangents[t, e, 6 * i + a] * by_positions[t, e]
            for a in range(6, size):
                out[t + i, a] += _SIXTHS[i] * by_positions[t, a]


@kernel
def put_position_change(dx: np.ndarray, tangents: np.ndarray, out: np.ndarray) -> None:
    """Writes B dx: changes of positions of knots [t, D] with changes of control points [t + 2, D]."""
    size = dx.shape[1]
    for t in range(len(out)):
        for a in range(6, size):
            out[t, a] = (dx[t, a] + 4.0 * dx[t + 1, a] + dx[t + 2, a]) / 6.0
        for e in range(6):
            total = 0.0
            for i in range(3):
                for a in range(6):
                    total += tangents[t, e, 6 * i + a] * dx[t + i, a]
            out[t, e] = total


@kernel
def put_dynamics_rows(
    by_q: np.ndarray,
    by_v: np.ndarray,
    by_a: np.ndarray,
    by_force: np.ndarray,
    tangents: np.ndarray,
    step: float,
    dof: np.ndarray,
    scale: np.ndarray,
    by_speed: np.ndarray,
    pushes: np.ndarray,
    rows: np.ndarray,
    gains: np.ndarray,
) -> None:
    """Writes how rows of dynamics change with control points and with forces.

    Args:
        by_q: Forces of inverse dynamics less those of contacts, by positions, [t, D, D].
        by_v: By velocities.
        by_a: By accelerations.
        by_force: J^T of the corners, [t, D, 3 corner].
        tangents: Of the root, [t, 18, 18].
        step: h [s].
        dof: Column of each row, [R].
        scale: Of its force, [R].
        by_speed: Of its speed, [R].
        pushes: Forces of one unit of each unknown, [corner * edge, 3].
        rows: Written, [t, R, 3 D].
        gains: Written, [t, R, force].
    """
    size, edges = by_q.shape[1], len(pushes) // (by_force.shape[2] // 3)
    root, lifted = np.empty(18), np.empty(18)
    cv, ca = (-0.5 / step, 0.0, 0.5 / step), (1.0 / step**2, -2.0 / step**2, 1.0 / step**2)
    for t in range(len(by_q)):
        for r in range(len(dof)):
            d, s = dof[r], scale[r]
            out = rows[t, r]
            for i in range(3):
                for a in range(6, size):
                    out[i * size + a] = s * (_SIXTHS[i] * by_q[t, d, a] + cv[i] * by_v[t, d, a] + ca[i] * by_a[t, d, a])
            for a in range(6):
                root[a], root[6 + a], root[12 + a] = s * by_q[t, d, a], s * by_v[t, d, a], s * by_a[t, d, a]
            lifted[:] = 0.0
            for e in range(18):
                for c in range(18):
                    lifted[c] += root[e] * tangents[t, e, c]
            for i in range(3):
                for a in range(6):
                    out[i * size + a] = lifted[6 * i + a]
                if by_speed[r] != 0.0:
                    out[i * size + d] += by_speed[r] * cv[i]
            for n in range(len(pushes)):
                k = 3 * (n // edges)
                push = by_force[t, d, k] * pushes[n, 0] + by_force[t, d, k + 1] * pushes[n, 1]
                gains[t, r, n] = -s * (push + by_force[t, d, k + 2] * pushes[n, 2])


@kernel
def _factor(M: np.ndarray) -> None:
    """Replaces the lower triangle of a positive definite matrix by its Cholesky factor."""
    for j in range(len(M)):
        for k in range(j):
            f = M[j, k]
            for i in range(j, len(M)):
                M[i, j] -= M[i, k] * f
        root = np.sqrt(max(M[j, j], 1e-300))
        for i in range(j, len(M)):
            M[i, j] /= root


@kernel
def add_eliminated(
    band: np.ndarray,
    rows: np.ndarray,
    gains: np.ndarray,
    stiffness: np.ndarray,
    walls: np.ndarray,
    active: np.ndarray,
    factors: np.ndarray,
) -> None:
    """Adds A^T M A of all knots to a band, with forces eliminated: M = (W^-1 + G V^-1 G^T)^-1.

    Args:
        band: Lower triangle, [control point * D, 4 D].
        rows: A, [t, R, 3 D].
        gains: G, [t, R, force].
        stiffness: W, of rows, greater than 0, [t, R].
        walls: V, of forces, [t, force].
        active: Which forces may act, [t, force].
        factors: Written: Cholesky factors of M^-1, [t, R, R].
    """
    count, width = rows.shape[1], rows.shape[2]
    size, last = width // 3, band.shape[1] - 1
    Z = np.empty((count, width))
    for t in range(len(rows)):
        L = factors[t]
        G = gains[t]
        for r in range(count):
            for s in range(r + 1):
                L[r, s] = 0.0
            L[r, r] = 1.0 / stiffness[t, r]
        for n in range(G.shape[1]):
            if active[t, n]:
                inverse = 1.0 / walls[t, n]
                for r in range(count):
                    f = inverse * G[r, n]
                    if f != 0.0:
                        for s in range(r + 1):
                            L[r, s] += f * G[s, n]
        _factor(L)
        A = rows[t]
        for r in range(count):
            for c in range(width):
                Z[r, c] = A[r, c]
            for s in range(r):
                f = L[r, s]
                if f != 0.0:
                    for c in range(width):
                        Z[r, c] -= f * Z[s, c]
            f = 1.0 / L[r, r]
            for c in range(width):
                Z[r, c] *= f
        product = np.dot(Z.T, Z)
        begin = t * size
        for r in range(width):
            row, offset = begin + r, last - r
            for c in range(r + 1):
                band[row, offset + c] += product[r, c]


@kernel
def put_through(factors: np.ndarray, values: np.ndarray) -> None:
    """Replaces values of rows [t, R] by M values, with `factors` of M^-1."""
    count = values.shape[1]
    for t in range(len(values)):
        L, x = factors[t], values[t]
        for r in range(count):
            for s in range(r):
                x[r] -= L[r, s] * x[s]
            x[r] /= L[r, r]
        for r in range(count - 1, -1, -1):
            x[r] /= L[r, r]
            for s in range(r):
                x[s] -= L[r, s] * x[r]


@kernel
def put_rows_change(rows: np.ndarray, dx: np.ndarray, out: np.ndarray) -> None:
    """Writes A dx of each knot [t, R], of changes of control points [t + 2, D]."""
    size = dx.shape[1]
    for t in range(len(rows)):
        for r in range(rows.shape[1]):
            total = 0.0
            for i in range(3):
                for a in range(size):
                    total += rows[t, r, i * size + a] * dx[t + i, a]
            out[t, r] = total


@kernel
def add_rows_gradient(rows: np.ndarray, values: np.ndarray, out: np.ndarray) -> None:
    """Adds A^T values of rows [t, R] to what belongs to control points [t + 2, D]."""
    size = out.shape[1]
    for t in range(len(rows)):
        for r in range(rows.shape[1]):
            value = values[t, r]
            if value != 0.0:
                for i in range(3):
                    for a in range(size):
                        out[t + i, a] += rows[t, r, i * size + a] * value
