"""Memory that the kernels of dynamics work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.kernels.lanes import LANES
from animato.mechanics.simulation.system import PackedSystem
from animato.mechanics.tree import Walk, build_moment_walk

COLUMN_ROWS = 21
"""Numbers that are summed for each slot: I S (6), C^T S (3), and how F changes with position (6) and speed (6)."""


class Work(NamedTuple):
    """Memory of one moment; build it once a thread.

    Attributes:
        walk: Poses, motions and forces of all steps.
        weight: W as it stands: position of a hinge per unit of its slot, [entry].
        columns: Row r of slot c is at stride r + c, [COLUMN_ROWS * stride].
        own_q, own_v: How the force of slot c changes with what is behind it, at stride c + slot behind.
        other_q, other_v: How the force of what is behind changes with slot c, at the same place.
        pair_a: Half of the mass matrix, at the same place.
        keep: Eight ones, then eight zeros.
        slot_tau: Force of each slot, [c].
        wrench: Of the rows of loops, moments about the origin before forces, [m, 6].
        reach: Motion of the two bodies of a closure against each other, each by each slot, [2, 6, c].
        bend: How the wrench of a closure changes with each slot of its two sides, [2, 3, c].
    """

    walk: Walk
    weight: np.ndarray
    columns: np.ndarray
    own_q: np.ndarray
    own_v: np.ndarray
    other_q: np.ndarray
    other_v: np.ndarray
    pair_a: np.ndarray
    keep: np.ndarray
    slot_tau: np.ndarray
    wrench: np.ndarray
    reach: np.ndarray
    bend: np.ndarray


def build_work(system: PackedSystem) -> Work:
    """Memory for a system."""
    steps, slots, rows = len(system.tree.parent), len(system.slot_coordinate), len(system.row_kind)
    stride = slots + LANES
    walk = build_moment_walk(steps - 1, steps - 1, steps, steps - 1)
    walk.root[3] = 1.0
    square = slots * stride
    return Work(
        walk,
        system.entry_weight.copy(),
        np.zeros(COLUMN_ROWS * stride),
        np.zeros(square),
        np.zeros(square),
        np.zeros(square),
        np.zeros(square),
        np.zeros(square),
        np.repeat([1.0, 0.0], LANES),
        np.zeros(slots),
        np.zeros((rows, 6)),
        np.zeros((2, 6, slots)),
        np.zeros((2, 3, slots)),
    )
