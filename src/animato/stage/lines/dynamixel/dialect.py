"""How a conversation goes in protocol 2.0."""

from __future__ import annotations

import time

from animato.stage.lines.contract import Answer, Conversation, Dialect
from animato.stage.lines.dynamixel.packets import (
    ALERT,
    EVERYBODY,
    Instruction,
    PacketReader,
    packet_bytes,
    read_bytes,
    sync_read_bytes,
    sync_write_bytes,
    write_bytes,
)

_PING_ALL_S = 0.8
"""Servos answer a ping to everybody one after the other, 3 ms apart, by their ids [s]."""

_REFUSALS = {
    1: "it could not do it; after a hardware error a servo does nothing until it is rebooted",
    2: "it does not know the instruction",
    3: "the checksum was wrong",
    4: "the value is out of range, or its bus watchdog has tripped",
    5: "the value is too short or too long",
    6: "the value is beyond a limit that is set in the servo",
    7: "the register cannot be written, or not while torque is on",
}


def _refusal(error: int) -> str:
    number = error & ~ALERT
    return _REFUSALS.get(number, f"error {number}") if number else ""


PROTOCOL_2 = Dialect(
    ping=lambda id: packet_bytes(id, Instruction.PING),
    read=read_bytes,
    write=write_bytes,
    sync_read=sync_read_bytes,
    sync_write=sync_write_bytes,
    ping_length=3,
    frame=11,
    refusal=_refusal,
    usual_baud=57_600,
)


class StatusHearing:
    """Status packets in a stream of bytes; the echo of what was asked is none."""

    def __init__(self) -> None:
        self._reader = PacketReader()

    def feed(self, data: bytes) -> list[Answer]:
        """Takes what arrived and returns the status packets that are complete."""
        packets = self._reader.feed(data)
        return [Answer(one.id, one.error, one.data) for one in packets if one.instruction == Instruction.STATUS]

    def clear(self) -> None:
        """Forgets the beginning of a packet."""
        self._reader.clear()


def ping_everybody(talk: Conversation) -> list[Answer]:
    """The answers of all servos that are there, by their ids; takes most of a second."""
    talk.hush()
    talk.say(packet_bytes(EVERYBODY, Instruction.PING))
    until = time.monotonic() + _PING_ALL_S
    found: dict[int, Answer] = {}
    while time.monotonic() < until:
        found |= {one.id: one for one in talk.heard(wait=True) if len(one.data) == PROTOCOL_2.ping_length}
    return [found[id] for id in sorted(found)]
