"""Other people's programs against our emulated servos, and our packets against theirs."""

from __future__ import annotations

import contextlib
import math
import random
import time
from collections.abc import Iterator

import pytest

from animato.stage.emulated import DynamixelEmulator, FeetechEmulator
from animato.stage.lines.dynamixel import PacketReader, checksum, packet_bytes

IDS = (1, 2, 7)


def _settle(bus: DynamixelEmulator | FeetechEmulator, frames: int) -> None:
    deadline = time.monotonic() + 10.0
    while len(bus.frames) < frames and time.monotonic() < deadline:
        time.sleep(0.002)


@contextlib.contextmanager
def _vendor_port(path: str) -> Iterator[object]:
    sdk = pytest.importorskip("dynamixel_sdk")
    port = sdk.PortHandler(path)
    assert port.openPort()
    try:
        yield port
    finally:
        port.closePort()


def test_checksum_and_stuffing_are_the_vendors() -> None:
    sdk = pytest.importorskip("dynamixel_sdk")
    handler, dice = sdk.PacketHandler(2.0), random.Random(11)
    for _ in range(300):
        data = bytes(dice.choice((0xFF, 0xFD, 0x00, dice.randrange(256))) for _ in range(dice.randrange(1, 60)))
        assert checksum(data) == handler.updateCRC(0, data, len(data))
        plain = [0xFF, 0xFF, 0xFD, 0, 1, *(len(data) + 3).to_bytes(2, "little"), 3, *data, 0, 0]
        stuffed = bytes(handler.addStuffing(plain))
        ours = packet_bytes(1, 3, data)
        assert ours[:-2] == stuffed[: len(ours) - 2]
        assert PacketReader().feed(ours)[0].parameters == data


def test_the_vendors_client_reads_and_moves_emulated_servos() -> None:
    sdk = pytest.importorskip("dynamixel_sdk")
    with DynamixelEmulator(IDS) as bus, _vendor_port(bus.port) as port:
        handler = sdk.PacketHandler(2.0)
        assert handler.ping(port, 7) == (1020, 0, 0)
        assert handler.read4ByteTxRx(port, 2, 132) == (2048, 0, 0)
        for id in IDS:
            assert handler.write1ByteTxRx(port, id, 64, 1) == (0, 0)
        assert handler.write1ByteTxRx(port, 1, 11, 4) == (0, 7)
        writing = sdk.GroupSyncWrite(port, handler, 116, 4)
        for id in IDS:
            writing.addParam(id, list((2700).to_bytes(4, "little")))
        assert writing.txPacket() == 0
        _settle(bus, 1)
        assert bus.frames[-1][1] == dict.fromkeys(IDS, 2700.0)
        reading = sdk.GroupSyncRead(port, handler, 116, 4)
        for id in IDS:
            reading.addParam(id)
        assert reading.txRxPacket() == 0
        assert [reading.getData(id, 116, 4) for id in IDS] == [2700] * 3
        assert reading.fastSyncRead() == 0
        assert [reading.getData(id, 116, 4) for id in IDS] == [2700] * 3
        assert handler.reboot(port, 1) == (0, 0)


def test_rustypot_moves_emulated_dynamixel_servos() -> None:
    rustypot = pytest.importorskip("rustypot", reason="rustypot, a second client, is not installed")
    with DynamixelEmulator(IDS, model=1200) as bus:
        client = rustypot.Xl330PyController(serial_port=bus.port, baudrate=1_000_000, timeout=0.5)
        client.sync_write_torque_enable(list(IDS), [True] * 3)
        client.sync_write_raw_goal_position(list(IDS), [2700] * 3)
        _settle(bus, 1)
        assert bus.frames[-1][1] == dict.fromkeys(IDS, 2700.0)
        assert client.sync_read_raw_goal_position(list(IDS)) == [2700] * 3
        client.sync_write_goal_position(list(IDS), [1.0] * 3)
        _settle(bus, 2)
        assert bus.frames[-1][1][1] == math.floor(2048 + 4096 / math.tau)  # it cuts off where we round: 2699
        del client


def test_rustypot_moves_emulated_feetech_servos() -> None:
    rustypot = pytest.importorskip("rustypot", reason="rustypot, a second client, is not installed")
    with FeetechEmulator(IDS) as bus:
        client = rustypot.Sts3215PyController(serial_port=bus.port, baudrate=1_000_000, timeout=0.5)
        client.sync_write_raw_goal_position(list(IDS), [2700] * 3)
        _settle(bus, 1)
        assert bus.frames[-1][1] == dict.fromkeys(IDS, 2700.0)
        assert client.sync_read_raw_present_position(list(IDS)) == [2048] * 3
        del client
