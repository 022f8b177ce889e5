"""What a Dynamixel servo that was found says of itself."""

from __future__ import annotations

from animato.stage.lines.contract import Answer, Found
from animato.stage.lines.dynamixel import registers
from animato.stage.lines.dynamixel.models import MODELS


def describe(answer: Answer, table: bytes | None) -> Found:
    """A servo in words.

    Args:
        answer: Its answer to a ping.
        table: Its control table; None where it did not tell.
    """
    number, firmware = int.from_bytes(answer.data[:2], "little"), answer.data[2]
    name = MODELS[number].name if number in MODELS else f"model {number}"
    if table is None:
        return Found(answer.id, name, None, (f"firmware {firmware}", "does not let its registers be read"))
    if number not in MODELS:
        return Found(answer.id, name, None, (f"firmware {firmware}", "not a Dynamixel X servo that is known here"))
    mode = registers.OPERATING_MODE.decode(table)
    notes = [f"firmware {firmware}", f"{registers.MODES.get(mode, f'unknown ({mode})')} mode"]
    offset = registers.HOMING_OFFSET.decode(table)
    if offset:
        notes.append(f"homing offset {offset}")
    if registers.DRIVE_MODE.decode(table) & 1:
        notes.append("reverse")
    least, most = registers.MIN_POSITION.decode(table), registers.MAX_POSITION.decode(table)
    if (least, most) != (0, 4095):
        notes.append(f"takes {least} to {most}")
    shutdown = registers.SHUTDOWN.decode(table)
    off = [word for bit, word in ((0x04, "heat"), (0x01, "voltage")) if not shutdown & bit]
    if off:
        notes.append(f"no shutdown for {' and '.join(off)}")
    if registers.TORQUE_ENABLE.decode(table):
        notes.append("torque on")
    error = registers.HARDWARE_ERROR.decode(table)
    if error:
        notes.append(f"shut down: {registers.hardware_words(error) or error}")
    position, warm = (one.decode(table) for one in (registers.PRESENT_POSITION, registers.PRESENT_TEMPERATURE))
    return Found(answer.id, name, float(position), tuple(notes), float(warm))
