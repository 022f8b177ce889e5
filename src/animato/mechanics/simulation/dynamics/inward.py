"""The inward walk of a system at one moment: forces along coordinates, and their derivatives.

As in the derivatives of inverse dynamics over a tree, a hinge j and a hinge i behind it change each other's forces by

    dtau_i/dq_j = I S_i . phi_j + C^T S_i . psi_j,    dtau_j/dq_i = S_j . (I phi_i + C psi_i + S_i x* F),

and alike for v and a. All vectors are in the world, so what stands on the side of i is summed over all hinges i behind
j that one coordinate drives, before it meets j. A rod of twenty hinges and eight coordinates then costs little more
than eight joints, and the products of a hinge with all coordinates behind it are done eight at a time.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import addressed_kernel, inlined_kernel
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
from animato.mechanics.simulation.dynamics.work import COLUMN_ROWS, ModeColumns, Sums
from animato.mechanics.simulation.system import Drive
from animato.mechanics.tree import Walk, coriolis_at, coriolis_times, coriolis_transposed_times

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
def _add_pairs(drive: Drive, walk: Walk, sums: Sums, s: int, S: Six) -> None:
    """Adds what a hinge and the slots behind it do to one another."""
    columns, stride = sums.columns, len(drive.slot_coordinate) + LANES
    phi, chi, psi = six_at(walk.phi, 6 * (s - 1)), six_at(walk.chi, 6 * (s - 1)), triple_at(walk.psi, 3 * (s - 1))
    last, curved = drive.behind_last[s], drive.curved[s]
    for k in range(drive.behind_first[s], last, LANES):
        keep = lanes_from(sums.keep, LANES - min(LANES, last - k))
        inertial = _six_from(columns, k, stride)
        at = k + 6 * stride
        gyric = (lanes_from(columns, at), lanes_from(columns, at + stride), lanes_from(columns, at + 2 * stride))
        own_q = keep * six_dot(S, _six_from(columns, k + 9 * stride, stride))
        own_v = keep * six_dot(S, _six_from(columns, k + 15 * stride, stride))
        other_q = keep * (six_dot(phi, inertial) + triple_dot(psi, gyric))
        other_v = keep * (six_dot(chi, inertial) + triple_dot(angular_of(S), gyric))
        pair_a = keep * six_dot(S, inertial)
        for e in range(drive.entry_first[s], drive.entry_first[s + 1]):
            weight, place = sums.weight[e], drive.entry_slot[e] * stride + k
            _add_lanes(sums.own_q, place, weight * own_q)
            _add_lanes(sums.own_v, place, weight * own_v)
            _add_lanes(sums.other_q, place, weight * other_q)
            _add_lanes(sums.other_v, place, weight * other_v)
            _add_lanes(sums.pair_a, place, weight * pair_a)
            if curved:
                rate, bend = sums.weight_v[e], sums.weight_a[e]
                _add_lanes(sums.other_q, place, rate * other_v + bend * pair_a)
                _add_lanes(sums.other_v, place, 2.0 * rate * pair_a)


@inlined_kernel
def _add_own(drive: Drive, sums: Sums, s: int, S: Six, carried: Carried) -> None:
    """Adds a hinge by itself, and then to the sums of its slots."""
    columns, stride = sums.columns, len(drive.slot_coordinate) + LANES
    inertial, gyric, by_q, by_v = carried
    self_q, self_v, self_a = six_dot(S, by_q), six_dot(S, by_v), 0.5 * six_dot(S, inertial)
    for e in range(drive.entry_first[s], drive.entry_first[s + 1]):
        weight, slot = sums.weight[e], drive.entry_slot[e]
        for other in range(drive.entry_first[s], drive.entry_first[s + 1]):
            both, place = weight * sums.weight[other], slot * stride + drive.entry_slot[other]
            sums.own_q[place] += both * self_q
            sums.own_v[place] += both * self_v
            sums.pair_a[place] += both * self_a
    if drive.curved[s]:
        _add_own_rates(drive, sums, s, S, carried)
    for e in range(drive.entry_first[s], drive.entry_first[s + 1]):
        weight, slot = sums.weight[e], drive.entry_slot[e]
        for k in range(6):
            columns[k * stride + slot] += weight * inertial[k]
            columns[(9 + k) * stride + slot] += weight * by_q[k]
            columns[(15 + k) * stride + slot] += weight * by_v[k]
        for k in range(3):
            columns[(6 + k) * stride + slot] += weight * gyric[k]


@inlined_kernel
def _add_own_rates(drive: Drive, sums: Sums, s: int, S: Six, carried: Carried) -> None:
    """The same of what a hinge whose weights change has more.

    With v_hinge = W v and a_hinge = W a + W' v its speed changes by W' with its slots, and its acceleration by W'';
    with their speeds its acceleration changes by 2 W'.
    """
    columns, stride = sums.columns, len(drive.slot_coordinate) + LANES
    inertial, _, _, by_v = carried
    self_v, self_a = six_dot(S, by_v), six_dot(S, inertial)
    for e in range(drive.entry_first[s], drive.entry_first[s + 1]):
        rate, bend, slot = sums.weight_v[e], sums.weight_a[e], drive.entry_slot[e]
        for other in range(drive.entry_first[s], drive.entry_first[s + 1]):
            place = drive.entry_slot[other] * stride + slot
            sums.own_q[place] += sums.weight[other] * (rate * self_v + bend * self_a)
            sums.own_v[place] += sums.weight[other] * 2.0 * rate * self_a
        for k in range(6):
            columns[(9 + k) * stride + slot] += rate * by_v[k] + bend * inertial[k]
            columns[(15 + k) * stride + slot] += 2.0 * rate * inertial[k]


@inlined_kernel
def _add_modes(drive: Drive, sums: Sums, modes: ModeColumns, s: int) -> None:
    """Adds the modes of the parts in the frame of a step to the sums of their slots: they stand behind the step."""
    columns, stride = sums.columns, len(drive.slot_coordinate) + LANES
    for p in range(len(modes.step)):
        if modes.step[p] != s:
            continue
        for j in range(modes.first[p], modes.first[p + 1]):
            slot = modes.slot[p] + j - modes.first[p]
            for k in range(6):
                columns[k * stride + slot] = modes.by_acc[j, k]
                columns[(9 + k) * stride + slot] = modes.by_a[j, k]
                columns[(15 + k) * stride + slot] = modes.by_v[j, k]
            for k in range(3):
                columns[(6 + k) * stride + slot] = modes.turn[j, k]


@inlined_kernel
def _clear(drive: Drive, sums: Sums) -> None:
    stride = len(drive.slot_coordinate) + LANES
    for k in range(COLUMN_ROWS * stride):
        sums.columns[k] = 0.0
    for c in range(len(drive.slot_coordinate)):
        sums.tau[c] = 0.0
        for k in range(c * stride + drive.slot_first[c], c * stride + drive.slot_last[c]):
            sums.own_q[k] = 0.0
            sums.own_v[k] = 0.0
            sums.other_q[k] = 0.0
            sums.other_v[k] = 0.0
            sums.pair_a[k] = 0.0


@inlined_kernel
def _give_slots(drive: Drive, sums: Sums, by_z: np.ndarray, by_v: np.ndarray, by_a: np.ndarray) -> None:
    """Brings derivatives by slots to those by coordinates."""
    stride, coordinate = len(drive.slot_coordinate) + LANES, drive.slot_coordinate
    for i in range(len(by_z)):
        for j in range(len(by_z)):
            by_z[i, j], by_v[i, j], by_a[i, j] = 0.0, 0.0, 0.0
    for c in range(len(coordinate)):
        i = coordinate[c]
        for k in range(drive.slot_first[c], drive.slot_last[c]):
            j, at = coordinate[k], c * stride + k
            by_z[i, j] += sums.own_q[at]
            by_z[j, i] += sums.other_q[at]
            by_v[i, j] += sums.own_v[at]
            by_v[j, i] += sums.other_v[at]
            by_a[i, j] += sums.pair_a[at]
            by_a[j, i] += sums.pair_a[at]


@addressed_kernel
def walk_inward(
    parent: np.ndarray,
    drive: Drive,
    walk: Walk,
    sums: Sums,
    modes: ModeColumns,
    by_z: np.ndarray,
    by_v: np.ndarray,
    by_a: np.ndarray,
) -> None:
    """Writes forces by slots, and derivatives by coordinates [n, n]; sums over what is behind each step.

    Args:
        parent: Of each step, [s].
        drive: Of the drive.
        walk: As `walk_moment_outward` left it.
        sums: Written.
        modes: Of reduced parts.
        by_z: Written: derivatives by positions.
        by_v: Written: by speeds.
        by_a: Written: by accelerations.
    """
    _clear(drive, sums)
    for s in range(len(parent) - 1, 0, -1):
        inertia, C, F = inertia_at(walk.inertia, 10 * s), coriolis_at(walk.coriolis, 12 * s), six_at(walk.F, 6 * s)
        S = six_at(walk.S, 6 * (s - 1))
        with_q = six_plus(inertia_times(inertia, six_at(walk.phi, 6 * (s - 1))), force_cross(S, F))
        with_q = six_plus(with_q, coriolis_times(C, triple_at(walk.psi, 3 * (s - 1))))
        with_v = six_plus(inertia_times(inertia, six_at(walk.chi, 6 * (s - 1))), coriolis_times(C, angular_of(S)))
        carried = (inertia_times(inertia, S), coriolis_transposed_times(C, S), with_q, with_v)
        force = six_dot(S, F)
        for e in range(drive.entry_first[s], drive.entry_first[s + 1]):
            sums.tau[drive.entry_slot[e]] += sums.weight[e] * force
        _add_modes(drive, sums, modes, s)
        _add_pairs(drive, walk, sums, s, S)
        _add_own(drive, sums, s, S, carried)
        above = parent[s]
        if above > 0:
            add_rows(walk.inertia, 10 * above, 10 * s, 10)
            add_rows(walk.coriolis, 12 * above, 12 * s, 12)
            add_rows(walk.F, 6 * above, 6 * s, 6)
    _give_slots(drive, sums, by_z, by_v, by_a)


@inlined_kernel
def walk_forces_inward(parent: np.ndarray, drive: Drive, walk: Walk, sums: Sums) -> None:
    """Writes forces by slots alone."""
    for c in range(len(sums.tau)):
        sums.tau[c] = 0.0
    for s in range(len(parent) - 1, 0, -1):
        force = six_dot(six_at(walk.S, 6 * (s - 1)), six_at(walk.F, 6 * s))
        for e in range(drive.entry_first[s], drive.entry_first[s + 1]):
            sums.tau[drive.entry_slot[e]] += sums.weight[e] * force
        if parent[s] > 0:
            add_rows(walk.F, 6 * parent[s], 6 * s, 6)
