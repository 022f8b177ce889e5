"""Packets as the vendor's manual prints them, and streams of bytes that are none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from animato.stage.lines.dynamixel import Instruction, Packet, PacketReader, packet_bytes
from animato.stage.lines.dynamixel.packets import read_bytes, sync_read_bytes, sync_write_bytes, write_bytes

# Examples of the e-manual's page on protocol 2.0.
_PUBLISHED = {
    "ping": ("FF FF FD 00 01 03 00 01 19 4E", packet_bytes(1, Instruction.PING)),
    "ping answered": (
        "FF FF FD 00 01 07 00 55 00 06 04 26 65 5D",
        packet_bytes(1, Instruction.STATUS, bytes((0, 6, 4, 0x26))),
    ),
    "read": ("FF FF FD 00 01 07 00 02 84 00 04 00 1D 15", read_bytes(1, 132, 4)),
    "read answered": (
        "FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0",
        packet_bytes(1, Instruction.STATUS, bytes((0, 0xA6, 0, 0, 0))),
    ),
    "write": ("FF FF FD 00 01 09 00 03 74 00 00 02 00 00 CA 89", write_bytes(1, 116, bytes((0, 2, 0, 0)))),
    "action": ("FF FF FD 00 01 03 00 05 02 CE", packet_bytes(1, Instruction.ACTION)),
    "reboot": ("FF FF FD 00 01 03 00 08 2F 4E", packet_bytes(1, Instruction.REBOOT)),
    "sync read": ("FF FF FD 00 FE 09 00 82 84 00 04 00 01 02 CE FA", sync_read_bytes([1, 2], 132, 4)),
    "sync write": (
        "FF FF FD 00 FE 11 00 83 74 00 04 00 01 96 00 00 00 02 AA 00 00 00 82 87",
        sync_write_bytes({1: bytes((0x96, 0, 0, 0)), 2: bytes((0xAA, 0, 0, 0))}, 116),
    ),
}


@pytest.mark.parametrize("name", _PUBLISHED)
def test_packets_are_those_of_the_manual(name: str) -> None:
    published, made = _PUBLISHED[name]
    assert made.hex(" ").upper() == published


def test_a_header_inside_is_stuffed() -> None:
    made = write_bytes(1, 116, b"\xff\xff\xfd\x00")
    assert b"\xff\xff\xfd\xfd\x00" in made[7:]
    assert int.from_bytes(made[5:7], "little") == 3 + 2 + 4 + 1
    assert PacketReader().feed(made) == [Packet(1, Instruction.WRITE, b"\x74\x00\xff\xff\xfd\x00")]


def test_sync_write_of_twelve_is_74_bytes() -> None:
    assert len(sync_write_bytes({id: bytes(4) for id in range(1, 13)}, 116)) == 74


@given(st.integers(0, 253), st.binary(max_size=60), st.binary(max_size=20), st.integers(1, 9))
def test_packets_are_found_in_any_pieces_after_any_rubbish(
    id: int, parameters: bytes, rubbish: bytes, step: int
) -> None:
    packet = packet_bytes(id, Instruction.STATUS, parameters)
    stream = rubbish.replace(b"\xff\xff\xfd\x00", b"") + packet + packet_bytes(1, Instruction.PING)
    reader, found = PacketReader(), []
    for start in range(0, len(stream), step):
        found += reader.feed(stream[start : start + step])
    assert found[-2:] == [Packet(id, Instruction.STATUS, parameters), Packet(1, Instruction.PING, b"")]


@given(st.binary(max_size=40), st.data())
def test_one_wrong_byte_is_never_another_packet(parameters: bytes, data: st.DataObject) -> None:
    packet = bytearray(packet_bytes(3, Instruction.STATUS, parameters))
    at = data.draw(st.integers(0, len(packet) - 1))
    packet[at] ^= data.draw(st.integers(1, 255))
    assert all(one == Packet(3, Instruction.STATUS, parameters) for one in PacketReader().feed(bytes(packet)))


@settings(max_examples=300)
@given(st.lists(st.one_of(st.binary(max_size=30), st.just(b"\xff\xff\xfd\x00")), max_size=12))
def test_rubbish_never_raises_and_is_forgotten(pieces: list[bytes]) -> None:
    reader = PacketReader()
    for piece in pieces:
        reader.feed(piece)
    for _ in range(3):  # what looked like a beginning is thrown away by the next packet's header
        found = reader.feed(packet_bytes(7, Instruction.PING))
    assert found == [Packet(7, Instruction.PING, b"")]
