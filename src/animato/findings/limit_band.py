"""Between which two values each axis must stay, at each moment."""

from __future__ import annotations

import math

import numpy as np

from animato.mechanics.limits import LEAST_TORQUE, LimitUsage


def limit_band(usage: LimitUsage, axis: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and the highest value that one axis may take, infinite where it is not limited.

    A torque-speed curve holds while the motor drives, that is, while torque and velocity have the
    same sign; while it brakes only the torque at rest holds. So the two sides of the band differ as
    soon as the axis moves.

    Args:
        usage: How much of its limits the motion uses.
        axis: Index of the axis.
        kind: One of `LIMIT_KINDS`.

    Returns:
        Lower and upper bound [SI], both of shape [time].
    """
    limits = usage.axes[axis].limits
    count = len(usage.times)
    if kind == "position":
        lower, upper = limits.range
        return np.full(count, lower), np.full(count, upper)
    if kind != "torque":
        bound = getattr(limits, kind)
        size = math.inf if bound is None else bound
        return np.full(count, -size), np.full(count, size)
    at_rest = limits.torque if limits.torque is not None else limits.curve.torques[0] if limits.curve else math.inf
    if limits.curve is None:
        return np.full(count, -at_rest), np.full(count, at_rest)
    velocity = usage.values["velocity"][:, axis]
    driven = np.minimum(np.maximum(limits.curve.torque_at(velocity), LEAST_TORQUE * limits.curve.torques[0]), at_rest)
    upper_bound = np.where(velocity > 0.0, driven, at_rest)
    lower_bound = np.where(velocity < 0.0, driven, at_rest)
    return -lower_bound, upper_bound
