"""The check between grid points: limits of a time scaling on a much finer grid, by inverse dynamics itself."""

from __future__ import annotations

import numpy as np

from animato.character import Character
from animato.trace.axis_limits import axis_limits
from animato.trace.joint_path import JointPath
from animato.trace.limit_shares import worst_shares
from animato.trace.path_dynamics import path_dynamics
from animato.trace.time_scaling import TimeScaling


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
