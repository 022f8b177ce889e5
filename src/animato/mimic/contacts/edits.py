"""What an artist changes about a plan of contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from animato.errors import MotionError, OptionError, unknown_name
from animato.mimic.contacts.labels import by_foot
from animato.mimic.contacts.plan import ContactPlan
from animato.mimic.contacts.resting import REST_PARTS

STATES = ("planted", "lowered", "free")
"""What a part may do: stand still and push, lie on its surface without pushing, or neither."""


ROUNDING_S = 6e-4
"""Frames that miss an edit by no more than this belong to it [s]: files have three decimals."""


@dataclass(frozen=True)
class ContactEdit:
    """What one part does for a time, whatever the capture says.

    Attributes:
        part: Such as "left heel".
        start_s, end_s: From when to when, both included [s]; minus and plus infinity for the ends of the motion.
        state: "planted", "lowered" or "free".
    """

    part: str
    start_s: float
    end_s: float
    state: str

    def __post_init__(self) -> None:
        if self.state not in STATES:
            raise unknown_name("state", self.state, STATES, "contacts")
        if not self.start_s <= self.end_s:  # nor where one is NaN
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
    planted, lowered = plan.planted.copy(), plan.lowered.copy()
    names = tuple(part.name for part in plan.parts)
    for edit in edits:
        if edit.part not in names:
            raise unknown_name(
                "part", edit.part, (*names, *(part for part in REST_PARTS if part not in names)), "contacts"
            )
        part, frames = names.index(edit.part), _frames(plan.times, edit)
        planted[frames, part] = edit.state == "planted"
        lowered[frames, part] = edit.state == "lowered"
    if not edits:
        return plan
    before, after = by_foot(plan.planted | plan.lowered), by_foot(planted | lowered)
    edited_parts = ", ".join(dict.fromkeys(edit.part for edit in edits))
    return replace(
        plan,
        planted=planted,
        lowered=lowered,
        support=np.where(before == after, plan.support, after),
        flight=np.asarray(~planted.any(axis=1)),
        notes=(*plan.notes, f"Contacts were edited by hand: {edited_parts}."),
    )


def _frames(times: np.ndarray, edit: ContactEdit) -> np.ndarray:
    frames = np.flatnonzero((times >= edit.start_s - ROUNDING_S) & (times <= edit.end_s + ROUNDING_S))
    if frames.size == 0:
        raise MotionError(
            f"The contact of '{edit.part}' from {edit.start_s:g} to {edit.end_s:g} s holds no frame of the motion, "
            f"which goes from {times[0]:g} to {times[-1]:g} s."
        )
    return frames
