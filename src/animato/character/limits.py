"""What a joint axis may do: position, velocity, acceleration, jerk, torque."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from animato.character.vectors import Vector, finite_vector
from animato.errors import CharacterError


@dataclass(frozen=True)
class TorqueSpeedCurve:
    """The torque a motor can still give at a speed, straight between the stated points.

    Attributes:
        speeds: Rising from 0 [rad/s, or m/s on a sliding axis].
        torques: Falling, at each speed [N m, or N].
    """

    speeds: Vector
    torques: Vector

    def __post_init__(self) -> None:
        if len(self.speeds) < 2:
            raise CharacterError(f"A torque-speed curve needs at least 2 points, not {len(self.speeds)}.")
        speeds = finite_vector(self.speeds, len(self.speeds), "The speeds of a torque-speed curve")
        torques = finite_vector(self.torques, len(speeds), "The torques of a torque-speed curve")
        if speeds[0] != 0.0 or any(a >= b for a, b in pairwise(speeds)):
            raise CharacterError(f"The speeds of a torque-speed curve must rise from 0, given {speeds}.")
        if min(torques) < 0.0 or any(a < b for a, b in pairwise(torques)):
            raise CharacterError(f"The torques of a torque-speed curve must fall and not go below 0, given {torques}.")
        object.__setattr__(self, "speeds", speeds)
        object.__setattr__(self, "torques", torques)

    def torque_at(self, speed: np.ndarray) -> np.ndarray:
        """Torque available at a speed of either sign; beyond the last point that point's torque."""
        return np.interp(np.abs(speed), self.speeds, self.torques)


@dataclass(frozen=True)
class Limits:
    """Limits of one axis of a joint. None means not limited, or not known.

    A spherical joint has one `Limits`, on magnitudes: `upper` is then the largest turn from the
    neutral pose, and velocity to torque bound the length of the vector.

    Attributes:
        lower, upper: Range of the position [rad or m].
        velocity: [rad/s or m/s].
        acceleration: [rad/s^2 or m/s^2].
        jerk: [rad/s^3 or m/s^3].
        torque: [N m, or N on a sliding axis].
        curve: Torque against speed, where known; holds while the motor drives. While it brakes,
            only `torque` (or the curve's torque at rest) holds.
    """

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    acceleration: float | None = None
    jerk: float | None = None
    torque: float | None = None
    curve: TorqueSpeedCurve | None = None

    def __post_init__(self) -> None:
        for name in ("lower", "upper"):
            value = getattr(self, name)
            if value is not None:
                object.__setattr__(self, name, finite_vector([value], 1, f"The {name} limit")[0])
        for name in ("velocity", "acceleration", "jerk", "torque"):
            value = getattr(self, name)
            if value is None:
                continue
            (number,) = finite_vector([value], 1, f"The {name} limit")
            if number <= 0.0:
                raise CharacterError(f"The {name} limit must be greater than 0, not {number}.")
            object.__setattr__(self, name, number)
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise CharacterError(f"The limits are reversed: lower {self.lower} is above upper {self.upper}.")

    @property
    def range(self) -> tuple[float, float]:
        """(lower, upper), infinite where not limited."""
        lower = -math.inf if self.lower is None else self.lower
        upper = math.inf if self.upper is None else self.upper
        return lower, upper


FREE = Limits()
