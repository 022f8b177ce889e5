"""Memory that the kernels of dynamics work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.mechanics.flexible.reduction import PartsWork
from animato.mechanics.tree import Walk

COLUMN_ROWS = 21
"""Numbers that are summed for each slot: I S (6), C^T S (3), and how F changes with position (6) and speed (6)."""

CALLS = FORCES, DERIVATIVES, OUTPUTS, ENERGY, WALK, INWARD, CLOSURES = range(7)
PART_CALLS = ARMS, PARTS, PART_DERIVATIVES, PART_ENERGIES, INTERFACE, INTERFACES, MODES, ELASTICITY = range(7, 15)
"""Which address in `Work.calls` is whose."""


class Sums(NamedTuple):
    """What the inward walk sums over entries (e) and slots (c).

    Attributes:
        weight: W as it stands: position of a hinge per unit of its slot, [e].
        weight_v, weight_a: dW/dt and d2W/dt2; zero but for arms of reduced parts, [e].
        columns: Row r of slot c is at stride r + c, with a stride of eight more than the slots; COLUMN_ROWS rows.
        own_q, own_v: How the force of slot c changes with what is behind it, at stride c + slot behind.
        other_q, other_v: How the force of what is behind changes with slot c, at the same place.
        pair_a: Half of the mass matrix, at the same place.
        keep: Eight ones, then eight zeros.
        tau: Force of each slot, [c].
    """

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
    tau: np.ndarray


class ModeColumns(NamedTuple):
    """Modes (j) of reduced parts (p) as the inward walk meets them; arrays are shared with `PartsWork`.

    Attributes:
        step: Step that carries a part, [p].
        slot: Slot of its first mode, [p].
        first: Its first mode among all, and at last their count, [p + 1].
        by_acc, turn, by_a, by_v: What stands for I S, C^T S and the changes of F of a hinge, [j, 6], turn [j, 3].
    """

    step: np.ndarray
    slot: np.ndarray
    first: np.ndarray
    by_acc: np.ndarray
    turn: np.ndarray
    by_a: np.ndarray
    by_v: np.ndarray


class LoopMemory(NamedTuple):
    """What closures need, over their rows (m) and over slots (c).

    Attributes:
        wrench: Of the rows, moments about the origin before forces, [m, 6].
        pull: Wrenches on all behind each step, [6 s].
        reach: Motion of the body on each side of a closure by each of its slots, [2, 6, c].
        bend: How the wrench of a closure changes with each of them, [2, 3, c].
        place: Number of a slot among those of a side, [c].
        fold: Second derivatives among the slots of a side, [c, c].
    """

    wrench: np.ndarray
    pull: np.ndarray
    reach: np.ndarray
    bend: np.ndarray
    place: np.ndarray
    fold: np.ndarray


class ArmMemory(NamedTuple):
    """For second derivatives of an arm's hinges.

    Attributes:
        jac: Three matrices, hinges by modes, [3 * 6 * mode].
        phi: Its hinges and their rates, [3, 6].
        modes: Directions in the space of modes, [2, mode].
        force: Of its hinges, [6].
    """

    jac: np.ndarray
    phi: np.ndarray
    modes: np.ndarray
    force: np.ndarray


class Work(NamedTuple):
    """Memory of one moment; build it once a thread.

    Attributes:
        walk: Poses, motions and forces of all steps.
        sums: Of the inward walk.
        modes: Of the reduced parts, for the same.
        loops: Of the closures.
        parts: Of the reduced parts.
        arms: Of their arms.
        energies: Kinetic, gravitational and elastic energy [J], [3].
        still: Zeros, [n].
        calls: Addresses of kernels that are compiled by themselves, in the order of `CALLS` and `PART_CALLS`.
    """

    walk: Walk
    sums: Sums
    modes: ModeColumns
    loops: LoopMemory
    parts: PartsWork
    arms: ArmMemory
    energies: np.ndarray
    still: np.ndarray
    calls: np.ndarray
