"""The columns of velocities that the steps of a packed tree bring, and on which others each depends."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from animato.mechanics.tree.kinematics import BALL, SLIDE, TURN, Tree


class StepColumns(NamedTuple):
    """One-axis motions c of all steps s but the root's, parents first. A ball has three, a turn or a slide has one.

    Matrices over them have a slot for each: the degrees of freedom first, so that slot and column of velocity are the
    same, and then one more for each motion that follows another one's degree of freedom.

    Attributes:
        first: First motion of each step, and at last their count, [s + 1].
        previous: The motion before this one on the way to the root, -1 where there is none, [c].
        axis: Which axis of the step's frame it turns about or slides along, [c].
        dof: The column of velocity that drives it, [c].
        slot: Its slot, [c].
        leader: Of each slot past the degrees of freedom, the one it follows, [slot - dof].
    """

    first: np.ndarray
    previous: np.ndarray
    axis: np.ndarray
    dof: np.ndarray
    slot: np.ndarray
    leader: np.ndarray


@lru_cache(maxsize=32)
def step_columns(tree: Tree) -> StepColumns:
    """Lists the columns of a tree."""
    arrays, dofs = tree.arrays, len(tree.dof_names)
    first, previous, axis, dof, slot, leader = [0], [], [], [], [], []
    last = np.full(len(arrays.parent), -1)  # the last motion up to and with a step
    for s, (above, kind) in enumerate(zip(arrays.parent, arrays.kind, strict=True)):
        last[s] = last[above] if above >= 0 else -1
        for k in {TURN: (2,), SLIDE: (2,), BALL: (0, 1, 2)}.get(int(kind), ()):
            column = int(arrays.dof[s]) + (k if kind == BALL else 0)
            if column in dof:
                leader.append(column)
            slot.append(dofs + len(leader) - 1 if column in dof else column)
            previous.append(last[s])
            axis.append(k)
            dof.append(column)
            last[s] = len(dof) - 1
        first.append(len(dof))
    lists = (first, previous, axis, dof, slot, leader)
    return StepColumns(*(np.array(numbers, dtype=np.int64) for numbers in lists))
