"""What could be done about a motion that does not fit: slow down, ease, pull back, choose another servo."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from animato.character import SERVOS, Actuator, Servo
from animato.findings.checking import CheckResult
from animato.findings.finding import Finding
from animato.findings.human_units import percent, rounded, seconds
from animato.findings.joint_names import listed
from animato.findings.shaking import shaking_of
from animato.findings.words import distance, interval_words, speed_percent

COPIED = "angles copied to"
"""Stands in the source of a clip that was made of a capture by copying angles."""

STRETCH_ORDER = {"velocity": 1, "acceleration": 2, "jerk": 3}
"""A motion played at speed s has s times the velocity, s^2 the acceleration and s^3 the jerk."""


_OF_NOISE = ("acceleration", "jerk", "torque")

_STATE_UNIT = (
    "State the unit of the angles and check again: in a CSV write '[deg]' behind the names of the columns, as in "
    "'elbow [deg]'; in an array multiply by pi / 180."
)


@dataclass(frozen=True)
class ServoChoice:
    """A servo that can give what a joint is asked for.

    Attributes:
        servo: From the catalogue.
        share: Of its torque or speed that the motion would use at the worst moment.
    """

    servo: Servo
    share: float


def suggestions(result: CheckResult) -> tuple[str, ...]:
    """What to do, most helpful first; empty where everything fits."""
    if result.outcome.usable:
        return ()
    if result.doubt:  # advice about angles that were never meant would only mislead
        return (_STATE_UNIT,)
    return (
        *_quieter(result),
        *_balanced(result),
        *_slower(result),
        *_pulled_back(result),
        *_eased(result),
        *_other_servos(result),
    )


def _quieter(result: CheckResult) -> tuple[str, ...]:
    """Where frames shake, that first: an artist cannot ease noise."""
    if not any(finding.kind in _OF_NOISE for finding in result.findings):
        return ()
    found = shaking_of(result.clip)
    if found is None:
        return ()
    who = result.labels.get(found.name, found.name)
    angular = next((axis.angular for axis in result.usage.axes if axis.name == found.name), True)
    return (
        f"Smooth it while it is read, at 6 Hz for people's motion: frames shake, {who} most, by "
        f"{distance(found.noise, angular=angular)}, and that alone asks for most of the acceleration.",
    )


def _balanced(result: CheckResult) -> tuple[str, ...]:
    balance = result.balance
    if balance is None or not balance.is_over:
        return ()
    when = interval_words(balance)
    if COPIED in result.clip.source:
        return (
            "Make the motion anew with mimic: copied angles keep neither feet on the floor nor weight over them "
            f"({when}), mimic does.",
        )
    if not balance.falls_at_rest:
        return (f"Slow it down {when}: standing still in that pose it would not tip.",)
    far = distance(balance.outside_at_rest, angular=False)
    return (
        f"Bring its weight back over its soles {when}: at {seconds(balance.time)} it is {far} beyond them, so that it "
        "would tip even standing still.",
    )


def _slower(result: CheckResult) -> tuple[str, ...]:
    speed = result.playback_speed
    if speed is None or speed >= 1.0:
        return ()
    if result.tips:
        return (f"Play it at {speed_percent(speed)} speed for the sake of its joints; see to its balance first.",)
    told = math.floor(100.0 * speed + 1e-9) / 100.0 or speed  # as `speed_percent` tells it
    before, after = seconds(result.clip.duration), seconds(result.clip.duration / told)
    return (f"Play it at {speed_percent(speed)} speed: it then lasts {after}, not {before}.",)


def _pulled_back(result: CheckResult) -> tuple[str, ...]:
    return tuple(
        f"Pull {result.labels[finding.axis]} back by {distance(finding.excess, angular=finding.angular)} "
        f"{interval_words(finding)}."
        for finding in result.findings
        if finding.kind == "position"
    )


def _eased(result: CheckResult) -> tuple[str, ...]:
    """One line a joint: the kind that needs most time decides."""
    stretch: dict[str, tuple[float, Finding]] = {}
    for finding in result.findings:
        order = STRETCH_ORDER.get(finding.kind)
        if order is None or not np.isfinite(finding.share):
            continue
        needed = finding.share ** (1.0 / order)
        if needed > stretch.get(finding.axis, (0.0, finding))[0]:
            stretch[finding.axis] = needed, finding
    return tuple(
        f"Ease only {result.labels[axis]}: its move at {seconds(finding.time)} needs "
        f"{math.ceil(100.0 * (needed - 1.0))} % more time, or must be smaller."
        for axis, (needed, finding) in stretch.items()
    )


def _other_servos(result: CheckResult) -> tuple[str, ...]:
    lines = []
    for axis in dict.fromkeys(finding.axis for finding in result.findings if _is_matter_of_servo(result, finding)):
        choices = servos_that_do(result, axis)
        if choices is None:
            continue
        label = result.labels[axis]
        if not choices:
            lines.append(
                f"No servo of the catalogue can drive {label} like that: slow it down or lighten what it carries."
            )
            continue
        named = listed(
            f"{choice.servo.name} ({rounded(1000.0 * choice.servo.mass)} g, would use {percent(choice.share)})"
            for choice in choices[:2]
        )
        lines.append(f"Give {label} another servo: {named}. The change of weight is not counted.")
    return tuple(lines)


def _is_matter_of_servo(result: CheckResult, finding: Finding) -> bool:
    """Whether a limit would move with another servo: a torque, or a speed that the character's file does not state."""
    joint = result.character.joint(finding.joint)
    if joint.actuator is None or joint.actuator.servo is None:
        return False
    stated = any(limits.velocity is not None for limits in joint.stated_limits)
    return finding.kind == "torque" or (finding.kind == "velocity" and not stated)


def servos_that_do(result: CheckResult, axis_name: str) -> tuple[ServoChoice, ...] | None:
    """Servos of the catalogue that could perform the clip on an axis, lightest first.

    The gear ratio of the joint's own actuator is kept. The change of the robot's weight is not
    counted.

    Args:
        result: A check.
        axis_name: Of an axis of it.

    Returns:
        None where no rotary servo can be asked: a sliding axis, or a torque that is not known.
    """
    usage = result.usage
    axis = next(index for index, one in enumerate(usage.axes) if one.name == axis_name)
    ratio = (result.character.joint(usage.axes[axis].joint).actuator or Actuator()).gear_ratio
    torque = usage.values["torque"][:, axis] / ratio
    velocity = usage.values["velocity"][:, axis] * ratio
    if not usage.axes[axis].angular or not np.all(np.isfinite(torque)):
        return None
    turn = float(np.ptp(usage.values["position"][:, axis])) * ratio
    choices = [
        ServoChoice(servo, share)
        for servo in SERVOS.values()
        if (share := _servo_share(servo, torque, velocity)) <= 1.0 and (servo.travel is None or turn <= servo.travel)
    ]
    return tuple(sorted(choices, key=lambda choice: (choice.servo.mass, choice.share)))


def _servo_share(servo: Servo, torque: np.ndarray, velocity: np.ndarray) -> float:
    """Largest share of a servo's torque or speed that a motion uses; its curve holds only while it drives."""
    driven = np.where(torque * velocity > 0.0, servo.curve.torque_at(velocity), servo.stall_torque)
    with np.errstate(divide="ignore", invalid="ignore"):
        used = np.where(torque == 0.0, 0.0, np.abs(torque) / driven)
    return max(float(used.max()), float(np.abs(velocity).max()) / servo.no_load_speed)
