"""Calibrating end to end: what is hidden in an emulated servo must come out in the map."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import animato as an
from animato.character import Character
from animato.errors import AnimatoError
from animato.stage.emulated import DynamixelEmulator, FeetechEmulator, MaestroEmulator
from animato.stage.lines import LineError
from animato.stage.lines.dynamixel import registers as dynamixel
from animato.stage.lines.feetech import registers as feetech
from animato.stage.rig import rig_of
from animato.stage.servos import Calibration, Probe, calibrate, map_file_of, save_calibration
from tests.unit.stage.servos.conftest import HEAD, Person

TICKS = 4096 / math.tau
HeadFile = Callable[[str, str], Path]


@pytest.fixture
def dynamixels() -> Iterator[DynamixelEmulator]:
    with DynamixelEmulator((1, 2)) as bus:
        yield bus


@pytest.fixture
def feetechs() -> Iterator[FeetechEmulator]:
    with FeetechEmulator((1, 2)) as bus:
        yield bus


def calibrated(path: Path, person: Person) -> tuple[Calibration, Character]:
    """The outcome of a session, and the character as it then stands in its file."""
    character = an.load_character(path)
    found = calibrate(character, person.ask, person.say)
    assert person.is_done
    save_calibration(found, map_file_of(str(path), character))
    return found, an.load_character(path)


def test_zero_sign_and_stops_of_dynamixels(dynamixels: DynamixelEmulator, head_file: HeadFile) -> None:
    path = head_file("dynamixel", dynamixels.port)
    dynamixels.servos[1].set(dynamixel.HOMING_OFFSET, -120)
    dynamixels.servos[2].set(dynamixel.DRIVE_MODE, 1)
    dynamixels.servos[2].body.torque = True
    stops = {side: 1500.0 - TICKS * math.radians(one) for side, one in (("lower", -31.0), ("upper", 50.0))}
    person = Person(
        dynamixels,
        ["", {1: 2200.0}, {1: 2300.0}, "", {2: 1500.0}, {2: 1400.0}, "y", {2: stops["lower"]}, {2: stops["upper"]}],
    )
    _, after = calibrated(path, person)
    turn, nod = after.wires
    assert (turn.zero, turn.sign, turn.reverse) == (2200.0 - 120.0, 1, False)
    assert (nod.zero, nod.sign, nod.reverse) == (1500.0, -1, True)
    assert nod.lowest == pytest.approx(stops["upper"], abs=1.0)
    assert nod.highest == pytest.approx(stops["lower"], abs=1.0)
    assert turn.lowest is turn.highest is None
    assert rig_of(after).names == ("turn", "nod")
    assert any("homing offset of -120" in one for one in person.said)
    assert any("degrees of the servo to spare" in one for one in person.said)
    assert any("anticlockwise where +y of 'body' points at you" in one for one in person.asked)
    assert any("[" in one and "deg" in one for one in person.seen)
    assert not any(body.torque for body in dynamixels.bodies.values())


def test_the_file_changes_only_where_servos_stand(dynamixels: DynamixelEmulator, head_file: HeadFile) -> None:
    path = head_file("dynamixel", dynamixels.port)
    before = path.read_text()
    calibrated(path, Person(dynamixels, ["", {1: 2000.0}, {1: 2300.0}, "", "k"]))
    assert path.read_text() == before.replace("turn: {bus: neck, id: 1}", "turn: {bus: neck, id: 1, zero: 2000}")
    assert path.with_name("head.yaml.bak").read_text() == before


def test_a_dynamixel_that_overflows_is_told_before_it_happens(
    dynamixels: DynamixelEmulator, head_file: HeadFile
) -> None:
    path = head_file("dynamixel", dynamixels.port)
    person = Person(dynamixels, ["", {1: 3600.0}, {1: 3700.0}, "k"])
    found, after = calibrated(path, person)
    assert not found.done
    assert path.read_text() == HEAD.replace("KIND", "dynamixel").replace("PORT", dynamixels.port)
    assert any("2576 to 4624" in one and "overflows" in one for one in person.said)
    assert "turn the shaft by 136 degrees so that counts fall (or by 46 at least" in found.lines()[0]
    assert after.wires[0].zero is None


def test_a_feetech_that_wraps_gets_an_offset_and_its_true_zero(feetechs: FeetechEmulator, head_file: HeadFile) -> None:
    path = head_file("feetech", feetechs.port)
    feetechs.servos[1].set(feetech.HOMING_OFFSET, 100)
    feetechs.servos[2].set(feetech.PHASE, feetechs.servos[2].get(feetech.PHASE) | feetech.MULTI_TURN)
    zero = 4000.0
    person = Person(feetechs, ["", {1: zero}, {1: zero - 300.0}, "", "", {2: 2000.0}, {2: 2200.0}, ""])
    _, after = calibrated(path, person)
    turn, nod = after.wires
    assert any("overflows" in one for one in person.said)
    assert any("counts whole turns" in one for one in person.said)
    assert feetechs.servos[1].get(feetech.HOMING_OFFSET) == round(zero) - 2048
    assert (turn.zero, turn.sign) == (2048.0, -1)
    assert (nod.zero, nod.sign) == (2000.0, 1)
    slots = rig_of(after).slots
    for value in (-1.5, 0.0, 1.5):  # what the map tells is what the servo shows at that place of the shaft
        feetechs.servos[1].body.position = zero - value * TICKS
        assert feetechs.servos[1].present == round(slots[0].scale.told(value))


def test_an_offset_is_put_back_where_the_map_cannot_be_written(feetechs: FeetechEmulator, head_file: HeadFile) -> None:
    path = head_file("feetech", feetechs.port)
    character = an.load_character(path)
    person = Person(feetechs, ["", {1: 4000.0}, {1: 3700.0}, "", ""])
    found = calibrate(character, person.ask, person.say, ["turn"])
    path.write_text("animato: 1\nservos: {turn: {bus: neck, id: 1}}\n")  # in braces: somebody wrote it anew meanwhile
    with pytest.raises(AnimatoError, match="braces"):
        save_calibration(found, map_file_of(str(path), character))
    assert feetechs.servos[1].get(feetech.HOMING_OFFSET) == 0


def test_stops_alone_over_the_end_of_the_turn(feetechs: FeetechEmulator, head_file: HeadFile) -> None:
    path = head_file("feetech", feetechs.port)
    low, high = (4090.0 + TICKS * math.radians(one) for one in (-90.0, 90.0))
    person = Person(feetechs, ["", "s", {1: low}, {1: high}, "", "q"])
    _, after = calibrated(path, person)
    assert (after.wires[0].zero, after.wires[0].sign) == (2048.0, 1)
    assert feetechs.servos[1].get(feetech.HOMING_OFFSET) == 4090 - 2048


def test_too_small_a_move_is_asked_for_again(dynamixels: DynamixelEmulator, head_file: HeadFile) -> None:
    path = head_file("dynamixel", dynamixels.port)
    person = Person(dynamixels, ["", {1: 2000.0}, {1: 2005.0}, {1: 2000.0}, {1: 1800.0}, "", "q"])
    _, after = calibrated(path, person)
    assert any("too little to tell" in one for one in person.said)
    assert (after.wires[0].zero, after.wires[0].sign) == (2000.0, -1)


def test_who_does_not_answer_is_said(dynamixels: DynamixelEmulator, head_file: HeadFile) -> None:
    path = head_file("dynamixel", dynamixels.port)
    dynamixels.mute({1})
    person = Person(dynamixels, [""])
    with pytest.raises(LineError, match="Servo 1 on bus 'neck' does not answer"):
        calibrate(an.load_character(path), person.ask, person.say)


def test_a_shut_down_servo_is_said(dynamixels: DynamixelEmulator, head_file: HeadFile) -> None:
    path = head_file("dynamixel", dynamixels.port)
    dynamixels.overheat(1)
    person = Person(dynamixels, ["", "q"])
    calibrate(an.load_character(path), person.ask, person.say)
    assert any("has shut down: it is too hot" in one for one in person.said)


def test_homing_of_a_probe_is_checked(dynamixels: DynamixelEmulator) -> None:
    from animato.character import Bus, BusKind

    with Probe(Bus("neck", BusKind.DYNAMIXEL, dynamixels.port)) as probe:
        probe.set_homing(1, -700)
        assert dynamixels.servos[1].get(dynamixel.HOMING_OFFSET) == -700
        assert probe.present(1) == 2048 - 700
        with pytest.raises(AnimatoError, match="-1024 to 1024"):
            probe.set_homing(1, 1025)


def test_pulses_are_moved_until_the_joint_is_there(head_file: HeadFile) -> None:
    with MaestroEmulator(range(6)) as bus:
        path = head_file("maestro", bus.port)
        answers = ["1500", "1520", "", "1420", "", "+200", "", "k"]
        person = Person(bus, answers)  # type: ignore[arg-type]
        _, after = calibrated(path, person)
        turn = after.wires[0]
        assert (turn.zero, turn.sign, turn.lowest, turn.highest) == (1520.0, 1, 1420.0, 1620.0)
        assert turn.travel == pytest.approx(math.pi, abs=1e-5)
        assert rig_of(after, ["turn"]).slots[0].scale.told(math.pi / 4) == pytest.approx(1570.0, abs=0.1)
        pulses = [where for _, where, _ in bus.shafts()[1] if where]
        assert min(pulses) >= 1419.0
        assert max(pulses) <= 1621.0
        assert not bus.bodies[1].torque
