from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from animato.character.limits import Limits, TorqueSpeedCurve
from animato.character.servo import SERVOS
from animato.findings.suggestions import servos_that_do, suggestions


def test_what_fits_needs_no_help(make_result) -> None:
    assert suggestions(make_result({"a": Limits(velocity=1.0)}, {"a": {"velocity": [0.0, 0.99]}})) == ()


def test_slower_pull_back_and_ease(make_result) -> None:
    limits = {"left_elbow": Limits(-1.0, 1.0, velocity=1.0, acceleration=1.0)}
    values = {"position": [0.0, 1.1, 1.1, 0.0, 0.0], "velocity": [0, 0, 0, 1.2, 0], "acceleration": [0, 0, 0, -4.0, 0]}
    result = make_result(limits, {"left_elbow": values}, times=range(5), speed=0.5)
    assert suggestions(result) == (
        "Play it at 50 % speed: it then lasts 8.00 s, not 4.00 s.",
        "Pull left elbow back by 5.7 degrees from 0.91 s to 2.09 s.",
        # 400 % of the acceleration needs twice the time, 120 % of the speed only a fifth more.
        "Ease only left elbow: its move at 3.00 s needs 100 % more time, or must be smaller.",
    )


def strong_result(make_result, torque: float, speed: float, servo: str | None = "SG90"):
    curve = TorqueSpeedCurve((0.0, 10.0), (0.2, 0.0))
    series = {"torque": [0.0, torque], "velocity": [0.0, speed]}
    return make_result({"neck": Limits(torque=0.2, curve=curve)}, {"neck": series}, servo=servo)


def test_the_lightest_servo_that_does_comes_first(make_result) -> None:
    result = strong_result(make_result, 1.0, 1.0)
    choices = servos_that_do(result, "neck")
    masses = [choice.servo.mass for choice in choices]
    assert masses == sorted(masses)
    names = {choice.servo.name for choice in choices}
    assert "XL330-M288" not in names  # 0.52 N m
    assert {"AX-12A", "XM540-W270"} <= names
    for choice in choices:
        left = choice.servo.stall_torque * (1.0 - 1.0 / choice.servo.no_load_speed)
        assert choice.share == pytest.approx(max(1.0 / left, 1.0 / choice.servo.no_load_speed), rel=1e-12)
    assert suggestions(result)[-1] == (
        "Give neck another servo: AX-12A (54.6 g, would use 80 %) and STS3215 (55 g, would use 66 %). "
        "The change of weight is not counted."
    )


def test_braking_leaves_the_whole_torque(make_result) -> None:
    drive, brake = (servos_that_do(strong_result(make_result, torque, 5.0), "neck") for torque in (1.4, -1.4))
    assert {choice.servo.name for choice in drive} < {choice.servo.name for choice in brake}
    assert "AX-12A" in {choice.servo.name for choice in brake}


def test_gear_ratio_and_travel_count(make_result) -> None:
    limits = {"neck": Limits(torque=0.2)}
    turning = make_result(limits, {"neck": {"torque": [0.0, 0.3], "position": [-2.0, 2.0]}}, servo="SG90")
    names = {choice.servo.name for choice in servos_that_do(turning, "neck")}
    assert "MG996R" not in names and "XL330-M288" in names  # 229 degrees are more than the hobby servo turns


def test_nothing_in_the_catalogue(make_result) -> None:
    assert suggestions(strong_result(make_result, 500.0, 1.0))[-1] == (
        "No servo of the catalogue can drive neck like that: slow it down or lighten what it carries."
    )
    # A joint that is not driven by a servo is not told about servos.
    assert suggestions(strong_result(make_result, 500.0, 1.0, servo=None)) == ()


def test_a_quicker_servo_only_where_the_speed_is_the_servos(make_result) -> None:
    fast = {"neck": {"velocity": [0.0, 12.0]}}
    own = make_result({"neck": Limits(velocity=10.0)}, fast, servo="SG90", speed=None)
    assert suggestions(own) == ("Ease only neck: its move at 0.01 s needs 20 % more time, or must be smaller.",)
    joint = own.character.joints[1]
    of_servo = replace(joint, stated_limits=())
    character = replace(own.character, joints=(own.character.joints[0], of_servo))
    assert "Give neck another servo: XL330-M077" in suggestions(replace(own, character=character))[-1]


def test_no_servo_where_the_torque_is_not_known(make_result) -> None:
    result = strong_result(make_result, 1.0, 1.0)
    result.usage.values["torque"][:] = np.nan
    assert servos_that_do(result, "neck") is None


def test_catalogue_servo_does_its_own_best() -> None:
    from animato.findings.suggestions import _servo_share

    for servo in SERVOS.values():
        half = np.array([0.5 * servo.no_load_speed])
        assert _servo_share(servo, 0.5 * servo.stall_torque * np.ones(1), half) == pytest.approx(1.0, rel=1e-12)
        assert _servo_share(servo, -0.5 * servo.stall_torque * np.ones(1), half) == pytest.approx(0.5, rel=1e-12)
