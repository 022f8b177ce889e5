"""Inertia of a part that deforms while its frame moves; compiled.

A mass point is at x = p + R y, y = X + sum of phi_j a_j, where the part's frame (that of its reference interface) has
rotation R and place p, velocity V = (w, v) and acceleration A in the world, both of what is at the world's origin, A
with that against gravity. In the axes of the part the point accelerates by

    b + W y + 2 w x y' + y'',      W = [w']x + [w]x^2,      b: acceleration of the part's origin.

Integrals of it need P_j = int rho phi_j y^T, N_j = int rho phi_j y'^T, L_j = int rho phi_j y''^T, which are sums over
constant blocks (see `inertia_integrals`); the modal forces are Q_j = int rho phi_j . acceleration.

What is behind the part's step changes with a motion c before it as a rigid body does (see `coriolis_algebra`): V by
psi, A by phi + psi x V. Then every mass point of total velocity u, that of the deformation included, needs 2 m a x u
more, a being the angular half of psi. So C keeps its twelve numbers, and with those of the deforming part in its step

    dF = I phi + C psi,      dQ_j = (dF/da_j'') . phi + turn_j . a,      turn_j = int rho 2 u x R phi_j,

in the place of I S and C^T S of a hinge. A step before the part feels a mode by S_c . dF/da_j and so on.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.small_matrices import (
    axial,
    crossing,
    matrix_dot,
    matrix_in,
    matrix_plus,
    matrix_times,
    outer,
    transposed,
    triple_in,
)
from animato.kernels.spatial_algebra import triple_dot
from animato.kernels.vectors import Matrix, Triple, cross, plus, product, times, turned, turned_back
from animato.mechanics.flexible.interface import put_interface_motion
from animato.mechanics.flexible.reduction.packed import PackedParts, PartsWork


@kernel
def put_part_interfaces(
    parts: PackedParts, work: PartsWork, p: int, a: np.ndarray, v: np.ndarray, acc: np.ndarray, derivatives: bool
) -> None:
    """Writes phi, J and their time derivatives of all far interfaces of a part to `work`.

    With f the hinges' torques, their share of the modal forces is J^T f. The rates are phi' = J a' and
    phi'' = J a'' + (dJ/dt) a'; their derivatives stand in `put_interface_motion`.

    Args:
        parts: All of them.
        work: Written: phi, phi_v, phi_a, jac, jac_v and, with derivatives, jac_a.
        p: The part.
        a: Its modes, [r].
        v: da/dt, [r].
        acc: d2a/dt2, [r].
        derivatives: Whether `jac_a` is wanted.
    """
    r = len(a)
    for i in range(parts.first_interface[p], parts.first_interface[p + 1]):
        first, last = 6 * parts.interfaces.first[i], 6 * parts.interfaces.first[i + 1]
        put_interface_motion(
            parts.interfaces,
            i,
            a,
            v,
            acc,
            derivatives,
            work.phi[i],
            work.phi_v[i],
            work.phi_a[i],
            work.jac[first:last].reshape(6, r),
            work.jac_v[first:last].reshape(6, r),
            work.jac_a[first:last].reshape(6, r),
        )


@kernel
def _put_block_sums(
    blocks: np.ndarray, a: np.ndarray, v: np.ndarray, acc: np.ndarray, P: np.ndarray, N: np.ndarray, L: np.ndarray
) -> None:
    """Writes sums of rows of blocks [r + 1, 9 (r + 1)]: the first one and those times a, those times v, times acc."""
    rest = blocks[0]
    for c in range(len(rest)):
        P[c], N[c], L[c] = rest[c], 0.0, 0.0
    for k in range(len(a)):
        row, x, y, z = blocks[k + 1], a[k], v[k], acc[k]
        for c in range(len(row)):
            P[c] += x * row[c]
        for c in range(len(row)):
            N[c] += y * row[c]
        for c in range(len(row)):
            L[c] += z * row[c]


@kernel
def _put_moments(
    parts: PackedParts, memory: np.ndarray, p: int, a: np.ndarray, v: np.ndarray, acc: np.ndarray
) -> tuple[Matrix, Matrix, Matrix]:
    """Writes P, N, L of all modes (from 0, 9 (r + 1), 18 (r + 1) on); int rho of y y^T, y' y^T and y'' y^T."""
    r, size = len(a), 9 * (len(a) + 1)
    blocks = parts.second[parts.first_second[p] : parts.first_second[p + 1]].reshape(r + 1, size)
    _put_block_sums(blocks, a, v, acc, memory[:size], memory[size : 2 * size], memory[2 * size : 3 * size])
    Y = matrix_in(memory, 0)
    Z, T = matrix_times(0.0, Y), matrix_times(0.0, Y)
    for j in range(r):
        P = matrix_in(memory, 9 * (j + 1))
        Y = matrix_plus(Y, matrix_times(a[j], P))
        Z = matrix_plus(Z, matrix_times(v[j], P))
        T = matrix_plus(T, matrix_times(acc[j], P))
    return Y, Z, T


@inlined_kernel
def _moment_sums(
    parts: PackedParts, p: int, a: np.ndarray, v: np.ndarray, acc: np.ndarray
) -> tuple[Triple, Triple, Triple]:
    """The integrals rho y, rho y', rho y''."""
    first = 3 * (parts.first_mode[p] + p)
    h = triple_in(parts.moments, first)
    h_v, h_a = times(0.0, h), times(0.0, h)
    for k in range(len(a)):
        s = triple_in(parts.moments, first + 3 * (k + 1))
        h = plus(h, times(a[k], s))
        h_v = plus(h_v, times(v[k], s))
        h_a = plus(h_a, times(acc[k], s))
    return h, h_v, h_a


@inlined_kernel
def _add_step(rows: np.ndarray, first: int, moment: Triple, force: Triple) -> None:
    """Adds six numbers to a row of an array."""
    for c in range(3):
        rows[first + c] += moment[c]
        rows[first + 3 + c] += force[c]


@inlined_kernel
def _put_in_world(rows: np.ndarray, j: int, R: Matrix, p: Triple, moment: Triple, force: Triple) -> None:
    """Writes row j of an array of forces [j, 6], given in the part's axes about its origin."""
    f = turned(R, force)
    n = plus(turned(R, moment), cross(p, f))
    rows[j, 0], rows[j, 1], rows[j, 2], rows[j, 3], rows[j, 4], rows[j, 5] = n[0], n[1], n[2], f[0], f[1], f[2]


@inlined_kernel
def _add_inertia(inertia: np.ndarray, first: int, mass: float, R: Matrix, p: Triple, h: Triple, Y: Matrix) -> None:
    """Adds mass, first and second moments about the world's origin to ten rows."""
    arm = turned(R, h)
    crossed = outer(p, arm)
    X = matrix_plus(matrix_plus(crossed, transposed(crossed)), product(product(R, Y), transposed(R)))
    X = matrix_plus(X, matrix_times(mass, outer(p, p)))
    inertia[first] += mass
    for c in range(3):
        inertia[first + 1 + c] += mass * p[c] + arm[c]
    inertia[first + 4] += X[4] + X[8]
    inertia[first + 5] += X[0] + X[8]
    inertia[first + 6] += X[0] + X[4]
    inertia[first + 7] -= X[1]
    inertia[first + 8] -= X[2]
    inertia[first + 9] -= X[5]


@inlined_kernel
def _add_coriolis(coriolis: np.ndarray, first: int, R: Matrix, p: Triple, momentum: Triple, U: Matrix) -> None:
    """Adds 2 p and G = 2 (tr X 1 - X), X = int rho u x^T, to twelve rows; U is the same about the part's origin."""
    along = turned(R, momentum)
    X = matrix_plus(outer(along, p), product(product(R, U), transposed(R)))
    trace = X[0] + X[4] + X[8]
    for c in range(3):
        coriolis[first + c] += 2.0 * along[c]
    for c in range(9):
        coriolis[first + 3 + c] -= 2.0 * X[c]
    for c in range(3):
        coriolis[first + 3 + 4 * c] += 2.0 * trace


@kernel
def _put_weighted(matrices: np.ndarray, weights: tuple[float, ...], out: np.ndarray) -> None:
    """Writes the weighted sum of matrices [matrix, entry], as many as there are weights."""
    out[:] = 0.0
    for m in range(len(weights)):
        x, row = weights[m], matrices[m]
        for c in range(len(out)):
            out[c] += x * row[c]


@kernel
def _put_pairs(parts: PackedParts, work: PartsWork, p: int, r: int, W: Matrix, w: Triple) -> None:
    """Writes the derivatives of the modal forces of inertia by a, a', a''."""
    first, last = parts.first_square[p], parts.first_square[p + 1]
    pairs = parts.pairs[10 * first : 10 * last].reshape(10, r * r)
    turning = axial(W)  # W = [w']x + a symmetric matrix, so this is twice w'
    x, y, z = 0.5 * turning[0], 0.5 * turning[1], 0.5 * turning[2]
    xy, xz, yz = 0.5 * (W[1] + W[3]), 0.5 * (W[2] + W[6]), 0.5 * (W[5] + W[7])
    _put_weighted(pairs, (W[0], W[4], W[8], xy, xz, yz, x, y, z), work.forces_by_a[first:last])
    _put_weighted(pairs[6:], (2.0 * w[0], 2.0 * w[1], 2.0 * w[2]), work.forces_by_v[first:last])
    work.forces_by_acc[first:last] = pairs[9]


@inlined_kernel
def _put_mode_changes(
    parts: PackedParts,
    work: PartsWork,
    part: int,
    r: int,
    pose: tuple[Matrix, Triple],
    move: tuple[Triple, ...],
    W: Matrix,
) -> None:
    """Writes by_a, by_v, by_acc and turn of each mode of a part."""
    R, p = pose
    w, b, velocity = move
    size, first, spin = 9 * (r + 1), parts.first_mode[part], crossing(w)
    for j in range(r):
        s = triple_in(parts.moments, 3 * (first + part + j + 1))
        P, N = matrix_in(work.memory, 9 * (j + 1)), matrix_in(work.memory, size + 9 * (j + 1))
        L = matrix_in(work.memory, 2 * size + 9 * (j + 1))
        U = matrix_plus(outer(b, s), product(W, matrix_plus(P, transposed(P))))
        U = matrix_plus(U, matrix_plus(matrix_times(2.0, product(spin, transposed(N))), transposed(L)))
        _put_in_world(work.by_a, first + j, R, p, axial(U), turned(W, s))
        _put_in_world(work.by_v, first + j, R, p, axial(matrix_times(2.0, product(spin, P))), times(2.0, cross(w, s)))
        _put_in_world(work.by_acc, first + j, R, p, axial(P), s)
        # int rho phi_j u^T, u = velocity + w x y + y'
        moved = matrix_plus(matrix_plus(outer(s, velocity), N), product(P, transposed(spin)))
        turn = turned(R, axial(moved))
        for c in range(3):
            work.turn[first + j, c] = 2.0 * turn[c]


@kernel
def put_modal_inertia(
    parts: PackedParts,
    work: PartsWork,
    part: int,
    a: np.ndarray,
    v: np.ndarray,
    acc: np.ndarray,
    derivatives: bool,
    step: int,
    rotation: np.ndarray,
    position: np.ndarray,
    V: np.ndarray,
    A: np.ndarray,
    F: np.ndarray,
    inertia: np.ndarray,
    coriolis: np.ndarray,
) -> None:
    """Adds what a deforming part needs to its step, and writes the forces of inertia along its modes to `work`.

    Call it between the outward and the inward walk. The last seven arrays are rows over all steps of one moment, as in
    the walk of the tree; all vectors are in the world about its origin. The part's frame is that of the step.

    Args:
        parts: All of them.
        work: Written for this part: forces, and with derivatives by_a, by_v, by_acc, turn, forces_by_a, forces_by_v,
            forces_by_acc.
        part: Which one.
        a: Its modes, [r].
        v: da/dt, [r].
        acc: d2a/dt2, [r].
        derivatives: Whether derivatives, `inertia` and `coriolis` are wanted.
        step: The step that carries the part's frame.
        rotation: [9 step].
        position: [3 step].
        V: Velocities, [6 step].
        A: Accelerations with that against gravity, [6 step].
        F: Added to: forces, [6 step].
        inertia: Added to where derivatives are wanted, [10 step].
        coriolis: Added to where derivatives are wanted, [12 step].
    """
    r, mass = len(a), parts.mass[part]
    R, p = matrix_in(rotation, 9 * step), triple_in(position, 3 * step)
    spin, speed = triple_in(V, 6 * step), triple_in(V, 6 * step + 3)
    swing, rise = triple_in(A, 6 * step), triple_in(A, 6 * step + 3)
    at_p = plus(speed, cross(spin, p))
    w, velocity = turned_back(R, spin), turned_back(R, at_p)
    b = turned_back(R, plus(plus(rise, cross(swing, p)), cross(spin, at_p)))
    spinning = crossing(w)
    W = matrix_plus(crossing(turned_back(R, swing)), product(spinning, spinning))
    h, h_v, h_a = _moment_sums(parts, part, a, v, acc)
    Y, Z, T = _put_moments(parts, work.memory, part, a, v, acc)
    force = plus(plus(times(mass, b), turned(W, h)), plus(times(2.0, cross(w, h_v)), h_a))
    U = matrix_plus(matrix_plus(outer(b, h), product(W, Y)), matrix_plus(matrix_times(2.0, product(spinning, Z)), T))
    in_world = turned(R, force)
    _add_step(F, 6 * step, plus(turned(R, axial(U)), cross(p, in_world)), in_world)
    size, first = 9 * (r + 1), parts.first_mode[part]
    for j in range(r):
        at = 9 * (j + 1)
        s, L = triple_in(parts.moments, 3 * (first + part + j + 1)), 2 * size + at
        swung = matrix_dot(W, matrix_in(work.memory, at)) + work.memory[L] + work.memory[L + 4] + work.memory[L + 8]
        turning = matrix_dot(spinning, matrix_in(work.memory, size + at))
        work.forces[first + j] = triple_dot(s, b) + swung + 2.0 * turning
    if derivatives:
        _add_inertia(inertia, 10 * step, mass, R, p, h, Y)
        momentum = plus(plus(times(mass, velocity), cross(w, h)), h_v)
        moved = matrix_plus(matrix_plus(outer(velocity, h), product(spinning, Y)), Z)
        _add_coriolis(coriolis, 12 * step, R, p, momentum, moved)
        _put_pairs(parts, work, part, r, W, w)
        _put_mode_changes(parts, work, part, r, (R, p), (w, b, velocity), W)


@kernel
def part_energy(
    parts: PackedParts,
    work: PartsWork,
    part: int,
    a: np.ndarray,
    v: np.ndarray,
    step: int,
    rotation: np.ndarray,
    position: np.ndarray,
    V: np.ndarray,
    gravity: np.ndarray,
) -> tuple[float, float]:
    """Kinetic and gravitational energy of a part [J]; arrays as in `put_modal_inertia`, gravity [3] in the world."""
    mass = parts.mass[part]
    R, p = matrix_in(rotation, 9 * step), triple_in(position, 3 * step)
    spin, speed = triple_in(V, 6 * step), triple_in(V, 6 * step + 3)
    w, velocity = turned_back(R, spin), turned_back(R, plus(speed, cross(spin, p)))
    h, h_v, _ = _moment_sums(parts, part, a, v, v)
    Y, Z, _ = _put_moments(parts, work.memory, part, a, v, v)
    spinning = crossing(w)
    # half of int rho |velocity + w x y + y'|^2
    kinetic = 0.5 * mass * triple_dot(velocity, velocity) + triple_dot(velocity, plus(cross(w, h), h_v))
    kinetic += 0.5 * matrix_dot(product(spinning, Y), spinning) + matrix_dot(spinning, Z)
    size = 9 * (len(a) + 1)
    for j in range(len(a)):
        at = size + 9 * (j + 1)
        kinetic += 0.5 * v[j] * (work.memory[at] + work.memory[at + 4] + work.memory[at + 8])
    centre = plus(times(mass, p), turned(R, h))
    return kinetic, -triple_dot((gravity[0], gravity[1], gravity[2]), centre)
