"""How much of each limit a time scaling uses, at grid points and between them.

`animato.mechanics.limits` says the same of clips. Here a solve checks itself: a motion along a path is known exactly,
so that nothing is interpolated, and only the largest shares are wanted, many times, within milliseconds.
"""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.kernels.compiled import inlined_kernel, kernel
from animato.mechanics.tree import inverse_dynamics_kernel, packed_tree
from animato.trace.path import JointPath
from animato.trace.timing.axis_limits import AxisLimits, axis_limits, torque_bounds
from animato.trace.timing.path_dynamics import PathDynamics, path_dynamics, path_states, rest_root
from animato.trace.timing.segment_rows import PLACES
from animato.trace.timing.time_scaling import TimeScaling

CHECKED = 8
"""Places inside each segment at which a solve checks its own answer."""


@inlined_kernel
def _torque_share(limits: AxisLimits, j: int, torque: float, velocity: float, most: float, least: float) -> float:
    """Used share of a motor, with friction: of its torque limits and, while it drives, of its curve."""
    torque += limits.damping[j] * velocity + limits.friction[j] * np.sign(velocity)
    share = abs(torque) / (most if torque > 0.0 else least)
    if torque * velocity > 0.0:
        for line in range(limits.lines.shape[1]):
            if limits.lines[j, line, 0] < np.inf:
                able = limits.lines[j, line, 0] - limits.lines[j, line, 1] * abs(velocity)
                share = max(share, abs(torque) / max(able, 1e-2 * limits.lines[j, line, 0]))
    return float(share)


@inlined_kernel
def _of_both(value: float, up: float, down: float) -> float:
    """Used share of a limit that has two directions."""
    return value / up if value > 0.0 else -value / down


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
                shares[0] = max(shares[0], _of_both(velocity, limits.up[0, j], limits.down[0, j]))
                shares[1] = max(shares[1], _of_both(acceleration, limits.up[1, j], limits.down[1, j]))
                used = _torque_share(limits, j, torque, velocity, path.most[m, j], path.least[m, j])
                shares[2] = max(shares[2], used)


@kernel
def motion_shares_kernel(
    places: int,
    velocity: np.ndarray,
    acceleration: np.ndarray,
    torque: np.ndarray,
    most: np.ndarray,
    least: np.ndarray,
    limits: AxisLimits,
    shares: np.ndarray,
) -> None:
    """Writes the largest shares of each segment, [N, 3], of a motion given at `places` moments a segment.

    Args:
        places: Moments a segment.
        velocity: Of the degrees of freedom, [N * places, n].
        acceleration: The same.
        torque: Of the motors without friction and damping, [N * places, n].
        most: Limits of torque upward, [N * places, n].
        least: Downward, positive, [N * places, n].
        limits: Of the n degrees of freedom.
        shares: Of velocity, acceleration and torque, written.
    """
    shares[:] = 0.0
    for m in range(len(velocity)):
        own = shares[m // places]
        for j in range(velocity.shape[1]):
            own[0] = max(own[0], _of_both(velocity[m, j], limits.up[0, j], limits.down[0, j]))
            own[1] = max(own[1], _of_both(acceleration[m, j], limits.up[1, j], limits.down[1, j]))
            own[2] = max(own[2], _torque_share(limits, j, torque[m, j], velocity[m, j], most[m, j], least[m, j]))


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


def shares_inside(
    character: Character,
    path: JointPath,
    grid: np.ndarray,
    b: np.ndarray,
    bends: np.ndarray,
    places: int = CHECKED,
    bounds: tuple[str, ...] = (),
) -> np.ndarray:
    """The largest used shares of velocity, acceleration and torque inside each segment, [N, 3]; 1 is the limit.

    One call of inverse dynamics for the motion itself, at places that the limit rows do not know.

    Args:
        character: Whose limits.
        path: Where the joints go.
        grid: s, [N + 1].
        b: s'^2 there [1/s^2], [N + 1].
        bends: Of b on each segment [1/s^2], [N].
        places: A segment.
        bounds: Limits by direction or pose, as in `Options.bounds`.
    """
    x = (np.arange(places) + 0.5) / places
    width = np.diff(grid)[:, None]
    square = (1.0 - x) * b[:-1, None] + x * b[1:, None] + 2.0 * x * (1.0 - x) * bends[:, None]
    push = (0.5 * np.diff(b)[:, None] + (1.0 - 2.0 * x) * bends[:, None]) / width
    square, push = np.maximum(square, 0.0).reshape(-1, 1), push.reshape(-1, 1)
    tree = packed_tree(character)
    q, dq, ddq = path_states(tree, character, path, (grid[:-1, None] + width * x).ravel())
    velocity, acceleration = dq * np.sqrt(square), dq * push + ddq * square
    torque = np.empty_like(dq)
    inverse_dynamics_kernel(tree.arrays, q, velocity, acceleration, rest_root(tree, len(q)), torque)
    torque += tree.armature * acceleration
    shares = np.empty((len(bends), 3))
    most, least = torque_bounds(character, bounds, q)
    limits = axis_limits(character, bounds)
    motion_shares_kernel(places, velocity, acceleration, torque, most, least, limits, shares)
    return shares


def shares_between(
    character: Character,
    path: JointPath,
    scaling: TimeScaling,
    *,
    finer: int = 100,
    with_torque: bool = True,
    bounds: tuple[str, ...] = (),
) -> dict[str, float]:
    """The largest used share of each kind of limit on a grid that is `finer` times finer; 1 is the limit.

    At every grid point both neighbouring segments' accelerations are looked at. The path is its own spline there, and
    the torques are those of the whole dynamics: nothing is interpolated.
    """
    inside = scaling.s[:-1, None] + np.diff(scaling.s)[:, None] * (np.arange(finer) / finer)
    dynamics = path_dynamics(character, path, np.append(inside.ravel(), scaling.s[-1]), bounds)
    return worst_shares(
        axis_limits(character, bounds), dynamics, scaling.s, scaling.b, scaling.bends, with_torque, finer
    )
