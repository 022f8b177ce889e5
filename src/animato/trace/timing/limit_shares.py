"""How much of each limit a time scaling uses."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.trace.timing.axis_limits import AxisLimits
from animato.trace.timing.limit_rows_kernel import PLACES
from animato.trace.timing.path_dynamics import PathDynamics


@inlined_kernel
def _torque_share(limits: AxisLimits, j: int, torque: float, velocity: float) -> float:
    """Used share of a motor, with friction: of its torque limit and, while it drives, of its curve."""
    torque += limits.damping[j] * velocity + limits.friction[j] * np.sign(velocity)
    share = abs(torque) / limits.torque[j]
    if torque * velocity > 0.0:
        for line in range(limits.lines.shape[1]):
            if limits.lines[j, line, 0] < np.inf:
                able = limits.lines[j, line, 0] - limits.lines[j, line, 1] * abs(velocity)
                share = max(share, abs(torque) / max(able, 1e-2 * limits.lines[j, line, 0]))
    return float(share)


@kernel
def _shares_kernel(
    grid: np.ndarray,
    b: np.ndarray,
    bends: np.ndarray,
    places: int,
    path: PathDynamics,
    limits: AxisLimits,
    shares: np.ndarray,
) -> None:
    """Writes the largest shares of velocity, acceleration and torque, [3], at `places` places a segment and its end."""
    shares[:] = 0.0
    for i in range(len(grid) - 1):
        width = grid[i + 1] - grid[i]
        for m in range(places * i, places * i + places + 1):
            part = (path.s[m] - grid[i]) / width
            square = (1.0 - part) * b[i] + part * b[i + 1] + 2.0 * part * (1.0 - part) * bends[i]
            push = (0.5 * (b[i + 1] - b[i]) + (1.0 - 2.0 * part) * bends[i]) / width
            speed = np.sqrt(max(square, 0.0))
            for j in range(path.dq.shape[1]):
                velocity = path.dq[m, j] * speed
                acceleration = path.dq[m, j] * push + path.ddq[m, j] * square
                torque = path.a[m, j] * push + path.d[m, j] * square + path.c[m, j]
                shares[0] = max(shares[0], abs(velocity) / limits.velocity[j])
                shares[1] = max(shares[1], abs(acceleration) / limits.acceleration[j])
                shares[2] = max(shares[2], _torque_share(limits, j, torque, velocity))


@kernel
def motion_shares_kernel(
    places: int,
    velocity: np.ndarray,
    acceleration: np.ndarray,
    torque: np.ndarray,
    limits: AxisLimits,
    shares: np.ndarray,
) -> None:
    """Writes the largest shares of each segment, [N, 3], of a motion given at `places` moments a segment.

    Args:
        places: Moments a segment.
        velocity: Of the degrees of freedom, [N * places, n].
        acceleration: The same.
        torque: Of the motors without friction and damping, [N * places, n].
        limits: Of the n degrees of freedom.
        shares: Of velocity, acceleration and torque, written.
    """
    shares[:] = 0.0
    for m in range(len(velocity)):
        own = shares[m // places]
        for j in range(velocity.shape[1]):
            own[0] = max(own[0], abs(velocity[m, j]) / limits.velocity[j])
            own[1] = max(own[1], abs(acceleration[m, j]) / limits.acceleration[j])
            own[2] = max(own[2], _torque_share(limits, j, torque[m, j], velocity[m, j]))


def worst_shares(
    limits: AxisLimits,
    path: PathDynamics,
    grid: np.ndarray,
    b: np.ndarray,
    bends: np.ndarray,
    with_torque: bool,
    places: int = PLACES,
) -> dict[str, float]:
    """The largest used share of each kind of limit at `places` places a segment; 1 is the limit."""
    shares = np.empty(3)
    _shares_kernel(grid, b, bends, places, path, limits, shares)
    kinds = ("velocity", "acceleration", "torque") if with_torque else ("velocity", "acceleration")
    return {kind: float(share) for kind, share in zip(kinds, shares, strict=False)}
