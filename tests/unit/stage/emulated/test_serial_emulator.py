"""Emulated buses on ptys, in a thread and in a process of their own, with their faults."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import serial

from animato.stage.emulated import BottangoEmulator, DynamixelEmulator, EmulatorProcess, FeetechEmulator
from animato.stage.lines.dynamixel import Instruction, Packet, PacketReader, packet_bytes
from animato.stage.lines.dynamixel.packets import read_bytes, sync_read_bytes, sync_write_bytes, write_bytes


def _until(happened: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 10.0
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.002)
    return happened()


def _asked(port: serial.Serial, question: bytes, answers: int = 1, patience_s: float = 10.0) -> list[Packet]:
    port.write(question)
    reader, found = PacketReader(), list[Packet]()
    deadline = time.monotonic() + patience_s
    while len(found) < answers and time.monotonic() < deadline:
        found += reader.feed(port.read(max(1, port.in_waiting)))
    return found


def _open(path: str) -> serial.Serial:
    return serial.Serial(path, 1_000_000, timeout=0.01)


def test_a_ping_to_everybody_is_answered_by_all() -> None:
    with DynamixelEmulator((1, 5)) as bus, _open(bus.port) as port:
        found = _asked(port, packet_bytes(254, Instruction.PING), 2)
        assert [(one.id, one.data) for one in found] == [(1, bytes((0xFC, 3, 47))), (5, bytes((0xFC, 3, 47)))]


def test_a_stuffed_write_is_unstuffed_and_read_back_stuffed() -> None:
    with DynamixelEmulator((1,)) as bus, _open(bus.port) as port:
        data = b"\xff\xff\xfd\x00\xff\xff\xfd\xfd"
        assert _asked(port, write_bytes(1, 168, data))[0].error == 0
        port.write(read_bytes(1, 168, 8))
        raw = b""
        deadline = time.monotonic() + 10.0
        while len(raw) < 11 + 8 + 2 and time.monotonic() < deadline:
            raw += port.read(100)
        assert raw[9:-2] == b"\xff\xff\xfd\xfd\x00\xff\xff\xfd\xfd\xfd"
        assert PacketReader().feed(raw)[0].data == data


def test_registered_writes_wait_for_the_action() -> None:
    with DynamixelEmulator((1,)) as bus, _open(bus.port) as port:
        later = packet_bytes(1, Instruction.REG_WRITE, bytes((116, 0)) + (2100).to_bytes(4, "little"))
        assert _asked(port, later)[0].error == 0
        assert bus.frames == []
        _asked(port, packet_bytes(1, Instruction.ACTION))
        assert bus.frames[0][1] == {1: 2100.0}


def test_errors_have_the_numbers_of_the_manual() -> None:
    with DynamixelEmulator((1,)) as bus, _open(bus.port) as port:
        assert _asked(port, write_bytes(1, 64, b"\x01"))[0].error == 0
        assert _asked(port, write_bytes(1, 11, b"\x04"))[0].error == 7
        assert _asked(port, write_bytes(1, 116, (5000).to_bytes(4, "little")))[0].error == 6
        assert _asked(port, packet_bytes(1, 0x77))[0].error == 2
        bus.overheat(1)
        assert _asked(port, read_bytes(1, 70, 1))[0].parameters == b"\x80\x04"
        assert _asked(port, packet_bytes(1, Instruction.REBOOT))[0].error == 0
        assert _asked(port, read_bytes(1, 70, 1))[0].parameters == b"\x00\x00"


def test_a_silent_servo_ends_the_chain() -> None:
    with DynamixelEmulator((1, 2, 3)) as bus, _open(bus.port) as port:
        assert [one.id for one in _asked(port, sync_read_bytes([1, 2, 3], 132, 4), 3)] == [1, 2, 3]
        bus.mute([2])
        assert [one.id for one in _asked(port, sync_read_bytes([1, 2, 3], 132, 4), 3, 0.2)] == [1]


def test_a_slow_reader_keeps_its_watchdog() -> None:
    with DynamixelEmulator((1,)) as bus, _open(bus.port) as port:
        _asked(port, write_bytes(1, 64, b"\x01"))
        _asked(port, write_bytes(1, 98, b"\x05"))
        bus.slow(60.0)
        heard = bus.heard
        port.write(sync_write_bytes({1: (2300).to_bytes(4, "little")}, 116))
        assert _until(lambda: bus.servos[1].tripped is not None)
        assert bus.heard == heard


def test_unplugged_the_port_is_gone_and_servos_live_on() -> None:
    with DynamixelEmulator((1,)) as bus:
        port = _open(bus.port)
        _asked(port, write_bytes(1, 64, b"\x01"))
        _asked(port, write_bytes(1, 98, b"\x05"))
        bus.unplug()
        with pytest.raises(OSError, match=r"."):
            os.write(port.fileno(), b"x")
        assert _until(lambda: bus.servos[1].tripped is not None)
        port.close()


def test_garbled_goals_are_lost_and_never_wrong() -> None:
    with DynamixelEmulator((1, 2)) as bus, _open(bus.port) as port:
        bus.garble(0.02, seed=5)
        told = [2048 + step for step in range(150)]
        for goal in told:
            port.write(sync_write_bytes({id: goal.to_bytes(4, "little") for id in (1, 2)}, 116))
        size = len(sync_write_bytes({id: bytes(4) for id in (1, 2)}, 116))
        assert _until(lambda: bus.heard == size * len(told))
        arrived = [goals[1] for _, goals in bus.frames]
        assert 10 < len(arrived) < len(told)
        assert arrived == sorted(set(arrived))
        assert set(arrived) <= {float(goal) for goal in told}


@pytest.mark.parametrize("kind", ["dynamixel", "feetech"])
def test_a_process_of_its_own_does_and_says_the_same(kind: str) -> None:
    with EmulatorProcess(kind, (1, 2), positions={2: 1000.0}) as bus:
        assert Path(bus.port).exists()
        with _open(bus.port) as port:
            if kind == "dynamixel":
                port.write(sync_write_bytes({1: (2100).to_bytes(4, "little"), 2: (1100).to_bytes(4, "little")}, 116))
            else:
                from animato.stage.lines.feetech.packets import sync_write_bytes as feetech_bytes

                port.write(feetech_bytes({1: (2100).to_bytes(2, "little"), 2: (1100).to_bytes(2, "little")}, 42))
            assert _until(lambda: len(bus.frames) == 1)
        assert bus.frames[0][1] == {1: 2100.0, 2: 1100.0}
        assert bus.shafts()[2][0][1] == 1000.0
        bus.mute()
        bus.mute([1])
        bus.noise(0.1, 3)
        bus.garble(0.0)
        bus.slow(0.0)
        bus.overheat(1)
        bus.overload(2)
        bus.slip(2, 30.0)
        assert bus.shafts()[2][-1][1] == 1030.0
        bus.unplug()
    bus.stop()


def test_feetech_servos_answer_one_after_the_other() -> None:
    from animato.stage.lines.feetech import Packet as FeetechPacket
    from animato.stage.lines.feetech import PacketReader as FeetechReader
    from animato.stage.lines.feetech.packets import sync_read_bytes as feetech_sync

    with FeetechEmulator((1, 2, 3)) as bus, _open(bus.port) as port:
        bus.mute([2])
        port.write(feetech_sync([1, 2, 3], 56, 2))
        reader, found = FeetechReader(), list[FeetechPacket]()
        deadline = time.monotonic() + 10.0
        while len(found) < 2 and time.monotonic() < deadline:
            found += reader.feed(port.read(max(1, port.in_waiting)))
        assert [(one.id, one.parameters) for one in found] == [(1, b"\x00\x08"), (3, b"\x00\x08")]


def test_a_connection_that_was_closed_is_not_read_without_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0
    look = BottangoEmulator._look

    def counted(emulator: BottangoEmulator) -> None:
        nonlocal looks
        looks += 1
        look(emulator)

    monkeypatch.setattr(BottangoEmulator, "_look", counted)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with BottangoEmulator(range(2), address=address):
            caller, _ = server.accept()
            caller.close()
            time.sleep(0.1)
            before = looks
            time.sleep(0.3)
            assert looks - before < 1000  # without a pause it would be tens of thousands, and nobody else would work
