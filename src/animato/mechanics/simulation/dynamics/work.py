"""Memory that the kernels of dynamics work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.mechanics.flexible.reduction import PartsWork
from animato.mechanics.tree import Walk

COLUMN_ROWS = 21
"""Numbers that are summed for each slot: I S (6), C^T S (3), and how F changes with position (6) and speed (6)."""


FORCES, DERIVATIVES, WALK, INWARD, CLOSURES, ARMS, PARTS, PART_DERIVATIVES, PART_ENERGIES = range(9)
"""Which address in `Work.calls` is whose."""


class Work(NamedTuple):
    """Memory of one moment; build it once a thread.

    Attributes:
        walk: Poses, motions and forces of all steps.
        weight: W as it stands: position of a hinge per unit of its slot, [entry].
        weight_v, weight_a: dW/dt and d2W/dt2; zero but for hinges of arms, [entry].
        columns: Row r of slot c is at stride r + c, [COLUMN_ROWS * stride].
        own_q, own_v: How the force of slot c changes with what is behind it, at stride c + slot behind.
        other_q, other_v: How the force of what is behind changes with slot c, at the same place.
        pair_a: Half of the mass matrix, at the same place.
        keep: Eight ones, then eight zeros.
        slot_tau: Force of each slot, [c].
        wrench: Of the rows of loops, moments about the origin before forces, [m, 6].
        reach: Motion of the two bodies of a closure against each other, each by each slot, [2, 6, c].
        bend: How the wrench of a closure changes with each slot of its two sides, [2, 3, c].
        parts: Of the reduced parts.
        pull: Wrenches of loops on all behind each step, [6 s].
        arm: Jacobian of an arm and two more, hinges by modes, [3 * 6 * mode].
        energies: Kinetic, gravitational and elastic energy of the parts, [3].
        arm_phi: Its hinges and their rates, [3, 6].
        modes: Directions in the space of modes, [2, mode].
        calls: Addresses of kernels that are compiled by themselves, in the order of `FORCES` and so on.
    """

    walk: Walk
    weight: np.ndarray
    weight_v: np.ndarray
    weight_a: np.ndarray
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
    parts: PartsWork
    pull: np.ndarray
    arm: np.ndarray
    energies: np.ndarray
    arm_phi: np.ndarray
    modes: np.ndarray
    calls: np.ndarray
