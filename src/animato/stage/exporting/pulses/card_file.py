"""The file that a board plays from an SD card.

Little-endian. 32 bytes: `ANIMATO1`, where frames begin (uint16), servos (uint16), frames (uint32), microseconds from
frame to frame (uint32), CRC-32 of the frames (uint32), 1 where it repeats (uint8), zeros. Then 32 bytes a servo:
channel (uint8), 0, neutral, lowest, highest, farthest in a frame, farthest in a frame of the start (uint16 each,
quarter microseconds), name (20 bytes, zeros behind it). Then JSON that says what it is and what made it, zeros behind
it. Then the frames: one uint16 a servo, quarter microseconds.
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from animato.errors import OptionError
from animato.stage.exporting.pulses.servo_rows import ServoRow

_MAGIC = b"ANIMATO1"
_HEAD = struct.Struct("<8sHHIIIB7x")
_SERVO = struct.Struct("<BxHHHHH20s")


def card_bytes(rows: list[ServoRow], told: np.ndarray, period_us: int, *, repeat: bool, about: dict[str, Any]) -> bytes:
    """The whole file.

    Args:
        rows: The servos.
        told: Quarter microseconds, shape [frame, servo].
        period_us: From frame to frame.
        repeat: Whether it is played again and again.
        about: What it is and what made it.
    """
    frames = told.astype("<u2").tobytes()
    servos = b"".join(
        _SERVO.pack(
            row.channel, row.neutral, row.lowest, row.highest, row.step, row.start_step, _short(row.name).encode()
        )
        for row in rows
    )
    words = json.dumps(about).encode()
    begins = -(-(_HEAD.size + len(servos) + len(words) + 1) // 32) * 32
    if begins > 0xFFFF:
        raise OptionError(f"What is said about the clip takes {len(words)} bytes; at most 60000 go into the file.")
    head = _HEAD.pack(_MAGIC, begins, len(rows), len(told), period_us, zlib.crc32(frames), int(repeat))
    return (head + servos + words).ljust(begins, b"\0") + frames


def _short(name: str) -> str:
    """As much of a name as 20 bytes hold, whole letters only."""
    return name.encode()[:20].decode(errors="ignore")


@dataclass(frozen=True)
class CardFile:
    """What such a file holds.

    Attributes:
        rows: The servos.
        told: Quarter microseconds, shape [frame, servo].
        period_us: From frame to frame.
        repeat: Whether it is played again and again.
        about: What it is and what made it.
    """

    rows: list[ServoRow]
    told: np.ndarray
    period_us: int
    repeat: bool
    about: dict[str, Any]


def read_card(content: bytes) -> CardFile:
    """Reads such a file.

    Raises:
        OptionError: It is not one, or not whole.
    """
    if len(content) < _HEAD.size or content[: len(_MAGIC)] != _MAGIC:
        raise OptionError("This is no clip for SD cards: it does not begin with ANIMATO1.")
    _, begins, servos, frames, period, check, repeat = _HEAD.unpack_from(content)
    body = content[begins:]
    if len(body) != 2 * servos * frames or zlib.crc32(body) != check:
        raise OptionError("This clip for SD cards is not whole; copy it again.")
    rows = []
    for number in range(servos):
        channel, *values, name = _SERVO.unpack_from(content, _HEAD.size + number * _SERVO.size)
        rows.append(ServoRow(name.rstrip(b"\0").decode(), channel, *values))
    words = content[_HEAD.size + servos * _SERVO.size : begins].rstrip(b"\0")
    told = np.frombuffer(body, dtype="<u2").reshape(frames, servos).astype(np.int64)
    return CardFile(rows, told, period, bool(repeat), json.loads(words))
