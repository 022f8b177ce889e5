"""Looks whether a Dynamixel servo is as the map says, and sets its limits; nothing moves."""

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
from animato.stage.lines.dynamixel import registers
from animato.stage.lines.dynamixel.models import MODELS, Model
from animato.stage.lines.dynamixel.registers import hardware_words

TABLE_SIZE = 147
"""Bytes of the control table that are looked at: up to the temperature."""

_REVERSE, _TIME_BASED, _TORQUE_BY_GOAL = 0x01, 0x04, 0x08
_POSITION, _CURRENT_BASED = 3, 5
_OVERHEAT, _VOLTAGE = 0x04, 0x01
_SLOW_ANSWER = 100
"""A return delay above this many units of 2 us is worth a word."""


@dataclass(frozen=True)
class Ready:
    """A servo that can be used.

    Attributes:
        id: On the bus.
        model: What it is.
        lowest: The least goal that it takes [counts].
        highest: And the most.
        profile_velocity: What its profile velocity is to be; 0 is open.
        goal_current: What its goal current is to be; None where it has no limit of current.
        delay_s: How long it waits before it answers [s].
        notes: What the user should know.
    """

    id: int
    model: Model
    lowest: int
    highest: int
    profile_velocity: int
    goal_current: int | None
    delay_s: float
    notes: tuple[str, ...]


def prepare_servo(talk: Conversation, slot: Slot, table: bytes) -> Ready:
    """Checks a servo against its slot and writes what must differ.

    Args:
        talk: With its bus.
        slot: What the map says.
        table: Its control table as it is, `TABLE_SIZE` bytes.

    Raises:
        LineError: It is not what the map says, or would have to be changed while it holds.
    """
    id, name = slot.wire.id, name_of(slot)
    model = _known(table, name)
    _refuse_errors(table, name)
    present, offset = registers.PRESENT_POSITION.decode(table), registers.HOMING_OFFSET.decode(table)
    refuse_turns(
        slot,
        present,
        f"present is where the shaft is plus the homing offset of {offset}. Turn the shaft back into the range, switch "
        f"the servo off and on, or set its homing offset (register 20) to 0 and calibrate anew.",
    )
    held = registers.MIN_POSITION.decode(table), registers.MAX_POSITION.decode(table)
    changes = _changes(slot, table, model, name)
    torque, notes = registers.TORQUE_ENABLE.decode(table), _notes(table, slot, present)
    ends = (registers.MIN_POSITION, registers.MAX_POSITION)
    changes += limit_changes(slot, ends, held, present, torque, notes)
    refuse_while_held(slot, changes, torque)
    lowest, highest = min(round(slot.lowest), present), max(round(slot.highest), present)
    for register, value, sentence in changes:
        talk.write(id, register, value)
        notes.append(sentence)
    current = _goal_current(slot, table, model, notes)
    delay_s = registers.RETURN_DELAY.decode(table) * 2e-6
    return Ready(id, model, lowest, highest, _profile(slot, table), current, delay_s, tuple(notes))


def _known(table: bytes, name: str) -> Model:
    number = registers.MODEL_NUMBER.decode(table)
    if number not in MODELS:
        raise LineError(
            f"{name} says that it is model {number}, which is not known here. Known are Dynamixel X and MX(2.0) servos "
            f"with 4096 counts a turn: {', '.join(model.name for model in MODELS.values())}."
        )
    return MODELS[number]


def _refuse_errors(table: bytes, name: str) -> None:
    bits = registers.HARDWARE_ERROR.decode(table)
    if bits:
        raise LineError(
            f"{name} has shut down: {hardware_words(bits) or f'hardware error {bits:#04x}'}. Find the cause, then "
            f"reboot it: switch its power off and on."
        )


def _changes(slot: Slot, table: bytes, model: Model, name: str) -> list[Change]:
    """Direction, profile and mode: what is to be written, and the sentence for it."""
    changes: list[Change] = []
    drive = registers.DRIVE_MODE.decode(table)
    if bool(drive & _REVERSE) != slot.wire.reverse:
        set_to, said = ("reverse", "not reverse") if drive & _REVERSE else ("normal", "reverse")
        raise LineError(
            f"The direction of {name} is set to {set_to} in the servo (register 10), and the servo map says {said}. "
            f"Write reverse: {str(not slot.wire.reverse).lower()} into the map and calibrate it anew, or change the "
            f"servo."
        )
    if drive & (_TIME_BASED | _TORQUE_BY_GOAL):
        wanted = drive & ~(_TIME_BASED | _TORQUE_BY_GOAL)
        changes.append(
            (registers.DRIVE_MODE, wanted, f"drive mode set from {drive} to {wanted}: limits of speed, torque on order")
        )
    if slot.wire.current is not None and model.current_unit is None:
        raise LineError(
            f"{name} is a {model.name}, which measures no current, so the map's limit of {slot.wire.current:g} A "
            f"cannot be held. Take `current` out of the map."
        )
    mode, wanted = registers.OPERATING_MODE.decode(table), _POSITION if slot.wire.current is None else _CURRENT_BASED
    if mode != wanted:
        was = registers.MODES.get(mode, str(mode))
        changes.append((registers.OPERATING_MODE, wanted, f"mode set from {was} to {registers.MODES[wanted]}"))
    return changes


def _profile(slot: Slot, table: bytes) -> int:
    """The profile velocity for the slot's speed, rounded up; 0 leaves it open."""
    if slot.speed is None:
        return 0
    wanted = max(1, math.ceil(slot.speed / registers.COUNTS_PER_SECOND - 1e-9))
    return min(wanted, registers.VELOCITY_LIMIT.decode(table) or wanted, 32767)


def _goal_current(slot: Slot, table: bytes, model: Model, notes: list[str]) -> int | None:
    if slot.wire.current is None or model.current_unit is None:
        return None
    most = registers.CURRENT_LIMIT.decode(table)
    wanted = max(1, math.floor(slot.wire.current / model.current_unit))
    if wanted > most:
        notes.append(f"its own limit of current is {most * model.current_unit:.3g} A, below the map's")
    return min(wanted, most)


def _notes(table: bytes, slot: Slot, present: int) -> list[str]:
    notes = []
    offset, shutdown = registers.HOMING_OFFSET.decode(table), registers.SHUTDOWN.decode(table)
    if offset:
        notes.append(f"has a homing offset of {offset}: its positions, and the map's zero, count with it")
    off = [word for bit, word in ((_OVERHEAT, "overheating"), (_VOLTAGE, "wrong voltage")) if not shutdown & bit]
    if off:
        notes.append(f"does not shut down by itself for {' or '.join(off)} (register 63)")
    if not round(slot.lowest) <= present <= round(slot.highest):
        notes.append(f"stands at {present}, outside of its range of {slot.lowest:.0f} to {slot.highest:.0f}")
    if slot.wire.current is not None:
        notes.append("holds the limit of current, and so (as mode 5 is) no limits of position of its own")
    if registers.RETURN_DELAY.decode(table) > _SLOW_ANSWER:
        delay_us = 2 * registers.RETURN_DELAY.decode(table)
        notes.append(f"waits {delay_us} us before each answer (register 9); 0 leaves more time for others")
    return notes
