"""What is said to a Pololu Maestro: bytes of its compact and Pololu protocols, and what its error bits mean."""

from __future__ import annotations

import math
from collections.abc import Sequence

QUARTERS = 4
"""Units of the Maestro a microsecond."""
MOST_TARGET = 2**14 - 1
"""Quarter microseconds: what two bytes of seven bits hold."""
SPEED_STEPS_HZ = 100.0
"""The speed limit is in quarter microseconds each 10 ms, where pulses come 50 times a second."""

ERRORS = (
    "serial signal error: the baud rate is not the Maestro's",
    "serial overrun",
    "serial buffer full",
    "serial CRC error: a command was spoiled, or CRC is on in its settings and not in the port's options",
    "serial protocol error: it got bytes that are no command",
    "serial timeout: nothing came for as long as its settings allow, so it went home",
    "script stack error",
    "script call stack error",
    "script program counter error",
)
"""By bit of the error register."""
MOST_ERRORS = 2 ** len(ERRORS) - 1


class MaestroWords:
    """Builds commands.

    Args:
        device: Number of the Maestro where several hang on one serial line (Pololu protocol); None speaks the compact
            protocol, which every Maestro on the line obeys.
        checked: Whether each command ends with a check sum, as a Maestro with CRC on wants it.
    """

    def __init__(self, device: int | None = None, checked: bool = False) -> None:
        self._device, self._checked = device, checked

    def _command(self, code: int, data: Sequence[int]) -> bytes:
        head = [code] if self._device is None else [0xAA, self._device, code & 0x7F]
        command = bytes([*head, *data])
        return command + bytes([crc7(command)]) if self._checked else command

    def target(self, channel: int, quarters: int) -> bytes:
        """Goes to a pulse [quarter microseconds]; 0 sends no more pulses."""
        return self._command(0x84, [channel, *_seven(quarters)])

    def targets(self, channel: int, quarters: Sequence[int]) -> bytes:
        """Moves neighbouring channels at once, from `channel` on; a Micro Maestro does not know this."""
        return self._command(0x9F, [len(quarters), channel, *(byte for one in quarters for byte in _seven(one))])

    def speed(self, channel: int, steps: int) -> bytes:
        """Limits how fast the pulse changes [quarter microseconds each 10 ms]; 0 is no limit."""
        return self._command(0x87, [channel, *_seven(steps)])

    def acceleration(self, channel: int, steps: int) -> bytes:
        """Limits how fast the speed changes [steps of speed each 80 ms], at most 255; 0 is no limit."""
        return self._command(0x89, [channel, *_seven(steps)])

    def position(self, channel: int) -> bytes:
        """Asks for the pulse that is sent now; two bytes come, low first."""
        return self._command(0x90, [channel])

    def errors(self) -> bytes:
        """Asks for the error register and clears it; two bytes come, low first."""
        return self._command(0xA1, [])

    def home(self) -> bytes:
        """Sends all channels to the home of their settings."""
        return self._command(0xA2, [])


def crc7(data: bytes) -> int:
    """The check sum of a command: a CRC of seven bits, polynomial 0x91, lowest bits first."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc ^ 0x91 if crc & 1 else crc) >> 1
    return crc


def quarters_of(microseconds: float) -> int:
    """A pulse as the Maestro counts it, to the nearest quarter microsecond."""
    return min(max(round(microseconds * QUARTERS), 0), MOST_TARGET)


def speed_steps(microseconds_per_second: float | None) -> int:
    """A speed limit as the Maestro counts it, rounded up so that it never slows what is allowed; None is 0: open."""
    if microseconds_per_second is None or not math.isfinite(microseconds_per_second):
        return 0
    return min(max(math.ceil(microseconds_per_second * QUARTERS / SPEED_STEPS_HZ - 1e-9), 1), MOST_TARGET)


def error_words(register: int) -> str:
    """The bits of the error register in words; empty when all is well."""
    named = [words for bit, words in enumerate(ERRORS) if register >> bit & 1]
    if register >> len(ERRORS):
        named.append(f"unknown error bits {register >> len(ERRORS) << len(ERRORS):#06x}")
    return "; ".join(named)


def _seven(value: int) -> tuple[int, int]:
    return value & 0x7F, value >> 7 & 0x7F
