"""Collects steps, slots and coordinates while the spanning tree is walked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from animato.character import Z_AXIS, MassProperties, combined
from animato.mechanics.simulation.system.packed import Drive
from animato.mechanics.simulation.system.system import Placed
from animato.mechanics.tree import FIXED, SLIDE, TURN, PackedTree, StepColumns
from animato.spatial import quaternions
from animato.spatial.rigid_transform import RigidTransform


@dataclass
class StepRow:
    """One step: where it stands on its parent, the slots that drive it, and those of a part in its frame."""

    parent: int
    kind: int
    transform: RigidTransform
    offset: float
    entries: list[tuple[int, float]]
    loads: list[MassProperties] = field(default_factory=list)
    behind: list[int] = field(default_factory=list)
    curved: bool = False


class Assembly:
    """Steps and slots so far. Coordinates are known by name."""

    def __init__(self) -> None:
        self.steps = [StepRow(-1, FIXED, RigidTransform(), 0.0, [])]
        self.slots: list[str] = []

    def add_slot(self, coordinate: str) -> int:
        """A slot for the hinges of one joint or piece that a coordinate drives."""
        self.slots.append(coordinate)
        return len(self.slots) - 1

    def add_step(
        self,
        place: Placed,
        slides: bool,
        axis: Sequence[float] | np.ndarray,
        entries: Sequence[tuple[int, float]],
        offset: float = 0.0,
        curved: bool = False,
    ) -> Placed:
        """Adds a hinge about, or along, an axis of a frame; gives that frame as it moves behind the hinge.

        Args:
            place: The frame before the hinge.
            slides: Whether the hinge slides along the axis.
            axis: In that frame.
            entries: Slots and the weights with which they drive the hinge.
            offset: Position of the hinge where all slots are zero [rad or m].
            curved: Whether weights change with the slots; all entries are then kept.
        """
        upright = RigidTransform((0.0, 0.0, 0.0), quaternions.shortest_turn(Z_AXIS, np.asarray(axis)))
        kept = [(slot, weight) for slot, weight in entries if curved or weight != 0.0]
        kind = SLIDE if slides else TURN
        row = StepRow(place.step, kind, place.transform @ upright, offset, kept, curved=curved)
        self.steps.append(row)
        return Placed(len(self.steps) - 1, upright.inverse())

    def add_frame(self, place: Placed, slots: Sequence[int]) -> Placed:
        """Adds a step that does not move, so that a frame has one of its own, with slots of what moves there."""
        self.steps.append(StepRow(place.step, FIXED, place.transform, 0.0, [], behind=list(slots)))
        return Placed(len(self.steps) - 1, RigidTransform())

    def add_load(self, place: Placed, load: MassProperties) -> None:
        """Hangs a mass, given in a frame, on the step that carries the frame."""
        self.steps[place.step].loads.append(load.moved(place.transform.rotation, place.transform.position))

    def tree(self, gravity: Sequence[float]) -> PackedTree:
        """The steps as the walks take them; hinge n drives step n + 1."""
        count = len(self.steps)
        totals = [combined(step.loads) for step in self.steps]
        numbers = np.arange(-1, count - 1, dtype=np.int64)
        return PackedTree(
            np.array([step.parent for step in self.steps], dtype=np.int64),
            np.array([step.kind for step in self.steps], dtype=np.int64),
            numbers,
            numbers.copy(),
            np.ones(count),
            np.array([step.offset for step in self.steps], dtype=np.float64),
            np.array([step.transform.rotation for step in self.steps]),
            np.array([step.transform.position for step in self.steps]),
            np.array([total.mass for total in totals], dtype=np.float64),
            np.array([total.centre for total in totals]),
            np.array([total.inertia for total in totals]),
            np.zeros(0, dtype=np.int64),
            np.zeros((0, 3, 3)),
            np.zeros((0, 3)),
            np.array(gravity, dtype=np.float64),
        )

    def columns(self) -> StepColumns:
        """One motion a step but the root's."""
        parent = np.array([step.parent for step in self.steps[1:]], dtype=np.int64)
        numbers = np.arange(len(parent), dtype=np.int64)
        first = np.concatenate([[0], np.arange(len(parent) + 1)]).astype(np.int64)
        axis = np.full(len(parent), 2, dtype=np.int64)
        return StepColumns(first, parent - 1, axis, numbers, numbers.copy(), np.zeros(0, dtype=np.int64))

    def drive(self, index: Mapping[str, int]) -> Drive:
        """What drives the hinges; coordinates are numbered by their names."""
        behind, beside = self._ranges()
        entries = [entry for step in self.steps for entry in step.entries]
        counts = [len(step.entries) for step in self.steps]
        return Drive(
            integers([0, *np.cumsum(counts).tolist()]),
            integers([slot for slot, _ in entries]),
            np.array([weight for _, weight in entries], dtype=np.float64),
            integers([index[name] for name in self.slots]),
            np.ascontiguousarray(beside[:, 0]),
            np.ascontiguousarray(beside[:, 1]),
            np.ascontiguousarray(behind[:, 0]),
            np.ascontiguousarray(behind[:, 1]),
            np.array([step.curved for step in self.steps], dtype=np.bool_),
        )

    def _ranges(self) -> tuple[np.ndarray, np.ndarray]:
        """First and last slot behind each step, [s, 2], and behind or beside each slot, [c, 2]."""
        count = len(self.steps)
        behind = np.tile(np.array([len(self.slots), 0], dtype=np.int64), (count, 1))
        beside = np.array([[c, c + 1] for c in range(len(self.slots))], dtype=np.int64).reshape(-1, 2)
        for s in range(count - 1, 0, -1):
            if self.steps[s].behind:
                behind[s] = _joined(behind[s], [min(self.steps[s].behind), max(self.steps[s].behind) + 1])
            own = [slot for slot, _ in self.steps[s].entries]
            reach = _joined(behind[s], [min(own), max(own) + 1] if own else behind[s])
            for slot in own:
                beside[slot] = _joined(beside[slot], reach)
            above = self.steps[s].parent
            behind[above] = _joined(behind[above], reach)
        return behind, beside


def _joined(one: Sequence[int] | np.ndarray, two: Sequence[int] | np.ndarray) -> np.ndarray:
    return np.array([min(one[0], two[0]), max(one[1], two[1])], dtype=np.int64)


def integers(numbers: Sequence[object]) -> np.ndarray:
    """An array of whole numbers, also where there are none."""
    return np.array(numbers, dtype=np.int64)
