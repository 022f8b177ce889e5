"""Limits of position in a servo that counts one turn: what must be written there, and what is refused."""

from __future__ import annotations

from animato.stage.lines.contract.line import LineError, Slot
from animato.stage.lines.contract.register import Register

LAST = 4095
"""The last count of a turn."""

Change = tuple[Register, int, str]
"""A register, what is to be written there, and the sentence that says so."""


def name_of(slot: Slot) -> str:
    """A servo as messages call it."""
    return f"Servo {slot.wire.id} ('{slot.wire.coordinate}')"


def refuse_turns(slot: Slot, present: int, why: str) -> None:
    """Refuses a range, or a place, outside of the one turn that these servos have.

    Args:
        slot: What the map says.
        present: Where the servo says that it is [counts].
        why: How it can come to be elsewhere, and what to do.
    """
    if not (round(slot.lowest) >= 0 and round(slot.highest) <= LAST):
        raise LineError(
            f"{name_of(slot)} would be told {slot.lowest:.0f} to {slot.highest:.0f}; in position mode it takes 0 to "
            f"{LAST}, one turn. Move the horn or the zero so that the joint's range lies inside, or narrow its limits."
        )
    if not 0 <= present <= LAST:
        raise LineError(
            f"{name_of(slot)} says that it stands at {present}, outside of the one turn of 0 to {LAST} that position "
            f"mode has: {why}"
        )


def limit_changes(
    slot: Slot, ends: tuple[Register, Register], held: tuple[int, int], present: int, torque: int, notes: list[str]
) -> list[Change]:
    """What to write so that the servo itself keeps inside the slot's range.

    Where it stands is inside too, so that it can hold there and be brought back. Limits that somebody set narrower are
    refused, unless the map states the servo's range: then the map decides.

    Args:
        slot: What the map says.
        ends: The registers of the least and the most position.
        held: What is in them.
        present: Where the servo is [counts].
        torque: Whether it holds; then limits that are wider than needed stay, and a note says so.
        notes: Where that is noted.
    """
    wanted = min(round(slot.lowest), present), max(round(slot.highest), present)
    stated = slot.wire.lowest is not None and slot.wire.highest is not None
    if (held[0] > wanted[0] or held[1] < wanted[1]) and not stated:
        raise LineError(
            f"{name_of(slot)} has limits of its own, {held[0]} to {held[1]} (registers {ends[0].address} and "
            f"{ends[1].address}), and the joint needs {wanted[0]} to {wanted[1]}. Narrow the joint's limits, or write "
            f"`lowest` and `highest` of the servo into the map: then the servo's limits are set by it."
        )
    if torque and held[0] <= wanted[0] and wanted[1] <= held[1]:
        if held != wanted:
            notes.append(
                f"keeps its own limits of {held[0]} to {held[1]} as it holds; it is told no more than its range"
            )
        return []
    names = ("least", "most")
    return [
        (ends[side], wanted[side], f"{names[side]} position set from {held[side]} to {wanted[side]}")
        for side in (0, 1)
        if held[side] != wanted[side]
    ]


def refuse_while_held(slot: Slot, changes: list[Change], torque: int) -> None:
    """Refuses changes of a servo that holds something up: they need torque off, and it would let go."""
    if changes and torque:
        what = "; ".join(sentence for _, _, sentence in changes)
        raise LineError(
            f"{name_of(slot)} holds with torque, and this can only be changed without: {what}. Support the robot, "
            f"switch the servos off and on, and begin again."
        )
