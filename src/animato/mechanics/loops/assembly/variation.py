"""A mechanism with slightly other frames: what manufacturing makes of it."""

from __future__ import annotations

from dataclasses import replace

from animato.character import Character
from animato.errors import MechanismError
from animato.mechanics.loops.assembly.build import _draft
from animato.mechanics.loops.constraints import Mechanism


def with_other_frames(mechanism: Mechanism, character: Character) -> Mechanism:
    """The rows of a character that differs from the mechanism's only in numbers.

    Which rows are kept, the rest state and the typical length stay as they were; redundant rows are not looked
    for anew, so those that no longer hold show up in `dropped_residual`.

    Args:
        mechanism: Built from the character as it was meant to be.
        character: The same bodies and joints, with other frames or axes; as in `mechanism.character`.
    """
    draft = _draft(character)
    if (draft.body_names, draft.control_names, draft.design_names) != (
        mechanism.body_names,
        mechanism.control_names,
        mechanism.design_names,
    ) or len(draft.rows) + len(mechanism.idle) != len(mechanism.rows):
        raise MechanismError(
            f"'{character.name}' is not '{mechanism.name}' with other frames: bodies or joints differ."
        )
    return replace(
        mechanism,
        character=character,
        joints=draft.joints,
        rows=(*draft.rows, *mechanism.rows[len(draft.rows) :]),
        branches=draft.branches,
    )
