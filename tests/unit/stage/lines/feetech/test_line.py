"""A line of Feetech servos against emulated ones."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from animato.character import Bus, BusKind
from animato.stage.emulated import FeetechEmulator
from animato.stage.lines import LineError, Register, Slot, open_line
from animato.stage.lines.feetech import FeetechLine, registers

IDS = (1, 2, 3, 4)
SlotMaker = Callable[..., Slot]
BusMaker = Callable[..., Bus]


@pytest.fixture
def emulated() -> Iterator[FeetechEmulator]:
    with FeetechEmulator(IDS) as made:
        yield made


@pytest.fixture
def line(emulated: FeetechEmulator, bus_at: BusMaker) -> Iterator[FeetechLine]:
    made = open_line(bus_at(emulated.port, BusKind.FEETECH))
    assert isinstance(made, FeetechLine)
    yield made
    made.close()


def _until(happened: Callable[[], bool]) -> bool:
    """Waits for something that will happen; how long that takes on a busy machine is not the question."""
    deadline = time.monotonic() + 10.0
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.002)
    return happened()


def test_one_radian_is_2700_at_no_more_than_its_speed(
    line: FeetechLine, emulated: FeetechEmulator, slot: SlotMaker
) -> None:
    slots = [slot(id, speed=1500.2) for id in IDS]
    line.prepare(slots)
    line.enable(line.positions())
    line.send(np.array([one.scale.told(1.0) for one in slots]), 0.0)
    assert _until(lambda: emulated.frames[-1][1] == dict.fromkeys(IDS, 2700.0))
    assert emulated.servos[4].get(registers.GOAL_SPEED) == 1501
    assert _until(lambda: emulated.servos[4].present == 2700)
    steps = np.diff(np.array(emulated.shafts()[4]), axis=0)
    moving = steps[:, 0] > 0.0
    assert np.max(steps[moving, 1] / steps[moving, 0]) <= 1501.0 * (1.0 + 1e-6)


def test_prepare_sets_limits_for_good_and_says_so(
    line: FeetechLine, emulated: FeetechEmulator, slot: SlotMaker
) -> None:
    notes = line.prepare([slot(1, 1000.4, 3000.2)])
    servo = emulated.servos[1]
    assert registers.MIN_POSITION.decode(servo.kept) == 1000
    assert registers.MAX_POSITION.decode(servo.kept) == 3000
    assert servo.get(registers.LOCK) == 1
    assert any("most position set from 4095 to 3000" in note for note in notes)
    assert any("wrong voltage" in note for note in notes)


def test_overflow_is_put_off(line: FeetechLine, emulated: FeetechEmulator, slot: SlotMaker) -> None:
    emulated.servos[1].set(registers.PHASE, 12 | registers.MULTI_TURN)
    emulated.bodies[1].position = 4096.0 + 2000.0
    notes = line.prepare([slot(1)])
    assert emulated.servos[1].get(registers.PHASE) == 12
    assert any("positions overflowed" in note for note in notes)
    assert line.positions() == [2000.0]


def test_a_servo_that_does_not_answer_to_writes_is_prepared_all_the_same(
    line: FeetechLine, emulated: FeetechEmulator, slot: SlotMaker
) -> None:
    emulated.servos[1].set(registers.STATUS_LEVEL, 0)
    line.prepare([slot(1, 1000.0)])
    assert emulated.servos[1].get(registers.MIN_POSITION) == 1000


def test_a_limit_of_current_is_set(line: FeetechLine, emulated: FeetechEmulator, slot: SlotMaker) -> None:
    emulated.servos[1].set(registers.UNLOAD, 0x24)
    line.prepare([slot(1, current=0.65)])
    assert emulated.servos[1].get(registers.PROTECTION_CURRENT) == 100
    assert emulated.servos[1].get(registers.UNLOAD) == 0x2C


@pytest.mark.parametrize(
    ("register", "value", "message"),
    [
        (registers.MODEL_NUMBER, 1284, "model 1284, which is no Feetech STS"),
        (registers.STATUS, 0x20, "overloaded for too long.*power off"),
        (registers.MIN_POSITION, 1500, "limits of its own, 1500 to 4095"),
    ],
)
def test_a_servo_that_is_not_as_the_map_says(
    line: FeetechLine, emulated: FeetechEmulator, slot: SlotMaker, register: Register, value: int, message: str
) -> None:
    emulated.servos[1].set(register, value)
    with pytest.raises(LineError, match=message):
        line.prepare([slot(1)])


def test_reverse_is_not_a_setting_of_these_servos(line: FeetechLine, slot: SlotMaker) -> None:
    with pytest.raises(LineError, match="Say sign: -1"):
        line.prepare([slot(1, reverse=True)])


def test_a_range_of_more_than_a_turn(line: FeetechLine, slot: SlotMaker) -> None:
    with pytest.raises(LineError, match="-200 to 4095; in position mode"):
        line.prepare([slot(1, -200.0)])


def test_a_servo_that_holds_is_not_changed(line: FeetechLine, emulated: FeetechEmulator, slot: SlotMaker) -> None:
    emulated.servos[1].set(registers.TORQUE_ENABLE, 1)
    line.prepare([slot(1, 1000.0)])
    assert emulated.servos[1].get(registers.MIN_POSITION) == 0
    emulated.servos[1].set(registers.OPERATING_MODE, 1)
    with pytest.raises(LineError, match="holds with torque"):
        line.prepare([slot(1)])


def test_poll_hears_temperature_current_and_faults(
    line: FeetechLine, emulated: FeetechEmulator, slot: SlotMaker
) -> None:
    line.prepare([slot(id) for id in IDS])
    line.enable(line.positions())
    emulated.overheat(2, 75.0)
    heard = {}

    def all_heard() -> bool:
        heard.update({one.id: one for one in line.poll(0.01)})
        return set(heard) == set(IDS)

    assert _until(all_heard)
    assert (heard[1].temperature, heard[1].voltage, heard[1].fault) == (34.0, 7.4, "")
    assert heard[1].current == pytest.approx(0.02, abs=6.5e-3)
    assert heard[2].temperature == 75.0
    assert "too hot" in heard[2].fault


def test_hold_stops_where_it_is(line: FeetechLine, emulated: FeetechEmulator, slot: SlotMaker) -> None:
    line.prepare([slot(1, speed=200.0)])
    line.enable(line.positions())
    line.send(np.array([3000.0]), 0.0)
    line.hold()
    assert _until(lambda: emulated.frames[-1][1][1] < 2900.0)
    assert emulated.bodies[1].torque
    line.release()
    assert not emulated.bodies[1].torque


def test_find_says_what_is_there(line: FeetechLine, emulated: FeetechEmulator) -> None:
    emulated.servos[2].set(registers.PHASE, 28)
    found = line.find([1, 2, 9])
    assert [one.id for one in found] == [1, 2]
    assert found[0].model == "STS3215"
    assert "counts whole turns: positions overflow" in found[1].notes


@pytest.mark.parametrize("call", ["send", "poll", "hold", "positions", "release", "enable", "find", "prepare"])
def test_a_pulled_cable_is_said_by_every_call(
    line: FeetechLine, emulated: FeetechEmulator, slot: SlotMaker, call: str
) -> None:
    line.prepare([slot(1)])
    line.enable(line.positions())
    emulated.unplug()
    where = np.array([2048.0])
    arguments = {"send": (where, 0.0), "poll": (0.004,), "enable": (where,), "prepare": ([slot(1)],)}
    with pytest.raises(LineError, match=r"is gone.*cable"):
        getattr(line, call)(*arguments.get(call, ()))


def test_silence_names_the_servo(line: FeetechLine, slot: SlotMaker) -> None:
    with pytest.raises(LineError, match=r"Servo 9 on bus 'arm' does not answer"):
        line.prepare([slot(1), slot(9)])


@pytest.mark.parametrize("seed", range(3))
def test_noise_is_a_line_error_or_nothing(
    line: FeetechLine, emulated: FeetechEmulator, slot: SlotMaker, seed: int
) -> None:
    slots = [slot(1), slot(2)]
    line.prepare(slots)
    emulated.noise(0.05 * (seed + 1), seed)
    for call in (lambda: line.prepare(slots), lambda: line.enable(np.full(2, 2048.0)), line.hold):
        with contextlib.suppress(LineError):
            call()


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rubbish=st.binary(max_size=120))
def test_random_answers_never_raise_in_a_poll(
    line: FeetechLine, slot: SlotMaker, monkeypatch: pytest.MonkeyPatch, rubbish: bytes
) -> None:
    if not line._ids:
        line.prepare([slot(1), slot(2)])
    with monkeypatch.context() as patch:
        patch.setattr(line._link, "drain", lambda: rubbish)
        patch.setattr(line._link, "read", lambda: rubbish)
        for one in line.poll(0.0):
            assert one.id in (1, 2)
