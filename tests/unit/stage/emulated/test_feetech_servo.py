"""What an emulated Feetech servo does, by a clock of the test's own."""

from __future__ import annotations

import pytest

from animato.stage.emulated import ServoBody
from animato.stage.emulated.feetech_servo import FeetechServo
from animato.stage.lines import Register
from animato.stage.lines.feetech import registers


@pytest.fixture
def servo() -> FeetechServo:
    made = FeetechServo(1, ServoBody())
    made.body.advance(0.0)
    return made


def _write(servo: FeetechServo, register: Register, value: int, now: float = 0.0) -> None:
    servo.write(register.address, register.encode(value), now)


def test_goals_are_kept_inside_its_limits(servo: FeetechServo) -> None:
    _write(servo, registers.MAX_POSITION, 2200)
    _write(servo, registers.TORQUE_ENABLE, 1)
    _write(servo, registers.GOAL_POSITION, 3000)
    servo.body.advance(1.0)
    assert servo.present == 2200


def test_present_is_actual_less_homing(servo: FeetechServo) -> None:
    _write(servo, registers.HOMING_OFFSET, -100)
    assert servo.present == 2148


def test_turns_are_counted_only_where_the_phase_says_so(servo: FeetechServo) -> None:
    servo.body.position = 4100.0
    assert servo.present == 4
    _write(servo, registers.PHASE, 12 | 0x10)
    assert servo.present == 4100


def test_goal_speed_limits_it(servo: FeetechServo) -> None:
    servo.write(40, bytes((1, 0)) + (3000).to_bytes(2, "little") + bytes(2) + (200).to_bytes(2, "little"), 0.0)
    servo.body.advance(1.0)
    assert servo.present == 2248


def test_what_is_written_with_the_lock_on_is_not_kept(servo: FeetechServo) -> None:
    _write(servo, registers.MAX_POSITION, 2200)
    assert registers.MAX_POSITION.decode(servo.kept) == 4095
    _write(servo, registers.LOCK, 0)
    _write(servo, registers.MAX_POSITION, 2300)
    assert registers.MAX_POSITION.decode(servo.kept) == 2300


def test_lets_go_where_the_unload_register_says_so(servo: FeetechServo) -> None:
    _write(servo, registers.TORQUE_ENABLE, 1)
    servo.trouble(0x01, 0.1)
    assert servo.body.torque
    servo.trouble(0x04, 0.1)
    assert not servo.body.torque
    assert servo.error == 0x05


def test_128_makes_where_it_is_the_middle(servo: FeetechServo) -> None:
    servo.body.position = 2500.0
    _write(servo, registers.TORQUE_ENABLE, 128)
    assert servo.present == 2048
    assert not servo.body.torque
