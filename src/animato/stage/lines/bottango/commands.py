"""The text of Bottango's driver protocol: commands with their hash, limits of boards, words for its errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

UNITS = 8192
"""From the least to the greatest signal of a motor."""
CLEAR_CURVES = "xC"
REMOVE_MOTORS = "xE"
STOP = "STOP"
_FASTEST = 30_000
"""Signal a second [microseconds/s]: what an Arduino Uno's integers hold."""
_HEADROOM = 1.25
"""The driver rounds the time of every step down to its loop, which makes its limit up to a fifth too strict."""
_FIRST_PCA9685 = 64
_CHANNELS = 16

ERROR_WORDS = {
    "errNoSpaceAvailable": "it has no room for so many motors",
    "errServoCollision": "two motors have one pin",
    "errNoEffectorOnPin": "it has no motor there",
    "errInvalidPin": "it has no such pin",
    "errCmdTooLong": "a command was too long for it",
    "errTooManyParams": "a command had too many parameters for it",
    "errMissingLibrary": "it was built without the library for it (for a PCA9685: USE_ADAFRUIT_PWM_LIBRARY)",
}


@dataclass(frozen=True)
class Board:
    """What a board has room for.

    Attributes:
        name: Of the board.
        motors: How many may be registered.
        curves: How many a motor keeps.
    """

    name: str
    motors: int
    curves: int


BOARDS = {"usual": Board("usual", 16, 8), "uno": Board("uno", 8, 3), "uno_pca9685": Board("uno", 6, 3)}
"""As driver 0.8 is built; an Arduino Nano is like an Uno."""


def hashed(text: str) -> bytes:
    """A command as it goes on the wire: with the sum of its character codes and the end of the line."""
    return f"{text},h{sum(text.encode())}\n".encode()


def handshake(code: int) -> str:
    """Who is there? The answer repeats the code."""
    return f"hRQ,{code}"


def time_sync(milliseconds: int) -> str:
    """What time it is; starts of curves count from the last one of these."""
    return f"tSYN,{milliseconds}"


def identifier(id: int, pca9685: int | None) -> str:
    """What the driver calls a motor: its pin, or address and channel of a PCA9685 written together."""
    return str(id) if pca9685 is None else f"{pca9685 + id // _CHANNELS}{id % _CHANNELS}"


def register(id: int, pca9685: int | None, ends: tuple[int, int], speed: float | None, start: int) -> str:
    """Makes a servo known; it goes to `start` at once.

    Args:
        id: Pin, or channel; channels 16 to 31 are those of the next PCA9685, and so on.
        pca9685: Address of the first PCA9685; None is a pin of the board itself.
        ends: The least and the greatest pulse [microseconds].
        speed: The fastest that the pulse may change [microseconds/s]; None is open.
        start: [microseconds].
    """
    open_speed = speed is None or not math.isfinite(speed)
    fastest = _FASTEST if open_speed or speed is None else min(max(math.ceil(speed * _HEADROOM), 1), _FASTEST)
    where = f"rSVPin,{id}" if pca9685 is None else f"rSVI2C,{pca9685 + id // _CHANNELS},{id % _CHANNELS}"
    return f"{where},{ends[0]},{ends[1]},{fastest},{start}"


def error_words(line: str) -> str:
    """An error line of the driver in words."""
    for name, words in ERROR_WORDS.items():
        if line.startswith(name):
            return f"{words} ({line.strip()})"
    return line.strip()


def pca9685_address(text: str) -> int | None:
    """The address of the first PCA9685 from an option, such as 64 or 0x40; empty is 0x40; None where it is none."""
    try:
        address = int(text, 0) if text else _FIRST_PCA9685
    except ValueError:
        return None
    return address if 0 < address < 128 else None
