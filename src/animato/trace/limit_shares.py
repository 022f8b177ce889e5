"""How much of each limit a time scaling uses."""

from __future__ import annotations

import numpy as np

from animato.spatial.compiled import kernel
from animato.trace.axis_limits import AxisLimits
from animato.trace.limit_rows_kernel import PLACES
from animato.trace.path_dynamics import PathDynamics


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
                torque += limits.damping[j] * velocity + limits.friction[j] * np.sign(velocity)
                shares[0] = max(shares[0], abs(velocity) / limits.velocity[j])
                shares[1] = max(shares[1], abs(acceleration) / limits.acceleration[j])
                shares[2] = max(shares[2], abs(torque) / limits.torque[j])
                if torque * velocity > 0.0:
                    for line in range(limits.lines.shape[1]):
                        if limits.lines[j, line, 0] < np.inf:
                            able = limits.lines[j, line, 0] - limits.lines[j, line, 1] * abs(velocity)
                            shares[2] = max(shares[2], abs(torque) / max(able, 1e-2 * limits.lines[j, line, 0]))


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
