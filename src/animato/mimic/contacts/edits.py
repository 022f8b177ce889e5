"""What an artist changes about a plan of contacts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.errors import MotionError, OptionError, unknown_name
from animato.mimic.contacts.plan import ContactPlan

STATES = ("planted", "lowered", "free")
"""What a part may do: stand still and push, lie on its surface without pushing, or neither."""


@dataclass(frozen=True)
class ContactEdit:
    """What one part does for a time, whatever the capture says.

    Attributes:
        part: Such as "left heel".
        start_s, end_s: From when to when, both included [s].
        state: "planted", "lowered" or "free".
    """

    part: str
    start_s: float
    end_s: float
    state: str

    def __post_init__(self) -> None:
        if self.state not in STATES:
            raise unknown_name("state", self.state, STATES, "contacts")
        if not (math.isfinite(self.start_s) and math.isfinite(self.end_s) and self.start_s <= self.end_s):
            raise OptionError(
                f"The contact of '{self.part}' needs a `start_s` that is not after its `end_s`; "
                f"given {self.start_s:g} to {self.end_s:g} s."
            )


def edited(plan: ContactPlan, edits: Sequence[ContactEdit]) -> ContactPlan:
    """The plan with edits made one after the other; those that come later win.

    Raises:
        UnknownNameError: An edit is of a part that the plan does not have.
        MotionError: An edit is of a time before or after the plan.
    """
    planted, lowered, support = plan.planted.copy(), plan.lowered.copy(), plan.support.copy()
    names = tuple(part.name for part in plan.parts)
    notes = []
    for edit in edits:
        if edit.part not in names:
            raise unknown_name("part", edit.part, names, "the plan of contacts")
        part, frames = names.index(edit.part), _frames(plan.times, edit)
        planted[frames, part] = edit.state == "planted"
        lowered[frames, part] = edit.state == "lowered"
        foot = part // 2  # two parts a foot, feet first
        if foot < support.shape[1]:
            support[frames, foot] = (planted | lowered)[frames, 2 * foot : 2 * foot + 2].any(axis=1)
        notes.append(f"By hand: {edit.part} {edit.state} from {edit.start_s:.2f} to {edit.end_s:.2f} s.")
    flight = np.asarray(~planted.any(axis=1))
    told = (*plan.notes, *notes)
    return replace(plan, planted=planted, lowered=lowered, support=support, flight=flight, notes=told)


def _frames(times: np.ndarray, edit: ContactEdit) -> np.ndarray:
    rounding = 1e-6
    frames = np.flatnonzero((times >= edit.start_s - rounding) & (times <= edit.end_s + rounding))
    if frames.size == 0:
        raise MotionError(
            f"The contact of '{edit.part}' from {edit.start_s:g} to {edit.end_s:g} s holds no frame of the motion, "
            f"which goes from {times[0]:g} to {times[-1]:g} s."
        )
    return frames
