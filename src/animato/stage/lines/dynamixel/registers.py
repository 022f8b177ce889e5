"""Where a Dynamixel X servo keeps what: the part of its control table that is used here."""

from __future__ import annotations

from animato.stage.lines.contract import Register

MODEL_NUMBER = Register(0, 2)
FIRMWARE = Register(6, 1)
RETURN_DELAY = Register(9, 1)
DRIVE_MODE = Register(10, 1)
OPERATING_MODE = Register(11, 1)
HOMING_OFFSET = Register(20, 4, signed=True)
TEMPERATURE_LIMIT = Register(31, 1)
CURRENT_LIMIT = Register(38, 2)
VELOCITY_LIMIT = Register(44, 4)
MAX_POSITION = Register(48, 4)
MIN_POSITION = Register(52, 4)
SHUTDOWN = Register(63, 1)
TORQUE_ENABLE = Register(64, 1)
STATUS_RETURN_LEVEL = Register(68, 1)
HARDWARE_ERROR = Register(70, 1)
BUS_WATCHDOG = Register(98, 1)
GOAL_CURRENT = Register(102, 2, signed=True)
PROFILE_ACCELERATION = Register(108, 4)
PROFILE_VELOCITY = Register(112, 4)
GOAL_POSITION = Register(116, 4, signed=True)
PRESENT_CURRENT = Register(126, 2, signed=True)
PRESENT_VELOCITY = Register(128, 4, signed=True)
PRESENT_POSITION = Register(132, 4, signed=True)
PRESENT_VOLTAGE = Register(144, 2)
PRESENT_TEMPERATURE = Register(146, 1)

EEPROM_END = 64
"""Registers below keep their value without power, and can be written only while torque is off."""

COUNTS_PER_SECOND = 0.229 * 4096.0 / 60.0
"""One unit of velocity, 0.229 turns a minute [counts/s]."""

WATCHDOG_UNIT_S = 0.02
"""One unit of the bus watchdog [s]."""

MODES = {
    0: "current",
    1: "velocity",
    3: "position",
    4: "extended position",
    5: "current-based position",
    16: "PWM",
}
"""Operating modes by number."""

HARDWARE_ERRORS = {
    0x01: "its supply voltage is out of range",
    0x04: "it is too hot",
    0x08: "its encoder does not work",
    0x10: "an electrical shock, or too little power for the motor",
    0x20: "it was overloaded for too long",
}
"""Bits of the hardware error status, and of the shutdown register, in words."""


def hardware_words(bits: int) -> str:
    """A hardware error status in words; empty when all is well."""
    return ", ".join(word for bit, word in HARDWARE_ERRORS.items() if bits & bit)
