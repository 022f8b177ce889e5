"""Servos that one can buy, and how one sits on a joint."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from animato.character.limits import Limits, TorqueSpeedCurve
from animato.errors import CharacterError, unknown_name


@dataclass(frozen=True)
class Servo:
    """The data sheet of a rotary servo.

    Attributes:
        name: As one orders it.
        stall_torque: At the stated voltage [N m]. A servo holds it for moments only.
        no_load_speed: At the stated voltage [rad/s].
        mass: [kg].
        travel: Full range [rad]; None turns endlessly.
        voltage: At which torque and speed are stated [V].
        note: Anything a user should know.
    """

    name: str
    stall_torque: float
    no_load_speed: float
    mass: float
    travel: float | None
    voltage: float
    note: str = ""

    @property
    def curve(self) -> TorqueSpeedCurve:
        """Torque against speed: a line from stall to no load, as for any DC motor."""
        return TorqueSpeedCurve((0.0, self.no_load_speed), (self.stall_torque, 0.0))


_RPM = 2.0 * math.pi / 60.0
_KGF_CM = 0.0980665
_PER_60_DEGREES = math.pi / 3.0

SERVOS: dict[str, Servo] = {
    servo.name: servo
    for servo in (
        Servo("XM430-W210", 3.0, 77 * _RPM, 0.082, None, 12.0, "Dynamixel"),
        Servo("XM430-W350", 4.1, 46 * _RPM, 0.082, None, 12.0, "Dynamixel"),
        Servo("XM540-W150", 7.3, 53 * _RPM, 0.165, None, 12.0, "Dynamixel"),
        Servo("XM540-W270", 10.6, 30 * _RPM, 0.165, None, 12.0, "Dynamixel"),
        Servo("XL430-W250", 1.5, 61 * _RPM, 0.0572, None, 12.0, "Dynamixel"),
        Servo("XL330-M288", 0.52, 103 * _RPM, 0.018, None, 5.0, "Dynamixel"),
        Servo("XL330-M077", 0.215, 383 * _RPM, 0.018, None, 5.0, "Dynamixel"),
        Servo("AX-12A", 1.5, 59 * _RPM, 0.0546, math.radians(300), 12.0, "Dynamixel"),
        Servo("MX-28AT", 2.5, 55 * _RPM, 0.077, None, 12.0, "Dynamixel"),
        Servo("STS3215", 19.5 * _KGF_CM, _PER_60_DEGREES / 0.222, 0.055, None, 7.4, "Feetech"),
        Servo("MG996R", 11.0 * _KGF_CM, _PER_60_DEGREES / 0.14, 0.055, math.radians(180), 6.0, "hobby servo"),
        Servo("SG90", 1.8 * _KGF_CM, _PER_60_DEGREES / 0.10, 0.009, math.radians(180), 4.8, "hobby servo"),
    )
}


@dataclass(frozen=True)
class Actuator:
    """What drives a joint.

    Attributes:
        servo: A name in `SERVOS`, or None where only the joint's own limits are known.
        gear_ratio: Turns of the servo for one turn of the joint.
    """

    servo: str | None = None
    gear_ratio: float = 1.0

    def __post_init__(self) -> None:
        if self.servo is not None and self.servo not in SERVOS:
            raise unknown_name("servo", self.servo, SERVOS, "the catalogue")
        if not (math.isfinite(self.gear_ratio) and self.gear_ratio > 0.0):
            raise CharacterError(f"A gear ratio must be greater than 0, not {self.gear_ratio}.")

    def completed(self, limits: Limits) -> Limits:
        """The stated limits, with what they leave open taken from the servo.

        A stated torque also caps the servo's curve; a stated curve replaces it.
        """
        if self.servo is None:
            return limits
        servo, ratio = SERVOS[self.servo], self.gear_ratio
        speed, stall = servo.no_load_speed / ratio, servo.stall_torque * ratio
        filled = replace(
            limits,
            velocity=speed if limits.velocity is None else limits.velocity,
            torque=stall if limits.torque is None else limits.torque,
            curve=TorqueSpeedCurve((0.0, speed), (stall, 0.0)) if limits.curve is None else limits.curve,
        )
        if servo.travel is None or (limits.lower is not None and limits.upper is not None):
            return filled
        half = servo.travel / ratio / 2.0
        return replace(
            filled,
            lower=-half if limits.lower is None else limits.lower,
            upper=half if limits.upper is None else limits.upper,
        )
