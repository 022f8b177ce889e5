"""The walk over the joints of a coupled problem at one place: axes, motions, forces and weights, in the world."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import kernel
from animato.kernels.spatial_algebra import (
    force_cross,
    inertia_row,
    inertia_times,
    motion_cross,
    put_six_row,
    six_minus,
    six_plus,
    six_row,
    six_times,
)
from animato.mechanics.tree.path_torques.joint_chain import JointChain


class Walk(NamedTuple):
    """Memory of the walk over the joints j, all [j, 6] unless said otherwise.

    Attributes:
        R, o: Pose of the joint's frame in the world, [j, 3, 3] and [j, 3].
        S: Axis.
        own, all: Inertia of what it carries itself, and with all behind it, [j, 10].
        V, A: Motion, with b.
        A_m: Acceleration of q' alone.
        xi, xi_m: Weights mu and kappa as motions.
        F, F_m, F_g: Force that it passes on: of d b + c, of a, and of c.
        Y, Y_m: Sums of I xi behind it.
        Z: Sum of V x* (I xi) + the derivative of L by V behind it.
        psi: V_p x S.
        change: Of the forces behind joint k with q_j (0) and v_j (1), [j, 2, k, 6].
        twice: Sums of I (xi x w) - xi x* (I w) behind joint k for w = psi_j (0) and S_j (1), [j, 2, k, 6].
        scratch: [7, 3].
    """

    R: np.ndarray
    o: np.ndarray
    S: np.ndarray
    own: np.ndarray
    all: np.ndarray
    V: np.ndarray
    A: np.ndarray
    A_m: np.ndarray
    xi: np.ndarray
    xi_m: np.ndarray
    F: np.ndarray
    F_m: np.ndarray
    F_g: np.ndarray
    Y: np.ndarray
    Y_m: np.ndarray
    Z: np.ndarray
    psi: np.ndarray
    change: np.ndarray
    twice: np.ndarray
    scratch: np.ndarray


def build_walk(joints: int) -> Walk:
    """Empty memory for so many joints; rows have one more, the ground."""
    shapes: dict[str, tuple[int, ...]] = {
        "R": (joints, 3, 3),
        "o": (joints, 3),
        "own": (joints, 10),
        "all": (joints, 10),
        "scratch": (7, 3),
    }
    shapes |= dict.fromkeys(("change", "twice"), (joints, 2, joints, 6))
    return Walk(**{name: np.zeros(shapes.get(name, (joints + 1, 6))) for name in Walk._fields})


@kernel
def _put_axis(chain: JointChain, w: Walk, k: int, position: float) -> None:
    """Writes pose, axis and inertia of a joint in the world."""
    above = chain.parent[k]
    turn, carry = np.cos(position), np.sin(position)
    if chain.slides[k] == 1:
        turn, carry = 1.0, 0.0
    for r in range(3):
        x = y = z = 0.0
        at = 0.0
        for e in range(3):
            outer = w.R[above, r, e] if above >= 0 else (1.0 if r == e else 0.0)
            x += outer * chain.rotation[k, e, 0]
            y += outer * chain.rotation[k, e, 1]
            z += outer * chain.rotation[k, e, 2]
            at += outer * chain.position[k, e]
        w.R[k, r, 0], w.R[k, r, 1], w.R[k, r, 2] = turn * x + carry * y, turn * y - carry * x, z
        w.o[k, r] = at + (w.o[above, r] if above >= 0 else 0.0)
        if chain.slides[k] == 1:
            w.o[k, r] += position * z
    zx, zy, zz = w.R[k, 0, 2], w.R[k, 1, 2], w.R[k, 2, 2]
    ox, oy, oz = w.o[k, 0], w.o[k, 1], w.o[k, 2]
    if chain.slides[k] == 1:
        put_six_row(w.S, k, (0.0, 0.0, 0.0, zx, zy, zz))
    else:
        put_six_row(w.S, k, (zx, zy, zz, oy * zz - oz * zy, oz * zx - ox * zz, ox * zy - oy * zx))
    _put_inertia(chain, w, k)


@kernel
def _put_inertia(chain: JointChain, w: Walk, k: int) -> None:
    """Writes the inertia of what a joint carries, about the origin of the world."""
    m = chain.inertia[k, 0]
    h, half, moments, o = w.scratch[0], w.scratch[1:4], w.scratch[4:7], w.o[k]
    for r in range(3):
        h[r] = 0.0
        for f in range(3):
            h[r] += w.R[k, r, f] * chain.inertia[k, 1 + f]
            half[r, f] = 0.0
            for e in range(3):
                half[r, f] += w.R[k, r, e] * chain.inertia[k, 4 + 3 * e + f]
    for r in range(3):
        for f in range(r + 1):
            moments[f, r] = half[r, 0] * w.R[k, f, 0] + half[r, 1] * w.R[k, f, 1] + half[r, 2] * w.R[k, f, 2]
    # about the world's origin: with o that of the joint, sum m (x + o)^2 in place of sum m x^2
    inner = 2.0 * (h[0] * o[0] + h[1] * o[1] + h[2] * o[2]) + m * (o[0] * o[0] + o[1] * o[1] + o[2] * o[2])
    w.own[k, 0] = m
    for r in range(3):
        w.own[k, 1 + r] = h[r] + m * o[r]
        w.own[k, 4 + r] = moments[r, r] + inner - 2.0 * h[r] * o[r] - m * o[r] * o[r]
    w.own[k, 7] = moments[0, 1] - h[0] * o[1] - h[1] * o[0] - m * o[0] * o[1]
    w.own[k, 8] = moments[0, 2] - h[0] * o[2] - h[2] * o[0] - m * o[0] * o[2]
    w.own[k, 9] = moments[1, 2] - h[1] * o[2] - h[2] * o[1] - m * o[1] * o[2]


@kernel
def walk_outward(
    chain: JointChain,
    w: Walk,
    gravity: np.ndarray,
    q: np.ndarray,
    dq: np.ndarray,
    ddq: np.ndarray,
    b: float,
) -> None:
    """Motions of all joints, the forces that each takes, and their sums over what is behind a joint."""
    root, count = np.sqrt(b), len(chain.parent)
    ground = (0.0, 0.0, 0.0, -gravity[0], -gravity[1], -gravity[2])
    put_six_row(w.A, count, ground)  # the last row is the ground, which a parent of -1 finds
    for k in range(count):
        column, above = chain.column[k], chain.parent[k]
        position, rate, push, move = chain.offset[k], 0.0, 0.0, 0.0
        if column >= 0:
            position += chain.scale[k] * q[column]
            move = chain.scale[k] * dq[column]
            rate, push = root * move, b * chain.scale[k] * ddq[column]
        _put_axis(chain, w, k, position)
        S, V = six_row(w.S, k), six_row(w.V, above)
        psi = motion_cross(V, S)
        V = six_plus(V, six_times(rate, S))
        A = six_plus(six_row(w.A, above), six_plus(six_times(push, S), six_times(rate, psi)))
        A_m = six_plus(six_row(w.A_m, above), six_times(move, S))
        put_six_row(w.psi, k, psi)
        put_six_row(w.V, k, V)
        put_six_row(w.A, k, A)
        put_six_row(w.A_m, k, A_m)
        momentum = inertia_times(inertia_row(w.own, k), V)
        put_six_row(w.F, k, six_plus(inertia_times(inertia_row(w.own, k), A), force_cross(V, momentum)))
        put_six_row(w.F_m, k, inertia_times(inertia_row(w.own, k), A_m))
        put_six_row(w.F_g, k, inertia_times(inertia_row(w.own, k), ground))
    for k in range(count - 1, -1, -1):
        above = chain.parent[k]
        if above >= 0:
            for e in range(6):
                w.F[above, e] += w.F[k, e]
                w.F_m[above, e] += w.F_m[k, e]
                w.F_g[above, e] += w.F_g[k, e]


@kernel
def weigh_torques(chain: JointChain, w: Walk, mu: np.ndarray, kappa: np.ndarray) -> None:
    """Weights of the torques as motions, what derivatives need of them, and inertias, summed behind each joint."""
    count = len(chain.parent)
    for k in range(count):
        row, above, S, V = chain.row[k], chain.parent[k], six_row(w.S, k), six_row(w.V, k)
        xi, xi_m = six_row(w.xi, above), six_row(w.xi_m, above)
        if row >= 0:
            xi = six_plus(xi, six_times(chain.scale[k] * mu[row], S))
            xi_m = six_plus(xi_m, six_times(chain.scale[k] * kappa[row], S))
        put_six_row(w.xi, k, xi)
        put_six_row(w.xi_m, k, xi_m)
        Y = inertia_times(inertia_row(w.own, k), xi)
        put_six_row(w.Y, k, Y)
        put_six_row(w.Y_m, k, inertia_times(inertia_row(w.own, k), xi_m))
        by_V = six_minus(
            inertia_times(inertia_row(w.own, k), motion_cross(xi, V)),
            force_cross(xi, inertia_times(inertia_row(w.own, k), V)),
        )
        put_six_row(w.Z, k, six_plus(force_cross(V, Y), by_V))
        for e in range(10):
            w.all[k, e] = w.own[k, e]
    for k in range(count - 1, -1, -1):
        above = chain.parent[k]
        if above >= 0:
            for e in range(6):
                w.Y[above, e] += w.Y[k, e]
                w.Y_m[above, e] += w.Y_m[k, e]
                w.Z[above, e] += w.Z[k, e]
            for e in range(10):
                w.all[above, e] += w.all[k, e]
