"""Where a Feetech STS servo keeps what: the part of its memory that is used here."""

from __future__ import annotations

from animato.stage.lines.contract import Register

FIRMWARE = Register(0, 2)
MODEL_NUMBER = Register(3, 2)
RETURN_DELAY = Register(7, 1)
STATUS_LEVEL = Register(8, 1)
MIN_POSITION = Register(9, 2)
MAX_POSITION = Register(11, 2)
TEMPERATURE_LIMIT = Register(13, 1)
PHASE = Register(18, 1)
UNLOAD = Register(19, 1)
PROTECTION_CURRENT = Register(28, 2)
HOMING_OFFSET = Register(31, 2, sign_bit=11)
OPERATING_MODE = Register(33, 1)
TORQUE_ENABLE = Register(40, 1)
ACCELERATION = Register(41, 1)
GOAL_POSITION = Register(42, 2, sign_bit=15)
GOAL_TIME = Register(44, 2)
GOAL_SPEED = Register(46, 2, sign_bit=15)
LOCK = Register(55, 1)
PRESENT_POSITION = Register(56, 2, sign_bit=15)
PRESENT_SPEED = Register(58, 2, sign_bit=15)
PRESENT_LOAD = Register(60, 2, sign_bit=10)
PRESENT_VOLTAGE = Register(62, 1)
PRESENT_TEMPERATURE = Register(63, 1)
STATUS = Register(65, 1)
PRESENT_CURRENT = Register(69, 2, sign_bit=15)

EEPROM_END = 40
"""Registers below keep their value without power, where LOCK is 0 while they are written."""

CURRENT_UNIT = 6.5e-3
"""One count of current [A]."""

MULTI_TURN = 0x10
"""The bit of PHASE with which positions are counted over whole turns."""

MODES = {0: "position", 1: "speed", 2: "PWM", 3: "steps"}
"""Operating modes by number."""

MODELS = {777: "STS3215", 2825: "STS3250", 11272: "SM8512BL"}
"""Names by model number; all have these registers and 4096 counts a turn."""

ERRORS = {
    0x01: "its supply voltage is out of range",
    0x02: "its encoder does not work",
    0x04: "it is too hot",
    0x08: "it draws too much current",
    0x20: "it was overloaded for too long",
}
"""Bits of the status, and of what makes it let go, in words."""


def error_words(bits: int) -> str:
    """A status in words; empty when all is well."""
    return ", ".join(word for bit, word in ERRORS.items() if bits & bit)
