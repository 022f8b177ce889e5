"""The check between grid points: limits of a time scaling by inverse dynamics itself, nothing interpolated."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.mechanics.tree import inverse_dynamics_kernel, packed_tree
from animato.trace.path import JointPath
from animato.trace.timing.axis_limits import axis_limits
from animato.trace.timing.limit_shares import motion_shares_kernel, worst_shares
from animato.trace.timing.path_dynamics import path_dynamics, path_states, rest_root
from animato.trace.timing.time_scaling import TimeScaling

CHECKED = 8
"""Places inside each segment at which a solve checks its own answer."""


def shares_inside(
    character: Character, path: JointPath, grid: np.ndarray, b: np.ndarray, bends: np.ndarray, places: int = CHECKED
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
    motion_shares_kernel(places, velocity, acceleration, torque, axis_limits(character), shares)
    return shares


def shares_between(
    character: Character, path: JointPath, scaling: TimeScaling, *, finer: int = 100, with_torque: bool = True
) -> dict[str, float]:
    """The largest used share of each kind of limit on a grid that is `finer` times finer; 1 is the limit.

    At every grid point both neighbouring segments' accelerations are looked at. The path is its own spline there, and
    the torques are those of the whole dynamics: nothing is interpolated.
    """
    inside = scaling.s[:-1, None] + np.diff(scaling.s)[:, None] * (np.arange(finer) / finer)
    dynamics = path_dynamics(character, path, np.append(inside.ravel(), scaling.s[-1]))
    return worst_shares(axis_limits(character), dynamics, scaling.s, scaling.b, scaling.bends, with_torque, finer)
