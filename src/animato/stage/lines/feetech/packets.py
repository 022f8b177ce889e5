"""Packets of Feetech's STS servos: header, length, sum; as bytes, without a port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

EVERYBODY = 254
"""The id that all servos listen to."""

_HEADER = b"\xff\xff"
_MOST_PARAMETERS = 250


class Instruction(IntEnum):
    """What a packet asks for. An answer has its error in this place."""

    PING = 0x01
    READ = 0x02
    WRITE = 0x03
    REG_WRITE = 0x04
    ACTION = 0x05
    REBOOT = 0x08
    SYNC_READ = 0x82
    SYNC_WRITE = 0x83


@dataclass(frozen=True)
class Packet:
    """One packet.

    Attributes:
        id: To whom, or from whom in an answer.
        code: The instruction, or the error of an answer.
        parameters: What follows.
    """

    id: int
    code: int
    parameters: bytes


def packet_bytes(id: int, code: int, parameters: bytes = b"") -> bytes:
    """A packet as it goes over the wire, with its sum."""
    body = bytes((id, len(parameters) + 2, code)) + parameters
    return _HEADER + body + bytes((~sum(body) & 0xFF,))


def read_bytes(id: int, address: int, length: int) -> bytes:
    """Asks one servo for registers."""
    return packet_bytes(id, Instruction.READ, bytes((address, length)))


def write_bytes(id: int, address: int, data: bytes) -> bytes:
    """Writes registers of one servo."""
    return packet_bytes(id, Instruction.WRITE, bytes((address,)) + data)


def sync_read_bytes(ids: Sequence[int], address: int, length: int) -> bytes:
    """Asks several servos for the same registers; they answer one after the other."""
    return packet_bytes(EVERYBODY, Instruction.SYNC_READ, bytes((address, length)) + bytes(ids))


def sync_write_bytes(data: Mapping[int, bytes], address: int) -> bytes:
    """Writes the same registers of several servos at once; none answers.

    The length of a packet is one byte, so that many servos need several packets, one behind the other.
    """
    length = len(next(iter(data.values())))
    most = (_MOST_PARAMETERS - 2) // (length + 1)
    servos = list(data.items())
    packets = []
    for first in range(0, len(servos), most):
        whole = b"".join(bytes((id,)) + one for id, one in servos[first : first + most])
        packets.append(packet_bytes(EVERYBODY, Instruction.SYNC_WRITE, bytes((address, length)) + whole))
    return b"".join(packets)


class PacketReader:
    """Finds packets in a stream of bytes and forgets what is none.

    Nothing keeps the header out of a packet here, so after a broken one the search goes on at the next byte.

    Attributes:
        broken: How many beginnings of a packet were thrown away.
    """

    def __init__(self) -> None:
        self.broken = 0
        self._left = b""

    def feed(self, data: bytes) -> list[Packet]:
        """Takes what arrived and returns the packets that are complete and whose sum is right."""
        self._left += data
        found: list[Packet] = []
        while True:
            start = self._left.find(_HEADER)
            if start < 0:
                self._left = self._left[-1:] if self._left.endswith(b"\xff") else b""
                return found
            self._left = self._left[start:]
            if len(self._left) < 4:
                return found
            id, length = self._left[2], self._left[3]
            if id == 0xFF or length < 2:  # a third FF: the header begins one later
                self._left = self._left[1:]
                self.broken += id != 0xFF
                continue
            if len(self._left) < 4 + length:
                return found
            body, total = self._left[2 : 3 + length], self._left[3 + length]
            if ~sum(body) & 0xFF != total:
                self._left = self._left[1:]
                self.broken += 1
                continue
            found.append(Packet(id, body[2], body[3:]))
            self._left = self._left[4 + length :]

    def clear(self) -> None:
        """Forgets the beginning of a packet."""
        self._left = b""
