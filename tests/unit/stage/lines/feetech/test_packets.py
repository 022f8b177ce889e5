"""Packets of STS servos as the maker's manual prints them, and streams of bytes that are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from animato.stage.lines.feetech import Instruction, Packet, PacketReader, packet_bytes, registers
from animato.stage.lines.feetech.packets import read_bytes, sync_read_bytes, sync_write_bytes, write_bytes

# Examples of the manual of the magnetic-encoder protocol.
_PUBLISHED = {
    "ping": ("FF FF 01 02 01 FB", packet_bytes(1, Instruction.PING)),
    "ping answered": ("FF FF 01 02 00 FC", packet_bytes(1, 0)),
    "read": ("FF FF 01 04 02 38 02 BE", read_bytes(1, 56, 2)),
    "read answered": ("FF FF 01 04 00 18 05 DD", packet_bytes(1, 0, bytes((0x18, 5)))),
    "write": (
        "FF FF 01 09 03 2A 00 08 00 00 E8 03 D5",
        write_bytes(1, 42, (2048).to_bytes(2, "little") + bytes(2) + (1000).to_bytes(2, "little")),
    ),
    "sync read": ("FF FF FE 06 82 38 08 01 02 36", sync_read_bytes([1, 2], 56, 8)),
}


@pytest.mark.parametrize("name", _PUBLISHED)
def test_packets_are_those_of_the_manual(name: str) -> None:
    published, made = _PUBLISHED[name]
    assert made.hex(" ").upper() == published


def test_sync_write_of_many_servos_goes_in_several_packets() -> None:
    made = sync_write_bytes({id: bytes(7) for id in range(1, 41)}, 41)
    packets = PacketReader().feed(made)
    assert [one.code for one in packets] == [Instruction.SYNC_WRITE] * 2
    told = [one.parameters[at] for one in packets for at in range(2, len(one.parameters), 8)]
    assert told == list(range(1, 41))


@pytest.mark.parametrize(("value", "bytes_"), [(0, "0000"), (5, "0500"), (-5, "0508"), (2047, "ff07"), (-2047, "ff0f")])
def test_the_homing_offset_has_its_sign_in_bit_11(value: int, bytes_: str) -> None:
    assert registers.HOMING_OFFSET.encode(value).hex() == bytes_
    assert registers.HOMING_OFFSET.decode(bytes(31) + bytes.fromhex(bytes_)) == value


def test_an_offset_beyond_its_bits_does_not_fit() -> None:
    with pytest.raises(OverflowError, match="2048"):
        registers.HOMING_OFFSET.encode(2048)


@given(st.integers(0, 253), st.integers(0, 254), st.binary(max_size=40), st.integers(1, 7))
def test_packets_are_found_in_any_pieces(id: int, code: int, parameters: bytes, step: int) -> None:
    stream = packet_bytes(id, code, parameters)
    reader, found = PacketReader(), []
    for start in range(0, len(stream), step):
        found += reader.feed(stream[start : start + step])
    assert found == [Packet(id, code, parameters)]


@given(st.binary(max_size=300))
def test_rubbish_never_raises_and_is_forgotten(rubbish: bytes) -> None:
    reader = PacketReader()
    found = reader.feed(rubbish)
    for _ in range(60):  # a false beginning may wait for 255 bytes
        found = reader.feed(packet_bytes(7, Instruction.PING))
    assert Packet(7, Instruction.PING, b"") in found
