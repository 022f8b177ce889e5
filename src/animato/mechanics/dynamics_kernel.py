"""The recursive Newton-Euler algorithm over a packed tree, for many moments at once."""

from __future__ import annotations

import numpy as np

from animato.mechanics.packed_tree import BALL, FREE, SLIDE, TURN, PackedTree
from animato.mechanics.tree_kernels import add_cross, step_pose, turn, turn_back
from animato.spatial.compiled import kernel


@kernel
def _ball_rates(tree: PackedTree, s: int, R: np.ndarray, rates: np.ndarray, out: np.ndarray) -> None:
    """Writes a ball's angular rates in its step's axes; walked backward they turn over."""
    if tree.scale[s] < 0.0:
        inner = np.empty(3)
        turn(tree.rotation[s], rates, inner)
        turn_back(R, inner, out)
        out *= -1.0
    else:
        out[:] = rates


@kernel
def _move_step(
    tree: PackedTree,
    s: int,
    v: np.ndarray,
    a: np.ndarray,
    R: np.ndarray,
    p: np.ndarray,
    spin: np.ndarray,
    spin_rate: np.ndarray,
    pull: np.ndarray,
    scratch: np.ndarray,
) -> None:
    """Writes angular velocity, angular acceleration and acceleration of a step from its parent's.

    w = R^T w_ + z v,  w' = R^T w'_ + z v' + (R^T w_) x z v  for a turn about z, and
    a = R^T (a_ + w'_ x p + w_ x (w_ x p)) + [2 w x z v + z v' for a slide along z].
    """
    above, kind, dof = tree.parent[s], tree.kind[s], tree.dof[s]
    inner, rate, bend = scratch[0], scratch[1], scratch[2]
    inner[:] = 0.0
    add_cross(spin[above], p, inner)
    bend[:] = pull[above]
    add_cross(spin[above], inner, bend)
    add_cross(spin_rate[above], p, bend)
    turn_back(R, bend, pull[s])
    turn_back(R, spin[above], spin[s])
    turn_back(R, spin_rate[above], spin_rate[s])
    if kind == SLIDE:
        rate[:] = 2.0 * tree.scale[s] * v[dof] * tree.axis[s]
        add_cross(spin[s], rate, pull[s])
        pull[s] += tree.scale[s] * a[dof] * tree.axis[s]
        return
    if kind == TURN:
        rate[:] = tree.scale[s] * v[dof] * tree.axis[s]
        bend[:] = tree.scale[s] * a[dof] * tree.axis[s]
    elif kind == BALL:
        _ball_rates(tree, s, R, v[dof : dof + 3], rate)
        _ball_rates(tree, s, R, a[dof : dof + 3], bend)
    else:
        return
    add_cross(spin[s], rate, spin_rate[s])
    spin_rate[s] += bend
    spin[s] += rate


@kernel
def _load_step(
    tree: PackedTree,
    s: int,
    spin: np.ndarray,
    spin_rate: np.ndarray,
    pull: np.ndarray,
    force: np.ndarray,
    moment: np.ndarray,
    scratch: np.ndarray,
) -> None:
    """Writes the force and the moment about the step's origin that its own mass needs.

    F = m (a + w' x c + w x (w x c)),  N = I w' + w x I w + c x F.
    """
    arm, heft, c = scratch[0], scratch[1], tree.centre[s]
    arm[:] = 0.0
    add_cross(spin, c, arm)
    force[:] = pull
    add_cross(spin, arm, force)
    add_cross(spin_rate, c, force)
    force *= tree.mass[s]
    turn(tree.inertia[s], spin, heft)
    turn(tree.inertia[s], spin_rate, moment)
    add_cross(spin, heft, moment)
    add_cross(c, force, moment)


@kernel
def _collect(
    tree: PackedTree, s: int, R: np.ndarray, force: np.ndarray, moment: np.ndarray, tau: np.ndarray, scratch: np.ndarray
) -> None:
    """Adds what the step's own freedom has to carry to the torques."""
    kind, dof = tree.kind[s], tree.dof[s]
    if kind == TURN:
        tau[dof] += tree.scale[s] * (tree.axis[s] @ moment)
    elif kind == SLIDE:
        tau[dof] += tree.scale[s] * (tree.axis[s] @ force)
    elif kind == BALL:
        if tree.scale[s] < 0.0:
            turn(R, moment, scratch[0])
            turn_back(tree.rotation[s], scratch[0], scratch[1])
            tau[dof : dof + 3] -= scratch[1]
        else:
            tau[dof : dof + 3] += moment
    elif kind == FREE:
        tau[dof : dof + 3] += force
        tau[dof + 3 : dof + 6] += moment


@kernel
def inverse_dynamics_kernel(
    tree: PackedTree, q: np.ndarray, v: np.ndarray, a: np.ndarray, root: np.ndarray, tau: np.ndarray
) -> None:
    """Writes the generalized forces [time, dof] that give accelerations a at q and v; zero on entry.

    Gravity enters as an acceleration of the root upward (Luh, Walker and Paul, 1980).
    """
    count = len(tree.parent)
    R, p = np.empty((count, 3, 3)), np.empty((count, 3))
    spin, spin_rate, pull = np.empty((count, 3)), np.empty((count, 3)), np.empty((count, 3))
    force, moment = np.empty((count, 3)), np.empty((count, 3))
    joint, scratch = np.empty((3, 3)), np.empty((3, 3))
    for t in range(len(q)):
        for s in range(count):
            step_pose(tree, s, q[t], root[t], joint, R[s], p[s])
            if s == 0:
                spin[0], spin_rate[0] = 0.0, 0.0
                turn_back(R[0], -tree.gravity, pull[0])
                if tree.kind[0] == FREE:
                    spin[0], spin_rate[0] = v[t, 3:6], a[t, 3:6]
                    pull[0] += a[t, 0:3]
            else:
                _move_step(tree, s, v[t], a[t], R[s], p[s], spin, spin_rate, pull, scratch)
            _load_step(tree, s, spin[s], spin_rate[s], pull[s], force[s], moment[s], scratch)
        for s in range(count - 1, -1, -1):
            _collect(tree, s, R[s], force[s], moment[s], tau[t], scratch)
            above = tree.parent[s]
            if above >= 0:
                turn(R[s], force[s], scratch[0])
                turn(R[s], moment[s], scratch[1])
                add_cross(p[s], scratch[0], scratch[1])
                force[above] += scratch[0]
                moment[above] += scratch[1]
