"""The outward walk of the derivatives of inverse dynamics: motions, forces, and how they change with each column.

With S_c the axis of a motion c of step j, p the step before j, and x the step to which the axis is fixed from behind,
a change of q_c carries along all that is behind. Seen from there velocity and acceleration of what is behind change by

    D V_k = psi_c,        D A_k = phi_c + psi_c x V_k,    psi_c = V_x x S_c,  phi_c = A_x x S_c - psi_c x V_x,

and with v_c they change by S_c and chi_c + S_c x V_k, where chi_c = (V_p + V_j) x S_c. x is p, but j where a ball is
walked backward, because its axes stay with what is before it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.compiled import addressed_kernel, inlined_kernel, kernel
from animato.kernels.lanes import LANES, lanes
from animato.kernels.spatial_algebra import (
    Six,
    angular_of,
    force_cross,
    inertia_times,
    motion_cross,
    put_inertia,
    put_six,
    six,
    six_at,
    six_minus,
    six_plus,
    six_times,
    zero_triple,
)
from animato.kernels.vectors import plus, put_triple, triple_at, turned_back
from animato.mechanics.tree.coriolis_algebra import coriolis_of, put_coriolis
from animato.mechanics.tree.kinematics import FREE, PackedTree, step_pose
from animato.mechanics.tree.root_frame_walk import column_axis, put_root_frame_pose, step_inertia, turns_backward
from animato.mechanics.tree.step_columns import StepColumns


class Walk(NamedTuple):
    """Memory of eight moments, in rows of lanes (or of one, in rows of floats) over steps (s) and their motions (c).

    Attributes:
        q, v, a, root: The state, [coordinate], [dof], [dof], [7].
        rotation, position: Of each step, [9 s], [3 s].
        V, A: Velocity, and acceleration with that against gravity, [6 s].
        F: Force of each step, then of all behind it, [6 s].
        inertia, coriolis: Of each step, then of all behind it, [10 s], [12 s].
        up: Acceleration against gravity, [3].
        S, phi, chi: Of each motion, [6 c].
        psi: Its angular half alone, [3 c].
    """

    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    root: np.ndarray
    rotation: np.ndarray
    position: np.ndarray
    V: np.ndarray
    A: np.ndarray
    F: np.ndarray
    inertia: np.ndarray
    coriolis: np.ndarray
    up: np.ndarray
    S: np.ndarray
    phi: np.ndarray
    chi: np.ndarray
    psi: np.ndarray


@kernel
def build_walk(coordinates: int, dofs: int, steps: int, motions: int) -> Walk:
    """Memory for a tree of so many columns."""
    return Walk(
        np.empty((coordinates, LANES)),
        np.empty((dofs, LANES)),
        np.empty((dofs, LANES)),
        np.empty((7, LANES)),
        np.empty((9 * steps, LANES)),
        np.empty((3 * steps, LANES)),
        np.empty((6 * steps, LANES)),
        np.empty((6 * steps, LANES)),
        np.empty((6 * steps, LANES)),
        np.empty((10 * steps, LANES)),
        np.empty((12 * steps, LANES)),
        np.empty((3, LANES)),
        np.empty((6 * motions, LANES)),
        np.empty((6 * motions, LANES)),
        np.empty((6 * motions, LANES)),
        np.empty((3 * motions, LANES)),
    )


def build_moment_walk(coordinates: int, dofs: int, steps: int, motions: int) -> Walk:
    """Memory for a single moment: rows of floats."""
    sizes = (coordinates, dofs, dofs, 7, 9 * steps, 3 * steps, 6 * steps, 6 * steps, 6 * steps, 10 * steps, 12 * steps)
    return Walk(*(np.zeros(size) for size in (*sizes, 3, 6 * motions, 6 * motions, 6 * motions, 3 * motions)))


@inlined_kernel
def _put_root_motion(tree: PackedTree, walk: Walk) -> None:
    """Writes V and A of the root. Gravity enters as its acceleration upward (Luh, Walker and Paul, 1980).

    Accelerations of the root are those of its origin in space, so that its linear velocity changes no force, and the
    frame of all vectors may move along with it: there the origin is at rest.
    """
    R, _ = step_pose(tree, 0, walk.q, walk.root)
    up = turned_back(R, (-tree.gravity[0], -tree.gravity[1], -tree.gravity[2]))
    put_triple(walk.up, 0, up)
    rest = zero_triple()
    if tree.kind[0] == FREE:
        put_six(walk.V, 0, six(triple_at(walk.v, 3), rest))
        put_six(walk.A, 0, six(triple_at(walk.a, 3), plus(up, triple_at(walk.a, 0))))
    else:
        put_six(walk.V, 0, six(rest, rest))
        put_six(walk.A, 0, six(rest, up))


@inlined_kernel
def _put_motion(tree: PackedTree, columns: StepColumns, walk: Walk, s: int) -> None:
    """Writes V and A of a step and the axes of its motions: A_j = A_p + sum of S a + V_p x S v."""
    before = six_at(walk.V, 6 * tree.parent[s])
    V, A = before, six_at(walk.A, 6 * tree.parent[s])
    for c in range(columns.first[s], columns.first[s + 1]):
        S = column_axis(tree, s, columns.axis[c], walk.rotation, walk.position)
        along = six_times(lanes(walk.v, columns.dof[c]), S)
        A = six_plus(A, six_plus(six_times(lanes(walk.a, columns.dof[c]), S), motion_cross(before, along)))
        V = six_plus(V, along)
        put_six(walk.S, 6 * c, S)
    put_six(walk.V, 6 * s, V)
    put_six(walk.A, 6 * s, A)


@inlined_kernel
def _put_changes(tree: PackedTree, columns: StepColumns, walk: Walk, s: int) -> None:
    """Writes phi, psi and chi of the motions of a step."""
    above = tree.parent[s]
    fixed = s if turns_backward(tree, s) else above
    V, A = six_at(walk.V, 6 * fixed), six_at(walk.A, 6 * fixed)
    both = six_plus(six_at(walk.V, 6 * above), six_at(walk.V, 6 * s))
    for c in range(columns.first[s], columns.first[s + 1]):
        S = six_at(walk.S, 6 * c)
        psi: Six = motion_cross(V, S)
        put_triple(walk.psi, 3 * c, angular_of(psi))
        put_six(walk.phi, 6 * c, six_minus(motion_cross(A, S), motion_cross(psi, V)))
        put_six(walk.chi, 6 * c, motion_cross(both, S))


@kernel
def walk_outward(tree: PackedTree, columns: StepColumns, walk: Walk) -> None:
    """Writes all of a walk but the state; F, inertia and coriolis are of each step alone."""
    for s in range(len(tree.parent)):
        put_root_frame_pose(tree, s, walk.q, walk.root, walk.rotation, walk.position)
        if s == 0:
            _put_root_motion(tree, walk)
        else:
            _put_motion(tree, columns, walk, s)
            _put_changes(tree, columns, walk, s)
        V, A = six_at(walk.V, 6 * s), six_at(walk.A, 6 * s)
        inertia = step_inertia(tree, s, walk.rotation, walk.position)
        momentum = inertia_times(inertia, V)
        put_inertia(walk.inertia, 10 * s, inertia)
        put_coriolis(walk.coriolis, 12 * s, coriolis_of(inertia, momentum, V))
        put_six(walk.F, 6 * s, six_plus(inertia_times(inertia, A), force_cross(V, momentum)))


@inlined_kernel
def _clear(walk: Walk, s: int) -> None:
    """Writes a step without mass."""
    for k in range(6):
        walk.F[6 * s + k] = 0.0
    for k in range(10):
        walk.inertia[10 * s + k] = 0.0
    for k in range(12):
        walk.coriolis[12 * s + k] = 0.0


@addressed_kernel
def walk_moment_outward(tree: PackedTree, columns: StepColumns, walk: Walk, derivatives: bool) -> None:
    """The same for one moment; steps without mass, of which flexible parts have many, cost less.

    Args:
        tree: What moves.
        columns: Its `step_columns`.
        walk: Of `build_moment_walk`; q, v and a are there.
        derivatives: Whether phi, psi, chi, inertia and coriolis are written too.
    """
    for s in range(len(tree.parent)):
        put_root_frame_pose(tree, s, walk.q, walk.root, walk.rotation, walk.position)
        if s == 0:
            _put_root_motion(tree, walk)
        else:
            _put_motion(tree, columns, walk, s)
            if derivatives:
                _put_changes(tree, columns, walk, s)
        if tree.mass[s] == 0.0:
            _clear(walk, s)
            continue
        V, A = six_at(walk.V, 6 * s), six_at(walk.A, 6 * s)
        inertia = step_inertia(tree, s, walk.rotation, walk.position)
        momentum = inertia_times(inertia, V)
        put_six(walk.F, 6 * s, six_plus(inertia_times(inertia, A), force_cross(V, momentum)))
        if derivatives:
            put_inertia(walk.inertia, 10 * s, inertia)
            put_coriolis(walk.coriolis, 12 * s, coriolis_of(inertia, momentum, V))
