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


class Drive(NamedTuple):
    """How slots (c) drive hinges (s, the root is s = 0): phi = W z + offset, entry by entry (e).

    Attributes:
        entry_first: First entry of each hinge, and at last their count, [s + 1].
        entry_slot: Slot of each entry, [e].
        entry_weight: Position of the hinge per unit of that slot, [e].
        slot_coordinate: Coordinate of each slot, [c].
        slot_first, slot_last: Range of slots that may stand behind a hinge of each slot, or beside it, [c].
        behind_first, behind_last: Slots that drive what is behind a hinge, without itself: a range, [s].
        curved: Whether a hinge belongs to an arm of a reduced part: its weights then change, [s].
    """

    entry_first: np.ndarray
    entry_slot: np.ndarray
    entry_weight: np.ndarray
    slot_coordinate: np.ndarray
    slot_first: np.ndarray
    slot_last: np.ndarray
    behind_first: np.ndarray
    behind_last: np.ndarray
    curved: np.ndarray


class Springs(NamedTuple):
    """Constant matrices over coordinates (n), entry by entry (e), and losses: tau += K z + D v and so on.

    Attributes:
        row, column: Place of each entry, [e].
        stiffness, damping: Its values in K and D, [e].
        armature: Rotors, [n].
        friction: Dry friction of a coordinate, smoothed over `friction_speed`, [n].
        friction_speed: Speed at which it reaches 76 % [rad/s or m/s].
    """

    row: np.ndarray
    column: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    armature: np.ndarray
    friction: np.ndarray
    friction_speed: float


class Loops(NamedTuple):
    """Closures (q) of loops and their rows (m).

    Attributes:
        first: First row of each closure, and at last their count, [q + 1].
        steps: The two steps that a closure ties, [q, 2].
        common: The last step that carries both, [q].
        side_first: First of the slots on each side of a closure between its body and `common`, and at last their count;
            two a closure, [2 q + 1].
        side_slot: These slots.
        row_kind: POINT_ROW: e1 . (p2 - p1) = 0; ANGLE_ROW: u1 . w2 = 0, [m].
        row_point: Points p1, p2 in the frames of their steps, [m, 2, 3].
        row_axis: e1 or u1 in the frame of the first step and w2 in that of the second, [m, 2, 3].
    """

    first: np.ndarray
    steps: np.ndarray
    common: np.ndarray
    side_first: np.ndarray
    side_slot: np.ndarray
    row_kind: np.ndarray
    row_point: np.ndarray
    row_axis: np.ndarray


class Outputs(NamedTuple):
    """Tracked bodies (k).

    Attributes:
        step: Step that carries each body, [k].
        point: Its centre of mass in the frame of that step, [k, 3].
        rotation: Of the body in the frame of that step, [k, 3, 3].
    """

    step: np.ndarray
    point: np.ndarray
    rotation: np.ndarray


class PartStands(NamedTuple):
    """Where reduced parts (p) and their far interfaces (i) stand in a system.

    A far interface is carried by an arm of six hinges, three slides and three turns, which are functions of the modes.

    Attributes:
        step: Step whose frame is that of the part, [p].
        coordinate: First of the modes among the coordinates, [p].
        slot: First of the slots of the part's own inertia; arms have slots of their own, [p].
        arm_step: First of the six steps of an arm, [i].
        arm_sign: 1, or -1 where an arm is walked from the interface to the part: hinges are then in reverse order, [i].
    """

    step: np.ndarray
    coordinate: np.ndarray
    slot: np.ndarray
    arm_step: np.ndarray
    arm_sign: np.ndarray


class PackedSystem(NamedTuple):
    """A system as the kernels take it.

    Attributes:
        tree: Steps; `coordinate` and `dof` of step s are s - 1, `scale` is 1.
        columns: Of the tree: one motion a step but the root's, so motion c belongs to step c + 1.
        unknown_count: n_u, the first coordinates.
        coordinate_count: n.
        drive: What drives the hinges.
        springs: What acts along coordinates.
        loops: What is tied.
        outputs: What is tracked.
        parts: Reduced parts; most characters have none.
        stands: Where these stand.
    """

    tree: PackedTree
    columns: StepColumns
    unknown_count: int
    coordinate_count: int
    drive: Drive
    springs: Springs
    loops: Loops
    outputs: Outputs
    parts: PackedParts
    stands: PartStands
