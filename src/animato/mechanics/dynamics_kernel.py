"""The recursive Newton-Euler algorithm over a packed tree, for many moments at once.

Vectors are kept in the axes of their step's own frame.
"""

from __future__ import annotations

import numpy as np

from animato.mechanics.packed_tree import BALL, FREE, SLIDE, TURN, PackedTree
from animato.mechanics.tree_kernels import step_pose
from animato.mechanics.vector_kernels import (
    Matrix,
    Triple,
    cross,
    matrix,
    plus,
    put,
    put_matrix,
    times,
    triple,
    turned,
    turned_back,
)
from animato.spatial.compiled import inlined_kernel, kernel


@inlined_kernel
def _ball_rates(tree: PackedTree, s: int, R: Matrix, rates: np.ndarray, t: int) -> Triple:
    """A ball's angular rates in its step's axes; walked backward they turn over."""
    dof = tree.dof[s]
    given = (rates[t, dof], rates[t, dof + 1], rates[t, dof + 2])
    if tree.scale[s] < 0.0:
        given = times(-1.0, turned_back(R, turned(matrix(tree.rotation, s), given)))
    return given


@inlined_kernel
def _motion(
    tree: PackedTree,
    s: int,
    v: np.ndarray,
    a: np.ndarray,
    t: int,
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
    outer, outer_rate = triple(spin, above), triple(spin_rate, above)
    bend = plus(cross(outer_rate, p), cross(outer, cross(outer, p)))
    acceleration = turned_back(R, plus(triple(pull, above), bend))
    speed, change = turned_back(R, outer), turned_back(R, outer_rate)
    if kind == BALL:
        rate = _ball_rates(tree, s, R, v, t)
        change = plus(change, plus(_ball_rates(tree, s, R, a, t), cross(speed, rate)))
        speed = plus(speed, rate)
        return speed, change, acceleration
    along, push = tree.scale[s] * v[t, dof], tree.scale[s] * a[t, dof]
    if kind == SLIDE:
        acceleration = plus(acceleration, (2.0 * along * speed[1], -2.0 * along * speed[0], push))
    else:
        change = plus(change, (along * speed[1], -along * speed[0], push))
        speed = (speed[0], speed[1], speed[2] + along)
    return speed, change, acceleration


@inlined_kernel
def _root_motion(tree: PackedTree, v: np.ndarray, a: np.ndarray, t: int, R: Matrix) -> tuple[Triple, Triple, Triple]:
    """The same for the root. Gravity enters as its acceleration upward (Luh, Walker and Paul, 1980)."""
    up = turned_back(R, (-tree.gravity[0], -tree.gravity[1], -tree.gravity[2]))
    if tree.kind[0] != FREE:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), up
    return (v[t, 3], v[t, 4], v[t, 5]), (a[t, 3], a[t, 4], a[t, 5]), plus(up, (a[t, 0], a[t, 1], a[t, 2]))


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
def _collect(tree: PackedTree, s: int, R: Matrix, push: Triple, twist: Triple, tau: np.ndarray, t: int) -> None:
    """Adds what the step's own freedom has to carry to the torques at moment t."""
    kind, dof = tree.kind[s], tree.dof[s]
    if kind == TURN:
        tau[t, dof] += tree.scale[s] * twist[2]
    elif kind == SLIDE:
        tau[t, dof] += tree.scale[s] * push[2]
    elif kind == BALL:
        if tree.scale[s] < 0.0:
            twist = times(-1.0, turned_back(matrix(tree.rotation, s), turned(R, twist)))
        for k in range(3):
            tau[t, dof + k] += twist[k]
    elif kind == FREE:
        for k in range(3):
            tau[t, dof + k] += push[k]
            tau[t, dof + 3 + k] += twist[k]


@kernel
def inverse_dynamics_kernel(
    tree: PackedTree, q: np.ndarray, v: np.ndarray, a: np.ndarray, root: np.ndarray, tau: np.ndarray
) -> None:
    """Writes the generalized forces [time, dof] that give accelerations a at q and v; zero on entry."""
    count = len(tree.parent)
    rotation, position = np.empty((count, 3, 3)), np.empty((count, 3))
    spin, spin_rate, pull = np.empty((count, 3)), np.empty((count, 3)), np.empty((count, 3))
    force, moment = np.empty((count, 3)), np.empty((count, 3))
    for t in range(len(q)):
        for s in range(count):
            R, p = step_pose(tree, s, q, root, t)
            if s == 0:
                speed, change, acceleration = _root_motion(tree, v, a, t, R)
            else:
                speed, change, acceleration = _motion(tree, s, v, a, t, R, p, spin, spin_rate, pull)
            push, twist = _load(tree, s, speed, change, acceleration)
            put_matrix(rotation, s, R)
            put(position, s, p)
            put(spin, s, speed)
            put(spin_rate, s, change)
            put(pull, s, acceleration)
            put(force, s, push)
            put(moment, s, twist)
        for s in range(count - 1, -1, -1):
            R, push, twist = matrix(rotation, s), triple(force, s), triple(moment, s)
            _collect(tree, s, R, push, twist, tau, t)
            above = tree.parent[s]
            if above >= 0:
                push, twist = turned(R, push), turned(R, twist)
                put(force, above, plus(triple(force, above), push))
                put(moment, above, plus(triple(moment, above), plus(twist, cross(triple(position, s), push))))
