"""The recursive Newton-Euler algorithm over a packed tree, for many moments at once.

Vectors are kept in the axes of their step's own frame.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.lanes import LANES, give, lanes, put_lanes, take
from animato.kernels.vectors import (
    Matrix,
    Triple,
    add_triple,
    cross,
    matrix,
    matrix_at,
    plus,
    put_matrix,
    put_triple,
    times,
    triple,
    triple_at,
    turned,
    turned_back,
)
from animato.mechanics.tree.packing import BALL, FREE, SLIDE, TURN, PackedTree
from animato.mechanics.tree.steps import step_pose


@inlined_kernel
def _ball_rates(tree: PackedTree, s: int, R: Matrix, rates: np.ndarray) -> Triple:
    """A ball's angular rates in its step's axes; walked backward they turn over."""
    given = triple_at(rates, tree.dof[s])
    if tree.scale[s] < 0.0:
        given = times(-1.0, turned_back(R, turned(matrix(tree.rotation, s), given)))
    return given


@inlined_kernel
def _motion(
    tree: PackedTree,
    s: int,
    v: np.ndarray,
    a: np.ndarray,
    R: Matrix,
    p: Triple,
    spin: np.ndarray,
    spin_rate: np.ndarray,
    pull: np.ndarray,
) -> tuple[Triple, Triple, Triple]:
    """Angular velocity, angular acceleration and acceleration of a step from its parent's.

    w = R^T w_ + z v,  w' = R^T w'_ + z v' + (R^T w_) x z v  for a turn about z, and
    a = R^T (a_ + w'_ x p + w_ x (w_ x p)) + [2 w x z v + z v' for a slide along z].
    """
    above, kind, dof = tree.parent[s], tree.kind[s], tree.dof[s]
    outer, outer_rate = triple_at(spin, 3 * above), triple_at(spin_rate, 3 * above)
    bend = plus(cross(outer_rate, p), cross(outer, cross(outer, p)))
    acceleration = turned_back(R, plus(triple_at(pull, 3 * above), bend))
    speed, change = turned_back(R, outer), turned_back(R, outer_rate)
    if kind == BALL:
        rate = _ball_rates(tree, s, R, v)
        change = plus(change, plus(_ball_rates(tree, s, R, a), cross(speed, rate)))
        speed = plus(speed, rate)
        return speed, change, acceleration
    along, push = tree.scale[s] * lanes(v, dof), tree.scale[s] * lanes(a, dof)
    if kind == SLIDE:
        acceleration = plus(acceleration, (2.0 * along * speed[1], -2.0 * along * speed[0], push))
    else:
        change = plus(change, (along * speed[1], -1.0 * along * speed[0], push))
        speed = (speed[0], speed[1], speed[2] + along)
    return speed, change, acceleration


@inlined_kernel
def _root_motion(tree: PackedTree, v: np.ndarray, a: np.ndarray, R: Matrix) -> tuple[Triple, Triple, Triple]:
    """The same for the root. Gravity enters as its acceleration upward (Luh, Walker and Paul, 1980)."""
    up = turned_back(R, (-tree.gravity[0], -tree.gravity[1], -tree.gravity[2]))
    if tree.kind[0] != FREE:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), up
    return triple_at(v, 3), triple_at(a, 3), plus(up, triple_at(a, 0))


@inlined_kernel
def _load(tree: PackedTree, s: int, speed: Triple, change: Triple, acceleration: Triple) -> tuple[Triple, Triple]:
    """The force and the moment about the step's origin that its own mass needs.

    F = m (a + w' x c + w x (w x c)),  N = I w' + w x I w + c x F.
    """
    centre, inertia = triple(tree.centre, s), matrix(tree.inertia, s)
    bend = plus(cross(change, centre), cross(speed, cross(speed, centre)))
    push = times(tree.mass[s], plus(acceleration, bend))
    twist = plus(turned(inertia, change), cross(speed, turned(inertia, speed)))
    return push, plus(twist, cross(centre, push))


@inlined_kernel
def _collect(tree: PackedTree, s: int, R: Matrix, push: Triple, twist: Triple, tau: np.ndarray) -> None:
    """Adds what the step's own freedom has to carry to the torques."""
    kind, dof = tree.kind[s], tree.dof[s]
    if kind == TURN:
        put_lanes(tau, dof, lanes(tau, dof) + tree.scale[s] * twist[2])
    elif kind == SLIDE:
        put_lanes(tau, dof, lanes(tau, dof) + tree.scale[s] * push[2])
    elif kind == BALL:
        if tree.scale[s] < 0.0:
            twist = times(-1.0, turned_back(matrix(tree.rotation, s), turned(R, twist)))
        add_triple(tau, dof, twist)
    elif kind == FREE:
        add_triple(tau, dof, push)
        add_triple(tau, dof + 3, twist)


@kernel
def inverse_dynamics_kernel(
    tree: PackedTree, q: np.ndarray, v: np.ndarray, a: np.ndarray, root: np.ndarray, tau: np.ndarray
) -> None:
    """Writes the generalized forces [time, dof] that give accelerations a at q and v."""
    count = len(tree.parent)
    q_now, root_now = np.empty((q.shape[1], LANES)), np.empty((7, LANES))
    v_now, a_now, tau_now = np.empty((v.shape[1], LANES)), np.empty((v.shape[1], LANES)), np.empty((v.shape[1], LANES))
    rotation, position = np.empty((9 * count, LANES)), np.empty((3 * count, LANES))
    spin, spin_rate, pull = np.empty((3 * count, LANES)), np.empty((3 * count, LANES)), np.empty((3 * count, LANES))
    force, moment = np.empty((3 * count, LANES)), np.empty((3 * count, LANES))
    for first in range(0, len(q), LANES):
        take(q, first, q_now)
        take(v, first, v_now)
        take(a, first, a_now)
        take(root, first, root_now)
        tau_now[:] = 0.0
        for s in range(count):
            R, p = step_pose(tree, s, q_now, root_now)
            if s == 0:
                speed, change, acceleration = _root_motion(tree, v_now, a_now, R)
            else:
                speed, change, acceleration = _motion(tree, s, v_now, a_now, R, p, spin, spin_rate, pull)
            push, twist = _load(tree, s, speed, change, acceleration)
            put_matrix(rotation, 9 * s, R)
            put_triple(position, 3 * s, p)
            put_triple(spin, 3 * s, speed)
            put_triple(spin_rate, 3 * s, change)
            put_triple(pull, 3 * s, acceleration)
            put_triple(force, 3 * s, push)
            put_triple(moment, 3 * s, twist)
        for s in range(count - 1, -1, -1):
            R, push, twist = matrix_at(rotation, 9 * s), triple_at(force, 3 * s), triple_at(moment, 3 * s)
            _collect(tree, s, R, push, twist, tau_now)
            above = tree.parent[s]
            if above >= 0:
                push, twist = turned(R, push), turned(R, twist)
                add_triple(force, 3 * above, push)
                add_triple(moment, 3 * above, plus(twist, cross(triple_at(position, 3 * s), push)))
        give(tau_now, first, tau)
