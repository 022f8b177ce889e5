"""How a conversation goes with STS servos."""

from __future__ import annotations

from animato.stage.lines.contract import Answer, Dialect
from animato.stage.lines.feetech.packets import (
    Instruction,
    PacketReader,
    packet_bytes,
    read_bytes,
    sync_read_bytes,
    sync_write_bytes,
    write_bytes,
)

STS = Dialect(
    ping=lambda id: packet_bytes(id, Instruction.PING),
    read=read_bytes,
    write=write_bytes,
    sync_read=sync_read_bytes,
    sync_write=sync_write_bytes,
    ping_length=0,
    frame=6,
    refusal=lambda error: "",  # its error says how it is, not whether it did as it was told
    usual_baud=1_000_000,
)
"""Of Feetech's STS and SMS servos."""


class AnswerHearing:
    """Answers in a stream of bytes."""

    def __init__(self) -> None:
        self._reader = PacketReader()

    def feed(self, data: bytes) -> list[Answer]:
        """Takes what arrived and returns the answers that are complete."""
        return [Answer(one.id, one.code, one.parameters) for one in self._reader.feed(data)]

    def clear(self) -> None:
        """Forgets the beginning of a packet."""
        self._reader.clear()
