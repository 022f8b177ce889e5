"""Dynamixel X servos: packets, registers, and the bus as a line."""

from animato.stage.lines.dynamixel import registers
from animato.stage.lines.dynamixel.dialect import PROTOCOL_2, StatusHearing
from animato.stage.lines.dynamixel.line import DynamixelLine
from animato.stage.lines.dynamixel.models import MODELS, Model
from animato.stage.lines.dynamixel.packets import (
    ALERT,
    EVERYBODY,
    Instruction,
    Packet,
    PacketReader,
    checksum,
    packet_bytes,
)

__all__ = [
    "ALERT",
    "EVERYBODY",
    "MODELS",
    "PROTOCOL_2",
    "DynamixelLine",
    "Instruction",
    "Model",
    "Packet",
    "PacketReader",
    "StatusHearing",
    "checksum",
    "packet_bytes",
    "registers",
]
