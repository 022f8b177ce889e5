"""What an emulated Dynamixel servo takes and refuses, by a clock of the test's own."""

from __future__ import annotations

import pytest

from animato.stage.emulated import ServoBody
from animato.stage.emulated.dynamixel_servo import DynamixelServo, Trouble
from animato.stage.lines import Register
from animato.stage.lines.dynamixel import registers


def _write(servo: DynamixelServo, register: Register, value: int, now: float = 0.0) -> Trouble:
    return servo.write(register.address, register.encode(value), now)


@pytest.fixture
def servo() -> DynamixelServo:
    made = DynamixelServo(1, ServoBody())
    made.hear(0.0)
    made.tick(0.0)
    return made


def test_eeprom_is_locked_while_torque_is_on(servo: DynamixelServo) -> None:
    assert _write(servo, registers.OPERATING_MODE, 4) is Trouble.NONE
    _write(servo, registers.TORQUE_ENABLE, 1)
    assert _write(servo, registers.OPERATING_MODE, 3) is Trouble.ACCESS
    assert servo.get(registers.OPERATING_MODE) == 4


@pytest.mark.parametrize(
    ("register", "value", "trouble"),
    [
        (registers.MAX_POSITION, 4096, Trouble.DATA_RANGE),
        (registers.TORQUE_ENABLE, 2, Trouble.DATA_RANGE),
        (registers.GOAL_POSITION, 4096, Trouble.DATA_LIMIT),
        (registers.GOAL_POSITION, -1, Trouble.DATA_LIMIT),
        (registers.GOAL_CURRENT, 1194, Trouble.DATA_LIMIT),
        (registers.PRESENT_POSITION, 5, Trouble.ACCESS),
        (registers.MODEL_NUMBER, 5, Trouble.ACCESS),
    ],
)
def test_refuses(servo: DynamixelServo, register: Register, value: int, trouble: Trouble) -> None:
    before = bytes(servo.table)
    assert _write(servo, register, value) is trouble
    assert bytes(servo.table) == before


def test_present_is_actual_plus_homing(servo: DynamixelServo) -> None:
    _write(servo, registers.HOMING_OFFSET, -100)
    _, data = servo.read(132, 4)
    assert registers.PRESENT_POSITION.decode(data, 132) == 2048 - 100


def test_the_watchdog_stops_it_locks_goals_and_zeroes_profiles(servo: DynamixelServo) -> None:
    _write(servo, registers.PROFILE_VELOCITY, 10)
    _write(servo, registers.TORQUE_ENABLE, 1)
    _write(servo, registers.BUS_WATCHDOG, 5)
    _write(servo, registers.GOAL_POSITION, 3000)
    servo.tick(0.099)
    assert servo.tripped is None
    servo.tick(0.101)
    stopped = servo.body.position
    assert servo.tripped == 0.101
    assert servo.get(registers.BUS_WATCHDOG) == 0xFF
    assert servo.get(registers.PROFILE_VELOCITY) == 0
    assert _write(servo, registers.GOAL_POSITION, 2500, 0.2) is Trouble.DATA_RANGE
    servo.tick(1.0)
    assert servo.body.position == stopped < 2100
    assert _write(servo, registers.BUS_WATCHDOG, 0, 1.0) is Trouble.NONE
    assert _write(servo, registers.GOAL_POSITION, 2500, 1.0) is Trouble.NONE


def test_words_keep_the_watchdog_quiet(servo: DynamixelServo) -> None:
    _write(servo, registers.TORQUE_ENABLE, 1)
    _write(servo, registers.BUS_WATCHDOG, 5)
    for k in range(100):
        servo.hear(0.09 * k)
        servo.tick(0.09 * k)
    assert servo.tripped is None


def test_a_shutdown_takes_torque_until_a_reboot(servo: DynamixelServo) -> None:
    _write(servo, registers.TORQUE_ENABLE, 1)
    servo.trouble(0x04, 0.1)
    assert not servo.body.torque
    assert servo.alert
    assert _write(servo, registers.TORQUE_ENABLE, 1) is Trouble.RESULT_FAIL
    servo.reboot(0.2)
    assert not servo.alert
    assert _write(servo, registers.TORQUE_ENABLE, 1) is Trouble.NONE


def test_an_error_without_its_shutdown_bit_only_alerts(servo: DynamixelServo) -> None:
    _write(servo, registers.SHUTDOWN, 0x20)
    _write(servo, registers.TORQUE_ENABLE, 1)
    servo.trouble(0x04, 0.1)
    assert servo.body.torque
    assert servo.alert


def test_the_profile_limits_the_speed(servo: DynamixelServo) -> None:
    _write(servo, registers.PROFILE_VELOCITY, 10)
    _write(servo, registers.TORQUE_ENABLE, 1)
    _write(servo, registers.GOAL_POSITION, 4000)
    servo.tick(1.0)
    assert servo.body.position == pytest.approx(2048 + 10 * 0.229 * 4096 / 60)
