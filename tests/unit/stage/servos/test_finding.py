"""Looking for servos: 12 ids, two speeds, two languages."""

from __future__ import annotations

import termios

import pytest

from animato.character import BusKind
from animato.stage.emulated import DynamixelEmulator, FeetechEmulator, MaestroEmulator
from animato.stage.lines.dynamixel import registers
from animato.stage.servos import find_servos

SPEEDS = {57_600: termios.B57600, 1_000_000: termios.B1000000}


class TwoSpeeds(DynamixelEmulator):
    """Servos of which those above id 6 listen at 1 M baud and the others at 57,600, as a real line has it."""

    def _hear(self, data: bytes, now: float) -> list[tuple[int, bytes]]:
        fast = termios.tcgetattr(self._slave)[4] == SPEEDS[1_000_000]
        return [(id, answer) for id, answer in super()._hear(data, now) if (id > 6) == fast]


def test_twelve_servos_at_two_speeds() -> None:
    with TwoSpeeds(range(1, 13), positions={3: 100.0}) as bus:
        bus.overheat(2)
        found = find_servos([bus.port], "dynamixel", tuple(SPEEDS))
        assert [(one.baud, [servo.id for servo in one.servos]) for one in found] == [
            (57_600, [1, 2, 3, 4, 5, 6]),
            (1_000_000, [7, 8, 9, 10, 11, 12]),
        ]
        third = found[0].servos[2]
        assert (third.model, third.position, third.temperature) == ("XM430-W350", 100.0, 34.0)
        assert any("shut down: it is too hot" in note for note in found[0].notes())
        assert found[1].map_lines("arm")[:4] == [
            "buses:",
            f"  arm: {{kind: dynamixel, port: {bus.port}, baud: 1000000}}",
            "servos:",
            "  JOINT_7: {bus: arm, id: 7}",
        ]
        assert not any(servo.get(registers.TORQUE_ENABLE) for servo in bus.servos.values())
        assert not bus.frames


def test_the_language_is_found_too() -> None:
    with FeetechEmulator((2, 9)) as bus:
        found = find_servos([bus.port])
        assert [(one.kind, [servo.id for servo in one.servos]) for one in found] == [(BusKind.FEETECH, [2, 9])]


def test_a_maestro_tells_its_channels() -> None:
    with MaestroEmulator(range(6), positions={1: 1500.0}) as bus:
        found = find_servos([bus.port], "maestro")
        assert [(one.id, one.position) for one in found[0].servos][:2] == [(0, None), (1, 1500.0)]


@pytest.mark.parametrize("kind", ["dynamixel", "maestro"])
def test_nobody_there_is_said(kind: str) -> None:
    with DynamixelEmulator((1,)) as bus:
        bus.mute()
        found = find_servos([bus.port], kind)
        assert not found[0].servos
        assert "answer" in found[0].note


def test_a_port_that_is_not_there_is_said() -> None:
    found = find_servos(["/dev/not_there"], "feetech")
    assert not found[0].servos
    assert "cannot be opened" in found[0].note
