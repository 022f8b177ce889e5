"""What a Feetech servo that was found says of itself."""

from __future__ import annotations

from animato.stage.lines.contract import Found
from animato.stage.lines.feetech import registers
from animato.stage.lines.feetech.preparing import FAMILIES


def describe(id: int, table: bytes | None) -> Found:
    """A servo in words.

    Args:
        id: On the bus.
        table: Its memory; None where it did not tell.
    """
    if table is None:
        return Found(id, "unknown", None, ("answers, and does not let its memory be read",))
    number = registers.MODEL_NUMBER.decode(table)
    if number & 0xFF not in FAMILIES:
        return Found(id, f"model {number}", None, ("not an STS or SMS servo",))
    notes = [f"firmware {table[0]}.{table[1]}"]
    mode = registers.OPERATING_MODE.decode(table)
    notes.append(f"{registers.MODES.get(mode, f'unknown ({mode})')} mode")
    offset = registers.HOMING_OFFSET.decode(table)
    if offset:
        notes.append(f"homing offset {offset}")
    if registers.PHASE.decode(table) & registers.MULTI_TURN:
        notes.append("counts whole turns: positions overflow")
    least, most = registers.MIN_POSITION.decode(table), registers.MAX_POSITION.decode(table)
    if (least, most) != (0, 4095):
        notes.append(f"takes {least} to {most}" if (least, most) != (0, 0) else "no limits of position")
    unload = registers.UNLOAD.decode(table)
    off = [word for bit, word in ((0x04, "heat"), (0x01, "voltage")) if not unload & bit]
    if off:
        notes.append(f"does not let go for {' and '.join(off)}")
    if registers.TORQUE_ENABLE.decode(table):
        notes.append("torque on")
    bits = registers.STATUS.decode(table)
    if bits:
        notes.append(f"reports: {registers.error_words(bits) or bits}")
    name = registers.MODELS.get(number, f"STS model {number}")
    position, warm = (one.decode(table) for one in (registers.PRESENT_POSITION, registers.PRESENT_TEMPERATURE))
    return Found(id, name, float(position), tuple(notes), float(warm))
