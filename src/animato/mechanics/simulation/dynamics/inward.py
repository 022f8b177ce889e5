"""The inward walk of a system at one moment: forces along coordinates, and their derivatives.

As in the derivatives of inverse dynamics over a tree, a hinge j and a hinge i behind it change each other's forces by

    dtau_i/dq_j = I S_i . phi_j + C^T S_i . psi_j,    dtau_j/dq_i = S_j . (I phi_i + C psi_i + S_i x* F),

and alike for v and a. All vectors are in the world, so what stands on the side of i is summed over all hinges i behind
j that one coordinate drives, before it meets j. A rod of twenty hinges and eight coordinates then costs little more
than eight joints, and the products of a hinge with all coordinates behind it are done eight at a time.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.kernels.lanes import LANES, Number, lanes_from, put_lanes_from
from animato.kernels.spatial_algebra import (
    Six,
    add_rows,
    angular_of,
    force_cross,
    inertia_at,
    inertia_times,
    six_at,
    six_dot,
    six_plus,
    triple_dot,
)
from animato.kernels.vectors import Triple, triple_at
from animato.mechanics.simulation.dynamics.work import COLUMN_ROWS, Work
from animato.mechanics.simulation.system import PackedSystem
from animato.mechanics.tree import coriolis_at, coriolis_times, coriolis_transposed_times

Carried = tuple[Six, Triple, Six, Six]
"""I S, C^T S, and how the force on all behind changes with position and speed of a hinge, or of a slot."""


@inlined_kernel
def _six_from(columns: np.ndarray, at: int, stride: int) -> Six:
    """A spatial vector of eight slots."""
    return (
        lanes_from(columns, at),
        lanes_from(columns, at + stride),
        lanes_from(columns, at + 2 * stride),
        lanes_from(columns, at + 3 * stride),
        lanes_from(columns, at + 4 * stride),
        lanes_from(columns, at + 5 * stride),
    )


@inlined_kernel
def _add_lanes(numbers: np.ndarray, first: int, value: Number) -> None:
    put_lanes_from(numbers, first, lanes_from(numbers, first) + value)


@inlined_kernel
def _add_pairs(system: PackedSystem, work: Work, s: int, S: Six) -> None:
    """Adds what a hinge and the slots behind it do to one another."""
    walk, columns, stride = work.walk, work.columns, len(system.slot_coordinate) + LANES
    phi, chi, psi = six_at(walk.phi, 6 * (s - 1)), six_at(walk.chi, 6 * (s - 1)), triple_at(walk.psi, 3 * (s - 1))
    last, curved = system.behind_last[s], system.curved[s]
    for k in range(system.behind_first[s], last, LANES):
        keep = lanes_from(work.keep, LANES - min(LANES, last - k))
        inertial = _six_from(columns, k, stride)
        at = k + 6 * stride
        gyric = (lanes_from(columns, at), lanes_from(columns, at + stride), lanes_from(columns, at + 2 * stride))
        own_q = keep * six_dot(S, _six_from(columns, k + 9 * stride, stride))
        own_v = keep * six_dot(S, _six_from(columns, k + 15 * stride, stride))
        other_q = keep * (six_dot(phi, inertial) + triple_dot(psi, gyric))
        other_v = keep * (six_dot(chi, inertial) + triple_dot(angular_of(S), gyric))
        pair_a = keep * six_dot(S, inertial)
        for e in range(system.entry_first[s], system.entry_first[s + 1]):
            weight, place = work.weight[e], system.entry_slot[e] * stride + k
            _add_lanes(work.own_q, place, weight * own_q)
            _add_lanes(work.own_v, place, weight * own_v)
            _add_lanes(work.other_q, place, weight * other_q)
            _add_lanes(work.other_v, place, weight * other_v)
            _add_lanes(work.pair_a, place, weight * pair_a)
            if curved:
                rate, bend = work.weight_v[e], work.weight_a[e]
                _add_lanes(work.other_q, place, rate * other_v + bend * pair_a)
                _add_lanes(work.other_v, place, 2.0 * rate * pair_a)


@inlined_kernel
def _add_own(system: PackedSystem, work: Work, s: int, S: Six, carried: Carried) -> None:
    """Adds a hinge by itself, and then to the sums of its slots."""
    columns, stride = work.columns, len(system.slot_coordinate) + LANES
    inertial, gyric, by_q, by_v = carried
    self_q, self_v, self_a = six_dot(S, by_q), six_dot(S, by_v), 0.5 * six_dot(S, inertial)
    for e in range(system.entry_first[s], system.entry_first[s + 1]):
        weight, slot = work.weight[e], system.entry_slot[e]
        for other in range(system.entry_first[s], system.entry_first[s + 1]):
            both, place = weight * work.weight[other], slot * stride + system.entry_slot[other]
            work.own_q[place] += both * self_q
            work.own_v[place] += both * self_v
            work.pair_a[place] += both * self_a
    if system.curved[s]:
        _add_own_rates(system, work, s, S, carried)
    for e in range(system.entry_first[s], system.entry_first[s + 1]):
        weight, slot = work.weight[e], system.entry_slot[e]
        for k in range(6):
            columns[k * stride + slot] += weight * inertial[k]
            columns[(9 + k) * stride + slot] += weight * by_q[k]
            columns[(15 + k) * stride + slot] += weight * by_v[k]
        for k in range(3):
            columns[(6 + k) * stride + slot] += weight * gyric[k]


@inlined_kernel
def _add_own_rates(system: PackedSystem, work: Work, s: int, S: Six, carried: Carried) -> None:
    """The same of what a hinge whose weights change has more.

    With v_hinge = W v and a_hinge = W a + W' v its speed changes by W' with its slots, and its acceleration by W'';
    with their speeds its acceleration changes by 2 W'.
    """
    columns, stride = work.columns, len(system.slot_coordinate) + LANES
    inertial, _, _, by_v = carried
    self_v, self_a = six_dot(S, by_v), six_dot(S, inertial)
    for e in range(system.entry_first[s], system.entry_first[s + 1]):
        rate, bend, slot = work.weight_v[e], work.weight_a[e], system.entry_slot[e]
        for other in range(system.entry_first[s], system.entry_first[s + 1]):
            place = system.entry_slot[other] * stride + slot
            work.own_q[place] += work.weight[other] * (rate * self_v + bend * self_a)
            work.own_v[place] += work.weight[other] * 2.0 * rate * self_a
        for k in range(6):
            columns[(9 + k) * stride + slot] += rate * by_v[k] + bend * inertial[k]
            columns[(15 + k) * stride + slot] += 2.0 * rate * inertial[k]


@inlined_kernel
def _add_modes(system: PackedSystem, work: Work, s: int) -> None:
    """Adds the modes of the parts in the frame of a step to the sums of their slots: they stand behind the step."""
    columns, stride = work.columns, len(system.slot_coordinate) + LANES
    for p in range(len(system.part_step)):
        if system.part_step[p] != s:
            continue
        first = system.parts.first_mode[p]
        for j in range(first, system.parts.first_mode[p + 1]):
            slot = system.part_slot[p] + j - first
            for k in range(6):
                columns[k * stride + slot] = work.parts.by_acc[j, k]
                columns[(9 + k) * stride + slot] = work.parts.by_a[j, k]
                columns[(15 + k) * stride + slot] = work.parts.by_v[j, k]
            for k in range(3):
                columns[(6 + k) * stride + slot] = work.parts.turn[j, k]


@inlined_kernel
def _clear(system: PackedSystem, work: Work) -> None:
    stride = len(system.slot_coordinate) + LANES
    for k in range(COLUMN_ROWS * stride):
        work.columns[k] = 0.0
    for c in range(len(system.slot_coordinate)):
        work.slot_tau[c] = 0.0
        for k in range(c * stride + system.slot_first[c], c * stride + system.slot_last[c]):
            work.own_q[k] = 0.0
            work.own_v[k] = 0.0
            work.other_q[k] = 0.0
            work.other_v[k] = 0.0
            work.pair_a[k] = 0.0


@inlined_kernel
def _give_slots(system: PackedSystem, work: Work, by_z: np.ndarray, by_v: np.ndarray, by_a: np.ndarray) -> None:
    """Brings derivatives by slots to those by coordinates."""
    stride, coordinate = len(system.slot_coordinate) + LANES, system.slot_coordinate
    for i in range(len(by_z)):
        for j in range(len(by_z)):
            by_z[i, j], by_v[i, j], by_a[i, j] = 0.0, 0.0, 0.0
    for c in range(len(coordinate)):
        i = coordinate[c]
        for k in range(system.slot_first[c], system.slot_last[c]):
            j, at = coordinate[k], c * stride + k
            by_z[i, j] += work.own_q[at]
            by_z[j, i] += work.other_q[at]
            by_v[i, j] += work.own_v[at]
            by_v[j, i] += work.other_v[at]
            by_a[i, j] += work.pair_a[at]
            by_a[j, i] += work.pair_a[at]


@kernel
def walk_inward(system: PackedSystem, work: Work, by_z: np.ndarray, by_v: np.ndarray, by_a: np.ndarray) -> None:
    """Writes forces by slots, and derivatives by coordinates; sums over what is behind each step."""
    tree, walk = system.tree, work.walk
    _clear(system, work)
    for s in range(len(tree.parent) - 1, 0, -1):
        inertia, C, F = inertia_at(walk.inertia, 10 * s), coriolis_at(walk.coriolis, 12 * s), six_at(walk.F, 6 * s)
        S = six_at(walk.S, 6 * (s - 1))
        with_q = six_plus(inertia_times(inertia, six_at(walk.phi, 6 * (s - 1))), force_cross(S, F))
        with_q = six_plus(with_q, coriolis_times(C, triple_at(walk.psi, 3 * (s - 1))))
        with_v = six_plus(inertia_times(inertia, six_at(walk.chi, 6 * (s - 1))), coriolis_times(C, angular_of(S)))
        carried = (inertia_times(inertia, S), coriolis_transposed_times(C, S), with_q, with_v)
        force = six_dot(S, F)
        for e in range(system.entry_first[s], system.entry_first[s + 1]):
            work.slot_tau[system.entry_slot[e]] += work.weight[e] * force
        _add_modes(system, work, s)
        _add_pairs(system, work, s, S)
        _add_own(system, work, s, S, carried)
        above = tree.parent[s]
        if above > 0:
            add_rows(walk.inertia, 10 * above, 10 * s, 10)
            add_rows(walk.coriolis, 12 * above, 12 * s, 12)
            add_rows(walk.F, 6 * above, 6 * s, 6)
    _give_slots(system, work, by_z, by_v, by_a)


@kernel
def walk_forces_inward(system: PackedSystem, work: Work) -> None:
    """Writes forces by slots alone."""
    tree, walk = system.tree, work.walk
    for c in range(len(work.slot_tau)):
        work.slot_tau[c] = 0.0
    for s in range(len(tree.parent) - 1, 0, -1):
        force = six_dot(six_at(walk.S, 6 * (s - 1)), six_at(walk.F, 6 * s))
        for e in range(system.entry_first[s], system.entry_first[s + 1]):
            work.slot_tau[system.entry_slot[e]] += work.weight[e] * force
        if tree.parent[s] > 0:
            add_rows(walk.F, 6 * tree.parent[s], 6 * s, 6)
