"""More time where motors are too weak or too slow, and only there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.mimic.curve import ControlPoints
from animato.mimic.optimization.packing import speed_shares, torque_shares
from animato.mimic.problem import Problem, at_times, knots_at_pace

_OVER = 1.01  # share of a limit from which on more time is given
_AROUND_S = 0.25  # before and after such a moment
_MOST = 1.25  # times as slow, in one go


def slowed(problem: Problem, torques: np.ndarray, controls: ControlPoints) -> Problem | None:
    """The problem with more time where limits are broken; None where none is, or time does not help.

    Torques that gravity alone asks for do not fall with more time; there the shape must give way.

    Args:
        problem: What was asked.
        torques: Of motors, [knot, dof].
        controls: Of the motion.
    """
    if not np.isfinite(torques).all():
        return None
    share = np.maximum(torque_shares(problem, torques), speed_shares(problem, controls))
    over = share > _OVER
    if not over.any():
        return None
    reach = max(1, round(_AROUND_S / problem.step))
    need = np.where(over, np.minimum(np.sqrt(share), _MOST), 1.0)
    slow = np.array([need[max(0, t - reach) : t + reach + 1].max() for t in range(len(need))])
    before = np.gradient(problem.times, problem.source_times)
    source = knots_at_pace(
        float(problem.source_times[0]),
        float(problem.source_times[-1]),
        problem.source_times,
        before * slow,
        problem.step,
    )
    longer = 100.0 * (len(source) / len(problem.times) - 1.0)
    total = (1.0 + problem.slowed_percent / 100.0) * (1.0 + longer / 100.0) - 1.0
    return replace(at_times(problem, source, problem.step), slowed_percent=100.0 * total)
