"""How the frame of a part's reference interface moves: prescribed, sampled at every step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.errors import MotionError
from animato.spatial.quaternions import matrix_from_quaternion, quaternion_about

EARTH = (0.0, 0.0, -9.81)


@dataclass(frozen=True)
class BaseMotion:
    """Prescribed motion of the part's frame in the world, at uniform times.

    Attributes:
        times: [s], shape [t].
        rotations: World from part, shape [t, 3, 3].
        positions: Origin of the part's frame [m], shape [t, 3].
        spins: Angular velocity in world axes [rad/s], shape [t, 3].
        spin_rates: Its derivative [rad/s^2], shape [t, 3].
        accelerations: Of the origin [m/s^2], shape [t, 3].
        gravity: In world axes [m/s^2], shape [3].
    """

    times: np.ndarray
    rotations: np.ndarray
    positions: np.ndarray
    spins: np.ndarray
    spin_rates: np.ndarray
    accelerations: np.ndarray
    gravity: np.ndarray

    def __post_init__(self) -> None:
        steps = np.diff(self.times)
        if len(steps) and (steps.min() <= 0.0 or np.ptp(steps) > 1e-6 * steps.mean()):
            raise MotionError(
                f"The times of a base's motion must rise by equal steps; given steps from {steps.min():.4g} to "
                f"{steps.max():.4g} s."
            )
        for name, tail in (("rotations", (3, 3)), ("positions", (3,)), ("spins", (3,)), ("spin_rates", (3,))):
            shape = getattr(self, name).shape
            if shape != (len(self.times), *tail):
                raise MotionError(f"`{name}` must have shape {(len(self.times), *tail)}, given {shape}.")

    def at(self, index: int) -> LocalBase:
        """What the part feels of it at one time."""
        local = self.rotations[index].T
        return LocalBase(
            local @ (self.accelerations[index] - self.gravity),
            local @ self.spins[index],
            local @ self.spin_rates[index],
        )


@dataclass(frozen=True)
class LocalBase:
    """Motion of the part's frame in its own axes.

    Attributes:
        lift: Acceleration of its origin minus gravity [m/s^2], shape [3].
        spin: Angular velocity [rad/s], shape [3].
        spin_rate: Angular acceleration [rad/s^2], shape [3].
    """

    lift: np.ndarray
    spin: np.ndarray
    spin_rate: np.ndarray


def turning_base(
    times: np.ndarray,
    angles: np.ndarray,
    velocities: np.ndarray,
    accelerations: np.ndarray,
    *,
    axis: tuple[float, float, float] = (0.0, 1.0, 0.0),
    gravity: tuple[float, float, float] = EARTH,
) -> BaseMotion:
    """A part whose frame turns about a motor's axis through the world's origin.

    Args:
        times: [s], uniform, shape [t].
        angles: Of the motor [rad], shape [t]; at 0 the part's axes are the world's.
        velocities: [rad/s], shape [t].
        accelerations: [rad/s^2], shape [t].
        axis: Of the motor, in the world.
        gravity: In the world [m/s^2].
    """
    unit = np.asarray(axis, dtype=np.float64) / np.linalg.norm(axis)
    count = len(times)
    quaternions = np.array([quaternion_about(unit, angle) for angle in np.asarray(angles, dtype=np.float64)])
    return BaseMotion(
        np.asarray(times, dtype=np.float64),
        matrix_from_quaternion(quaternions),
        np.zeros((count, 3)),
        np.asarray(velocities)[:, None] * unit,
        np.asarray(accelerations)[:, None] * unit,
        np.zeros((count, 3)),
        np.asarray(gravity, dtype=np.float64),
    )


def resting_base(*, gravity: tuple[float, float, float] = EARTH, times: np.ndarray | None = None) -> BaseMotion:
    """A part's frame at rest in the world's."""
    when = np.zeros(1) if times is None else times
    still = np.zeros(len(when))
    return turning_base(when, still, still, still, gravity=gravity)
