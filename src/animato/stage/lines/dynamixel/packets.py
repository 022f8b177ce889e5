"""Packets of Dynamixel protocol 2.0: header, stuffing, checksum; as bytes, without a port."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

EVERYBODY = 254
"""The id that all servos listen to."""

ALERT = 0x80
"""The bit of a status packet's error that says: ask for the hardware error status."""

_HEADER = b"\xff\xff\xfd\x00"
_STUFFED, _PLAIN = b"\xff\xff\xfd\xfd", b"\xff\xff\xfd"
_MOST_LENGTH = 1024
"""A packet that says it is longer than this lies; the vendor's own programs draw the line here as well."""


class Instruction(IntEnum):
    """What a packet asks for."""

    PING = 0x01
    READ = 0x02
    WRITE = 0x03
    REG_WRITE = 0x04
    ACTION = 0x05
    FACTORY_RESET = 0x06
    REBOOT = 0x08
    CLEAR = 0x10
    STATUS = 0x55
    SYNC_READ = 0x82
    SYNC_WRITE = 0x83
    FAST_SYNC_READ = 0x8A
    BULK_READ = 0x92
    BULK_WRITE = 0x93


@dataclass(frozen=True)
class Packet:
    """One packet, without stuffing.

    Attributes:
        id: To whom, or from whom in a status packet.
        instruction: A number; not all of those that arrive are known.
        parameters: What follows. In a status packet the first byte is the error.
    """

    id: int
    instruction: int
    parameters: bytes

    @property
    def error(self) -> int:
        """Of a status packet."""
        return self.parameters[0] if self.parameters else 0

    @property
    def data(self) -> bytes:
        """Of a status packet: what follows the error."""
        return self.parameters[1:]


def checksum(data: bytes, start: int = 0) -> int:
    """CRC-16 with the polynomial 0x8005, from the most significant bit, as the protocol has it."""
    crc = start
    for byte in data:
        crc = ((crc << 8) & 0xFFFF) ^ _CRC[(crc >> 8) ^ byte]
    return crc


def packet_bytes(id: int, instruction: int, parameters: bytes = b"") -> bytes:
    """A packet as it goes over the wire, stuffed and with its checksum."""
    body = bytes((instruction,)) + parameters
    body = body.replace(_PLAIN, _STUFFED)
    head = _HEADER + bytes((id,)) + (len(body) + 2).to_bytes(2, "little") + body
    return head + checksum(head).to_bytes(2, "little")


def read_bytes(id: int, address: int, length: int) -> bytes:
    """Asks one servo for registers."""
    parameters = address.to_bytes(2, "little") + length.to_bytes(2, "little")
    return packet_bytes(id, Instruction.READ, parameters)


def write_bytes(id: int, address: int, data: bytes) -> bytes:
    """Writes registers of one servo."""
    return packet_bytes(id, Instruction.WRITE, address.to_bytes(2, "little") + data)


def sync_read_bytes(ids: Sequence[int], address: int, length: int) -> bytes:
    """Asks several servos for the same registers; they answer one after the other."""
    parameters = address.to_bytes(2, "little") + length.to_bytes(2, "little") + bytes(ids)
    return packet_bytes(EVERYBODY, Instruction.SYNC_READ, parameters)


def sync_write_bytes(data: Mapping[int, bytes], address: int) -> bytes:
    """Writes the same registers of several servos at once; none answers."""
    length = len(next(iter(data.values())))
    parameters = address.to_bytes(2, "little") + length.to_bytes(2, "little")
    return packet_bytes(
        EVERYBODY, Instruction.SYNC_WRITE, parameters + b"".join(bytes((id,)) + one for id, one in data.items())
    )


class PacketReader:
    """Finds packets in a stream of bytes and forgets what is none.

    Attributes:
        broken: How many beginnings of a packet were thrown away.
    """

    def __init__(self) -> None:
        self.broken = 0
        self._left = b""

    def feed(self, data: bytes) -> list[Packet]:
        """Takes what arrived and returns the packets that are complete and whose checksum is right."""
        self._left += data
        found: list[Packet] = []
        while True:
            start = self._left.find(_HEADER)
            if start < 0:
                self._left = self._left[-3:]  # may be the beginning of a header
                return found
            self._left = self._left[start:]
            taken = self._take()
            if taken is None:
                return found
            size, packet = taken
            self._left = self._left[size:]
            if packet is None:
                self.broken += 1
            else:
                found.append(packet)

    def clear(self) -> None:
        """Forgets the beginning of a packet."""
        self._left = b""

    def _take(self) -> tuple[int, Packet | None] | None:
        """The packet at the beginning: its size, and itself where it is good; None while more must come."""
        buffer = self._left
        if len(buffer) < 7:
            return None
        length = int.from_bytes(buffer[5:7], "little")
        if not 3 <= length <= _MOST_LENGTH:
            return len(_HEADER), None
        size = 7 + length
        if buffer.find(_HEADER, len(_HEADER), size) > 0:  # stuffing forbids this inside a packet: it was cut short
            return len(_HEADER), None
        if len(buffer) < size:
            return None
        if checksum(buffer[: size - 2]) != int.from_bytes(buffer[size - 2 : size], "little"):
            return len(_HEADER), None
        body = buffer[7 : size - 2].replace(_STUFFED, _PLAIN)
        return size, Packet(buffer[4], body[0], body[1:])


def _table() -> tuple[int, ...]:
    entries = []
    for byte in range(256):
        crc = byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x8005) & 0xFFFF if crc & 0x8000 else crc << 1
        entries.append(crc)
    return tuple(entries)


_CRC = _table()
