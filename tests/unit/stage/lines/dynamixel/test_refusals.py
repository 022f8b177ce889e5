"""What a line of Dynamixel servos refuses, and what it never does: raise anything but a `LineError`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from animato.character import Bus
from animato.stage.emulated import DynamixelEmulator
from animato.stage.lines import LineError, Register, Slot, open_line
from animato.stage.lines.dynamixel import DynamixelLine, registers

SlotMaker = Callable[..., Slot]
BusMaker = Callable[..., Bus]


@pytest.fixture
def emulated() -> Iterator[DynamixelEmulator]:
    with DynamixelEmulator((1, 2)) as made:
        yield made


@pytest.fixture
def line(emulated: DynamixelEmulator, bus_at: BusMaker) -> Iterator[DynamixelLine]:
    made = open_line(bus_at(emulated.port, rate_hz=2.0))  # a patient watchdog: a busy machine may sleep for 0.1 s
    assert isinstance(made, DynamixelLine)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("register", "value", "message"),
    [
        (registers.MODEL_NUMBER, 12, "model 12, which is not known"),
        (registers.DRIVE_MODE, 1, "set to reverse in the servo.*says not reverse"),
        (registers.HARDWARE_ERROR, 0x20, "overloaded for too long.*reboot"),
        (registers.HOMING_OFFSET, 3000, "stands at 5048.*homing offset of 3000"),
        (registers.MIN_POSITION, 1500, "limits of its own, 1500 to 4095.*`lowest` and `highest`"),
    ],
)
def test_a_servo_that_is_not_as_the_map_says(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker, register: Register, value: int, message: str
) -> None:
    emulated.servos[1].set(register, value)
    with pytest.raises(LineError, match=message):
        line.prepare([slot(1)])


def test_limits_that_the_map_states_are_set(line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker) -> None:
    emulated.servos[1].set(registers.MIN_POSITION, 1500)
    line.prepare([slot(1, 500.0, 3500.0, wire_lowest=500.0, wire_highest=3500.0)])
    assert emulated.servos[1].get(registers.MIN_POSITION) == 500


def test_a_range_of_more_than_a_turn(line: DynamixelLine, slot: SlotMaker) -> None:
    with pytest.raises(LineError, match="-200 to 4095; in position mode it takes 0 to 4095"):
        line.prepare([slot(1, -200.0)])


def test_a_limit_of_current_that_cannot_be_held(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker
) -> None:
    emulated.servos[1].set(registers.MODEL_NUMBER, 1060)
    with pytest.raises(LineError, match=r"XL430-W250, which measures no current.*0\.5 A"):
        line.prepare([slot(1, current=0.5)])


def test_a_servo_that_holds_is_not_let_go_to_change_it(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker
) -> None:
    emulated.servos[1].set(registers.TORQUE_ENABLE, 1)
    emulated.bodies[1].torque = True
    notes = line.prepare([slot(1, 1000.0)])
    assert any("keeps its own limits of 0 to 4095 as it holds" in note for note in notes)
    emulated.servos[1].set(registers.OPERATING_MODE, 4)
    with pytest.raises(LineError, match=r"holds with torque.*extended position to position.*Support the robot"):
        line.prepare([slot(1)])
    assert emulated.bodies[1].torque


def test_drive_modes_that_would_surprise_are_put_off(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker
) -> None:
    emulated.servos[1].set(registers.DRIVE_MODE, 0x0C)
    notes = line.prepare([slot(1)])
    assert emulated.servos[1].get(registers.DRIVE_MODE) == 0
    assert any("drive mode set from 12 to 0" in note for note in notes)


def test_a_servo_that_answers_pings_only_is_told_to_answer(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    emulated.servos[2].set(registers.STATUS_RETURN_LEVEL, 0)
    silent = emulated._chain

    def chain(wanted: list[tuple[int, int, int]], fast: bool = False) -> list[tuple[int, bytes]]:
        level = emulated.servos[2].get(registers.STATUS_RETURN_LEVEL)
        return silent([one for one in wanted if one[0] != 2 or level], fast)

    monkeypatch.setattr(emulated, "_chain", chain)
    notes = line.prepare([slot(1), slot(2)])
    assert any("answered to pings only" in note for note in notes)


def test_silence_names_the_servo_and_what_to_check(line: DynamixelLine, slot: SlotMaker) -> None:
    with pytest.raises(LineError, match=r"Servo 9 on bus 'arm' does not answer at 1000000 baud.*'baud'.*57600"):
        line.prepare([slot(1), slot(9)])


def test_silence_when_positions_are_read(line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker) -> None:
    line.prepare([slot(1), slot(2)])
    emulated.mute()
    with pytest.raises(LineError, match="Servos 1, 2"):
        line.positions()
    assert line.poll(0.004) == ()
    line.hold()  # whether it is heard or not


@pytest.mark.parametrize("call", ["send", "poll", "hold", "positions", "release", "enable", "find", "prepare"])
def test_a_pulled_cable_is_said_by_every_call(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker, call: str
) -> None:
    line.prepare([slot(1)])
    line.enable(line.positions())
    emulated.unplug()
    where = np.array([2048.0])
    arguments = {"send": (where, 0.0), "poll": (0.004,), "enable": (where,), "prepare": ([slot(1)],)}
    with pytest.raises(LineError, match=r"is gone.*cable"):
        getattr(line, call)(*arguments.get(call, ()))


def test_silence_names_all_who_are_silent(line: DynamixelLine, slot: SlotMaker) -> None:
    with pytest.raises(LineError, match=r"Servos 8, 9 on bus 'arm' do not answer"):
        line.prepare([slot(1), slot(8), slot(9)])


def test_a_port_that_is_not_there(bus_at: BusMaker) -> None:
    with pytest.raises(LineError, match=r"cannot be opened at 1000000 baud: there is no such port.*Ports here"):
        open_line(bus_at("/dev/nowhere"))


def test_a_port_that_somebody_has(line: DynamixelLine, emulated: DynamixelEmulator, bus_at: BusMaker) -> None:
    with pytest.raises(LineError, match="another program has it"):
        open_line(bus_at(emulated.port))


def test_a_reader_that_does_not_read(line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker) -> None:
    line.prepare([slot(1), slot(2)])
    emulated.slow(60.0)
    with pytest.raises(LineError, match="does not take what is written"):
        for _ in range(5000):
            line._talk.say(bytes(100))


def test_a_rate_that_the_baud_rate_does_not_carry(emulated: DynamixelEmulator, slot: SlotMaker) -> None:
    from animato.character import BusKind

    line = open_line(Bus("arm", BusKind.DYNAMIXEL, emulated.port, 9600, 100.0))
    with pytest.raises(LineError, match=r"2 servos at 9600 baud take 25\.0 ms a frame.*100 Hz"):
        line.prepare([slot(1), slot(2)])
    line.close()


@pytest.mark.parametrize("seed", range(4))
def test_noise_is_a_line_error_or_nothing(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker, seed: int
) -> None:
    slots = [slot(1), slot(2)]
    line.prepare(slots)
    emulated.noise(0.05 * (seed + 1), seed)
    for call in (lambda: line.prepare(slots), lambda: line.enable(np.full(2, 2048.0)), line.hold):
        with contextlib.suppress(LineError):
            call()
    for _ in range(10):
        with contextlib.suppress(LineError):
            line.poll(0.002)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rubbish=st.binary(max_size=120))
def test_random_answers_never_raise_in_a_poll(
    line: DynamixelLine, slot: SlotMaker, monkeypatch: pytest.MonkeyPatch, rubbish: bytes
) -> None:
    if not line._ids:
        line.prepare([slot(1), slot(2)])
    with monkeypatch.context() as patch:
        patch.setattr(line._link, "drain", lambda: rubbish)
        patch.setattr(line._link, "read", lambda: rubbish)
        for one in line.poll(0.0):
            assert one.id in (1, 2)
