"""Motor profiles: splines, and the limits that hold for them."""

from animato.steady.profiles.limits import (
    KINDS,
    ProfileLimits,
    TorqueLimits,
    motor_limits,
    profile_limits,
    torque_limits,
)
from animato.steady.profiles.spline import HELD, ProfileBasis, piecewise_linear

__all__ = [
    "HELD",
    "KINDS",
    "ProfileBasis",
    "ProfileLimits",
    "TorqueLimits",
    "motor_limits",
    "piecewise_linear",
    "profile_limits",
    "torque_limits",
]
