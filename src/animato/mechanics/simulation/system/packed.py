"""A character with flexible parts and closed loops as plain arrays, which the kernels walk.

Coordinates z [n]: first the unknown ones u (passive joints, strains of rods, modes of reduced parts, springs of
motors), then the prescribed ones theta (motors). They drive the hinges of a spanning tree, each a turn or a slide about
one axis, phi = W z + offset. All that is summed over a part of the tree needs the coordinates of that part to be
neighbours, so the kernels work on *slots*: coordinates in the order of the walk. A coordinate that drives hinges of
different branches (a gear, a rod that is held in its middle) has a slot in each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.mechanics.flexible.reduction import PackedParts
from animato.mechanics.tree import PackedTree, StepColumns

POINT_ROW, ANGLE_ROW = range(2)


class PackedSystem(NamedTuple):
    """Arrays over hinges (s, the root is s = 0), slots (c), coordinates (n), closures (q), their rows (m), outputs (k).

    Attributes:
        tree: Steps; `coordinate` and `dof` of step s are s - 1, `scale` is 1.
        columns: Of the tree: one motion a step but the root's, so motion c belongs to step c + 1.
        unknown_count: n_u, the first coordinates.
        coordinate_count: n.
        entry_first: First entry of W of each hinge, and at last their count, [s + 1].
        entry_slot: Slot of each entry.
        entry_weight: Position of the hinge per unit of that slot.
        slot_coordinate: Coordinate of each slot, [c].
        slot_first, slot_last: Range of slots that may stand behind a hinge of each slot, or beside it, [c].
        behind_first, behind_last: Slots that drive what is behind a hinge, without itself: a range, [s].
        spring_row, spring_column: Places of the entries of the springs' matrices, each a coordinate.
        spring_stiffness, spring_damping, spring_inertia: Their values: tau += K z + D v + M a.
        armature: Rotors, [n].
        friction: Dry friction of the coordinate, smoothed over `friction_speed`, [n].
        friction_speed: Speed at which it reaches 76 % [rad/s or m/s].
        closure_first: First row of each closure, and at last their count, [q + 1].
        closure_steps: The two steps that a closure ties, [q, 2].
        closure_common: The last step that carries both, [q].
        row_kind: POINT_ROW: e1 . (p2 - p1) = 0; ANGLE_ROW: u1 . w2 = 0, [m].
        row_point: Points p1, p2 in the frames of their steps, [m, 2, 3].
        row_axis: e1 or u1 in the frame of the first step and w2 in that of the second, [m, 2, 3].
        output_step: Step that carries each tracked body, [k].
        output_point: Its centre of mass in the frame of that step, [k, 3].
        output_rotation: Of the body in the frame of that step, [k, 3, 3].
        parts: Reduced parts (p), none in most characters; their far interfaces (i) are carried by arms of six hinges,
            three slides and three turns, which are functions of the part's modes and not linear.
        part_step: Step whose frame is that of the part, [p].
        part_coordinate: First of the modes among the coordinates, [p].
        part_slot: First of the slots of the part's own inertia; arms have slots of their own, [p].
        arm_step: First of the six steps, [i].
        arm_sign: 1, or -1 where an arm is walked from the interface to the part: hinges are then in reverse order, [i].
        curved: Whether a hinge belongs to an arm, [s].
    """

    tree: PackedTree
    columns: StepColumns
    unknown_count: int
    coordinate_count: int
    entry_first: np.ndarray
    entry_slot: np.ndarray
    entry_weight: np.ndarray
    slot_coordinate: np.ndarray
    slot_first: np.ndarray
    slot_last: np.ndarray
    behind_first: np.ndarray
    behind_last: np.ndarray
    spring_row: np.ndarray
    spring_column: np.ndarray
    spring_stiffness: np.ndarray
    spring_damping: np.ndarray
    spring_inertia: np.ndarray
    armature: np.ndarray
    friction: np.ndarray
    friction_speed: float
    closure_first: np.ndarray
    closure_steps: np.ndarray
    closure_common: np.ndarray
    row_kind: np.ndarray
    row_point: np.ndarray
    row_axis: np.ndarray
    output_step: np.ndarray
    output_point: np.ndarray
    output_rotation: np.ndarray
    parts: PackedParts
    part_step: np.ndarray
    part_coordinate: np.ndarray
    part_slot: np.ndarray
    arm_step: np.ndarray
    arm_sign: np.ndarray
    curved: np.ndarray
