"""Looks whether a Feetech servo is as the map says, and sets its limits; nothing moves."""

from __future__ import annotations

import math
from dataclasses import dataclass

from animato.stage.lines.contract import (
    Change,
    Conversation,
    LineError,
    Slot,
    limit_changes,
    name_of,
    refuse_turns,
    refuse_while_held,
)
from animato.stage.lines.feetech import registers
from animato.stage.lines.feetech.registers import error_words

TABLE_SIZE = 71
"""Bytes of the memory that are looked at: up to the current."""

FAMILIES = (8, 9)
"""The low byte of the model number of servos that have these registers: SMS and STS."""

_OVERHEAT, _VOLTAGE, _CURRENT = 0x04, 0x01, 0x08
_FASTEST = 32767


@dataclass(frozen=True)
class Ready:
    """A servo that can be used.

    Attributes:
        id: On the bus.
        lowest: The least goal that it takes [counts].
        highest: And the most.
        speed: What its goal speed is to be [counts/s]; 0 is open.
        notes: What the user should know.
    """

    id: int
    lowest: int
    highest: int
    speed: int
    notes: tuple[str, ...]


def prepare_servo(talk: Conversation, slot: Slot, table: bytes) -> Ready:
    """Checks a servo against its slot and writes what must differ.

    Args:
        talk: With its bus.
        slot: What the map says.
        table: Its memory as it is, `TABLE_SIZE` bytes.

    Raises:
        LineError: It is not what the map says, or would have to be changed while it holds.
    """
    name, present = name_of(slot), registers.PRESENT_POSITION.decode(table)
    _refuse(slot, table, name)
    overflows = bool(registers.PHASE.decode(table) & registers.MULTI_TURN)
    if not (overflows and 0 <= round(slot.lowest) <= round(slot.highest) <= 4095):
        refuse_turns(slot, present, _why_elsewhere(table))
    notes: list[str] = []
    changes = _changes(slot, table, notes)
    held = registers.MIN_POSITION.decode(table), registers.MAX_POSITION.decode(table)
    open_range = (0, 4095) if held == (0, 0) else held  # 0 and 0 is no limit
    inside = present % 4096 if overflows else present
    ends = (registers.MIN_POSITION, registers.MAX_POSITION)
    torque = registers.TORQUE_ENABLE.decode(table)
    changes += limit_changes(slot, ends, open_range, inside, torque, notes)
    refuse_while_held(slot, changes, torque)
    notes += _notes(slot, table, inside)
    if changes:
        talk.write_and_look(slot.wire.id, registers.LOCK, 0)
        for register, value, sentence in changes:
            talk.write_and_look(slot.wire.id, register, value)
            notes.append(sentence)
        talk.write_and_look(slot.wire.id, registers.LOCK, 1)
    lowest, highest = min(round(slot.lowest), inside), max(round(slot.highest), inside)
    speed = 0 if slot.speed is None else min(_FASTEST, max(1, math.ceil(slot.speed - 1e-9)))
    return Ready(slot.wire.id, lowest, highest, speed, tuple(notes))


def _refuse(slot: Slot, table: bytes, name: str) -> None:
    number = registers.MODEL_NUMBER.decode(table)
    if number & 0xFF not in FAMILIES:
        raise LineError(
            f"{name} says that it is model {number}, which is no Feetech STS or SMS servo; those of the SCS series "
            f"count otherwise and cannot be played."
        )
    bits = registers.STATUS.decode(table)
    if bits:
        raise LineError(
            f"{name} reports: {error_words(bits) or f'status {bits:#04x}'}. Find the cause, then switch its power off "
            f"and on."
        )
    if slot.wire.reverse:
        raise LineError(
            f"The servo map says that {name} is set to reverse; Feetech servos have no such setting. Say sign: -1 "
            f"instead."
        )


def _why_elsewhere(table: bytes) -> str:
    offset = registers.HOMING_OFFSET.decode(table)
    return (
        f"present is where the shaft is less the homing offset of {offset}. Turn the shaft back, or set the offset "
        f"(register 31) to 0, and calibrate anew."
    )


def _changes(slot: Slot, table: bytes, notes: list[str]) -> list[Change]:
    """Mode, overflow and limit of current: what is to be written, and the sentence for it."""
    changes: list[Change] = []
    mode, phase = registers.OPERATING_MODE.decode(table), registers.PHASE.decode(table)
    if mode != 0:
        changes.append(
            (registers.OPERATING_MODE, 0, f"mode set from {registers.MODES.get(mode, str(mode))} to position")
        )
    if phase & registers.MULTI_TURN:
        changes.append(
            (registers.PHASE, phase & ~registers.MULTI_TURN, "counting of whole turns put off: positions overflowed")
        )
    if slot.wire.current is not None:
        held = registers.PROTECTION_CURRENT.decode(table)
        wanted = max(1, math.floor(slot.wire.current / registers.CURRENT_UNIT))
        if wanted < held:
            amperes = wanted * registers.CURRENT_UNIT
            changes.append((registers.PROTECTION_CURRENT, wanted, f"lets go above {amperes:.3g} A, as the map says"))
        elif wanted > held:
            notes.append(f"its own limit of current is {held * registers.CURRENT_UNIT:.3g} A, below the map's")
        unload = registers.UNLOAD.decode(table)
        if not unload & _CURRENT:
            changes.append((registers.UNLOAD, unload | _CURRENT, "lets go when it draws too much"))
    return changes


def _notes(slot: Slot, table: bytes, present: int) -> list[str]:
    notes = []
    offset, unload = registers.HOMING_OFFSET.decode(table), registers.UNLOAD.decode(table)
    if offset:
        notes.append(f"has a homing offset of {offset}: its positions, and the map's zero, count without it")
    off = [word for bit, word in ((_OVERHEAT, "overheating"), (_VOLTAGE, "wrong voltage")) if not unload & bit]
    if off:
        notes.append(f"does not let go by itself for {' or '.join(off)} (register 19)")
    if not round(slot.lowest) <= present <= round(slot.highest):
        notes.append(f"stands at {present}, outside of its range of {slot.lowest:.0f} to {slot.highest:.0f}")
    return notes
