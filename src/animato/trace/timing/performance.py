"""What the robot does along a path in a given time, exactly: no frames, no spline in between."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Character
from animato.mechanics.limits import LimitUsage, usage_of_states
from animato.mechanics.tree import States, inverse_dynamics, packed_tree
from animato.trace.path import JointPath
from animato.trace.timing.path_dynamics import path_states, rest_root
from animato.trace.timing.time_scaling import TimeScaling


def performed_states(character: Character, path: JointPath, scaling: TimeScaling, times: ArrayLike) -> States:
    """Positions, velocities and accelerations at given times [s], from q(s) and s(t) by the chain rule."""
    tree = packed_tree(character)
    moments = np.atleast_1d(np.asarray(times, dtype=np.float64))
    s, rate, push = scaling.rates_at(moments)
    q, dq, ddq = path_states(tree, character, path, s)
    rate, push = rate[:, None], push[:, None]
    return States(moments, q, dq * rate, ddq * rate**2 + dq * push, rest_root(tree, len(moments)))


def performed_usage(character: Character, path: JointPath, scaling: TimeScaling, times: ArrayLike) -> LimitUsage:
    """How much of each limit is used at given times [s]; jerk, which is not finite where s'' jumps, is left out."""
    states = performed_states(character, path, scaling, times)
    torques = inverse_dynamics(character, states).values
    return usage_of_states(character, states, torques, np.full_like(states.velocities, np.nan))
