"""A line of Dynamixel servos against emulated ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from animato.character import Bus
from animato.stage.emulated import DynamixelEmulator
from animato.stage.lines import LineError, Slot, open_line
from animato.stage.lines.dynamixel import DynamixelLine, registers

IDS = (1, 2, 3, 4)
SlotMaker = Callable[..., Slot]
BusMaker = Callable[..., Bus]


@pytest.fixture
def emulated() -> Iterator[DynamixelEmulator]:
    with DynamixelEmulator(IDS) as made:
        yield made


@pytest.fixture
def line(emulated: DynamixelEmulator, bus_at: BusMaker) -> Iterator[DynamixelLine]:
    made = open_line(bus_at(emulated.port, rate_hz=2.0))  # a patient watchdog: a busy machine may sleep for 0.1 s
    assert isinstance(made, DynamixelLine)
    yield made
    made.close()


def _until(happened: Callable[[], bool]) -> bool:
    """Waits for something that will happen; how long that takes on a busy machine is not the question."""
    deadline = time.monotonic() + 10.0
    while not happened() and time.monotonic() < deadline:
        time.sleep(0.002)
    return happened()


def test_one_radian_is_2700(line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker) -> None:
    slots = [slot(id) for id in IDS]
    line.prepare(slots)
    line.enable(line.positions())
    line.send(np.array([one.scale.told(1.0) for one in slots]), 0.0)
    assert _until(lambda: bool(emulated.frames) and emulated.frames[-1][1] == dict.fromkeys(IDS, 2700.0))


@pytest.mark.parametrize("told", [2047.5, 2048.49, 1000.51, 0.0, 4095.0])
def test_positions_are_rounded_to_the_nearest_count(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker, told: float
) -> None:
    line.prepare([slot(1)])
    line.enable(line.positions())
    line.send(np.array([told]), 0.0)
    assert _until(lambda: emulated.servos[1].get(registers.GOAL_POSITION) == round(told))


def test_every_frame_arrives_once_and_in_order(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker
) -> None:
    line.prepare([slot(id) for id in IDS])
    line.enable(line.positions())
    before = len(emulated.frames)
    told = [2048.0 + step for step in range(200)]
    for value in told:
        line.send(np.full(len(IDS), value), 0.0)
    assert _until(lambda: len(emulated.frames) == before + len(told))
    assert [goals[3] for _, goals in emulated.frames[before:]] == told


def test_prepare_sets_limits_at_the_servo_and_says_so(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker
) -> None:
    notes = line.prepare([slot(1, 1000.4, 3000.2, speed=1563.0)])
    servo = emulated.servos[1]
    assert (servo.get(registers.MIN_POSITION), servo.get(registers.MAX_POSITION)) == (1000, 3000)
    assert any("least position set from 0 to 1000" in note for note in notes)
    assert any("wrong voltage" in note for note in notes)
    assert not servo.body.torque
    line.enable(line.positions())
    assert servo.get(registers.PROFILE_VELOCITY) == 100  # 1563 counts a second are 99.98 units
    assert servo.get(registers.BUS_WATCHDOG) == 75
    assert line.prepare([slot(1, 1000.4, 3000.2)])  # a second time there is nothing to write: torque may be on
    assert servo.body.torque


def test_goals_stay_inside_the_range_whatever_is_told(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker
) -> None:
    line.prepare([slot(1, 1000.0, 3000.0)])
    line.enable(line.positions())
    line.send(np.array([9999.0]), 0.0)
    assert _until(lambda: emulated.frames[-1][1] == {1: 3000.0})


def test_a_servo_outside_of_its_range_can_hold_there_and_come_back(bus_at: BusMaker, slot: SlotMaker) -> None:
    with DynamixelEmulator((1,), positions={1: 500.0}) as emulated:
        line = open_line(bus_at(emulated.port, rate_hz=2.0))
        notes = line.prepare([slot(1, 1000.0, 3000.0)])
        assert any("stands at 500, outside" in note for note in notes)
        line.enable(line.positions())
        assert emulated.frames[-1][1] == {1: 500.0}
        line.close()


def test_enable_moves_nothing_even_after_an_old_goal(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker
) -> None:
    emulated.servos[1].set(registers.GOAL_POSITION, 3500)
    line.prepare([slot(1)])
    line.enable(line.positions())
    _until(lambda: len(emulated.bodies[1].record) > 3)
    assert {round(position) for _, position, _ in emulated.shafts()[1]} == {2048}


def test_a_limit_of_current_is_held_by_the_servo(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker
) -> None:
    notes = line.prepare([slot(1, current=0.5)])
    line.enable(line.positions())
    assert emulated.servos[1].get(registers.OPERATING_MODE) == 5
    assert emulated.servos[1].get(registers.GOAL_CURRENT) == int(0.5 / 2.69e-3)
    assert any("mode set from position to current-based position" in note for note in notes)


def test_poll_hears_every_servo_in_turns(line: DynamixelLine, slot: SlotMaker) -> None:
    line.prepare([slot(id) for id in IDS])
    heard: dict[int, object] = {}

    def all_heard() -> bool:
        heard.update({one.id: one for one in line.poll(0.004)})
        return set(heard) == set(IDS)

    assert _until(all_heard)
    one = next(feedback for feedback in line.poll(0.05) or heard.values())
    assert (one.position, one.temperature, one.voltage, one.fault) == (2048.0, 34.0, 12.0, "")  # type: ignore[attr-defined]


def test_poll_is_patient_with_slow_adapters(bus_at: BusMaker, slot: SlotMaker) -> None:
    with DynamixelEmulator(IDS, latency_s=0.016) as emulated:
        line = open_line(bus_at(emulated.port))
        line.prepare([slot(id) for id in IDS])
        heard: set[int] = set()

        def all_heard() -> bool:
            heard.update(one.id for one in line.poll(0.002))
            return heard == set(IDS)

        assert _until(all_heard)
        line.close()


def test_one_silent_servo_does_not_silence_the_others(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker
) -> None:
    line.prepare([slot(id) for id in IDS])
    emulated.mute([2])
    heard: list[int] = []

    def often() -> bool:
        heard.extend(one.id for one in line.poll(0.004))
        return all(heard.count(id) >= 3 for id in (1, 3, 4))

    assert _until(often)
    assert 2 not in heard


@pytest.mark.parametrize(("fault", "words"), [("overheat", "too hot"), ("overload", "overloaded")])
def test_hardware_errors_come_in_words(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker, fault: str, words: str
) -> None:
    line.prepare([slot(id) for id in IDS])
    line.enable(line.positions())
    getattr(emulated, fault)(3)
    said: list[str] = []

    def told() -> bool:
        said.extend(one.fault for one in line.poll(0.02) if one.fault)
        return any(words in fault for fault in said)

    assert _until(told)
    line.release()
    with pytest.raises(LineError, match=rf"Servo 3 .*{words}.*power off and on"):
        line.prepare([slot(id) for id in IDS])


def test_without_a_word_the_watchdog_holds_and_enable_recovers(
    line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker
) -> None:
    line.prepare([slot(1, speed=200.0)])
    line.enable(line.positions())
    line.send(np.array([3000.0]), 0.0)
    servo = emulated.servos[1]
    assert _until(lambda: servo.tripped is not None)
    assert servo.body.position < 2500.0  # at most 208 counts a second
    with pytest.raises(LineError, match="watchdogs have"):
        line.send(np.array([3000.0]), 0.0)
    line.enable(line.positions())
    assert servo.tripped is None
    assert servo.get(registers.PROFILE_VELOCITY) == 13


def test_hold_stops_where_it_is_and_may_last(line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker) -> None:
    line.prepare([slot(1, speed=200.0)])
    line.enable(line.positions())
    line.send(np.array([3000.0]), 0.0)
    line.hold()
    servo = emulated.servos[1]
    assert _until(lambda: servo.get(registers.BUS_WATCHDOG) == 0)
    held = emulated.frames[-1][1][1]
    assert held < 2900.0
    assert servo.body.torque
    assert _until(lambda: abs(servo.body.position - held) < 1.0)
    line.send(np.array([held]), 0.0)
    assert _until(lambda: servo.get(registers.BUS_WATCHDOG) == 75)


def test_the_watchdog_waits_a_tenth_of_a_second_or_three_frames(emulated: DynamixelEmulator, bus_at: BusMaker) -> None:
    for rate_hz, watchdog_s in ((None, 0.1), (100.0, 0.1), (10.0, 0.3), (1.0, 2.54)):
        line = open_line(bus_at(emulated.port, rate_hz=rate_hz))
        assert line.watchdog_s == pytest.approx(watchdog_s)
        line.close()


def test_release_takes_torque_off(line: DynamixelLine, emulated: DynamixelEmulator, slot: SlotMaker) -> None:
    line.prepare([slot(id) for id in IDS])
    line.enable(line.positions())
    line.release()
    assert not any(body.torque for body in emulated.bodies.values())
    assert emulated.servos[1].get(registers.BUS_WATCHDOG) == 0


def test_find_says_what_is_there(line: DynamixelLine, emulated: DynamixelEmulator) -> None:
    emulated.servos[2].set(registers.HOMING_OFFSET, 120)
    emulated.servos[3].set(registers.MODEL_NUMBER, 1200)
    found = line.find()
    assert [one.id for one in found] == list(IDS)
    assert found[0].model == "XM430-W350"
    assert found[2].model == "XL330-M288"
    assert "homing offset 120" in found[1].notes
    assert found[1].position == 2168.0
    assert [one.id for one in line.find([3, 9])] == [3]
