"""Feetech STS servos: packets, registers, and the bus as a line."""

from animato.stage.lines.feetech import registers
from animato.stage.lines.feetech.dialect import STS, AnswerHearing
from animato.stage.lines.feetech.line import FeetechLine
from animato.stage.lines.feetech.packets import EVERYBODY, Instruction, Packet, PacketReader, packet_bytes

__all__ = [
    "EVERYBODY",
    "STS",
    "AnswerHearing",
    "FeetechLine",
    "Instruction",
    "Packet",
    "PacketReader",
    "packet_bytes",
    "registers",
]
