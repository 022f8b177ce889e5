"""Equation 23 of Ribeiro and Paiva (2019) as it is printed: a negative control, not for use.

Read literally, increments lack the time step, psi subtracts a velocity from an acceleration, v H(v)
squares the velocity, lambda saturates at half of its limit, and Omega compares a position with half of
the range. The signal runs away. With the units repaired and hard clamps in the place of tanh it no
longer runs away, yet it knows nothing of braking: it swings past its set-points, leaves its range, and
breaks the limit of jerk wherever the clamps of acceleration and velocity cut in.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Limits
from animato.errors import OptionError


def printed_recursion(
    limits: Limits,
    rate_hz: float,
    set_points: ArrayLike,
    *,
    smoothness: float = 0.0,
    responsiveness: float = 0.0,
    beta: float = 1.0,
    clamped: bool = False,
) -> np.ndarray:
    """Runs the recursion from rest at the first set-point, until it leaves the floating point numbers at the latest.

    Args:
        limits: Of one joint; all of them given.
        rate_hz: Of set-points and output [Hz].
        set_points: [rad or m], [frame].
        smoothness: sigma, from 0 to 1.
        responsiveness: rho, from 0 to less than 1.
        beta: Exponent of the position limiter.
        clamped: Whether time steps are put in where units ask for them and clamps take the place of tanh.

    Returns:
        Positions [rad or m], [frame]; infinite from where it has run away.
    """
    if None in (limits.lower, limits.upper, limits.velocity, limits.acceleration, limits.jerk):
        raise OptionError("The printed recursion needs a position range and velocity, acceleration and jerk limits.")
    step = _clamped_step if clamped else _printed_step
    goal = np.asarray(set_points, dtype=np.float64)
    past = [float(goal[0])] * 3
    out = np.full(len(goal), math.inf)
    for k, wanted in enumerate(goal):
        new = step(past, float(wanted), limits, 1.0 / rate_hz, smoothness, responsiveness, beta)
        if not abs(new) < 1e100:
            break
        out[k] = new
        past = [past[1], past[2], new]
    return out


def _printed_step(
    past: list[float], wanted: float, limits: Limits, dt: float, sigma: float, rho: float, beta: float
) -> float:
    """Equation 23 itself, every symbol as printed."""
    velocity = (past[2] - past[1]) / dt
    acceleration = (past[2] - 2.0 * past[1] + past[0]) / dt**2
    v = _omega((wanted - past[2]) / dt, past[2], limits, beta)
    asked = v * _gate(v, sigma, rho)
    xi = acceleration + _tanh_limit(((asked - velocity) / dt - acceleration) / dt, limits.jerk)
    psi = velocity + _tanh_limit((xi - velocity) / dt, limits.acceleration)
    return past[2] + _tanh_limit(psi, limits.velocity)


def _clamped_step(
    past: list[float], wanted: float, limits: Limits, dt: float, sigma: float, rho: float, beta: float
) -> float:
    """The nearest reading whose units agree: clamp the jerk, then the acceleration, then the velocity."""
    velocity = (past[2] - past[1]) / dt
    acceleration = (past[2] - 2.0 * past[1] + past[0]) / dt**2
    asked = _gate(_omega((wanted - past[2]) / dt, past[2], limits, beta), sigma, rho)
    xi = acceleration + dt * _clamp(((asked - velocity) / dt - acceleration) / dt, limits.jerk)
    psi = velocity + dt * _clamp(xi, limits.acceleration)
    return past[2] + dt * _clamp(psi, limits.velocity)


def _gate(v: float, sigma: float, rho: float) -> float:
    """H, which already carries v once."""
    return v / 2.0 * (math.tanh((abs(v) / (1.0 - rho)) ** (1.0 - sigma) - math.pi) + 1.0)


def _omega(v: float, x: float, limits: Limits, beta: float) -> float:
    """Omega, the position limiter; alpha is half the range."""
    low, high = limits.range
    alpha = (high - low) / 2.0
    if (x > alpha and v > 0.0) or (x < alpha and v < 0.0):
        return v * (1.0 - abs((x - low - alpha) / alpha) ** (2.0 * beta))
    return v


def _tanh_limit(x: float, limit: float | None) -> float:
    """Lambda as printed; it saturates at half of the limit."""
    half = (limit or 0.0) / 2.0
    return half * math.tanh(x / half)


def _clamp(x: float, limit: float | None) -> float:
    """What lambda is meant to be."""
    bound = limit or 0.0
    return min(max(x, -bound), bound)
