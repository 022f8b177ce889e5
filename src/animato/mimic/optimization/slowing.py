"""More time where motors are too weak or too slow for the shape of the motion, and only there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from animato.mimic.contacts import ContactEdit
from animato.mimic.curve import ControlPoints
from animato.mimic.optimization.packing import speed_shares, torque_shares
from animato.mimic.problem import Problem, at_times, knots_at_pace

_OVER = 1.01  # share of a limit from which on more time is given
_USED_UP = 0.99  # of what may be used of a limit: nothing is left
_GAVE_WAY = 0.15  # of the pelvis' height: mean error of key-points by which shape gave way
_UNBALANCED_M = 2e-3  # of the ZMP, that soles cannot give
_AROUND_S = 0.25  # before and after such a moment
_SOME, _MOST = 1.15, 1.25  # times as slow, in one go


def slowed(
    problem: Problem,
    controls: ControlPoints,
    torques: np.ndarray,
    unbalanced: np.ndarray,
    errors: np.ndarray,
    height: float,
) -> Problem | None:
    """The problem with more time where limits are broken or shape gave way to them; None where neither is.

    Args:
        problem: What was asked.
        controls: Of the motion.
        torques: Of motors, [knot, dof].
        unbalanced: The wrench that nothing gives, in metres of the ZMP, [knot].
        errors: Of key-points [m], [knot, landmark].
        height: Of the pelvis [m].
    """
    if not np.isfinite(torques).all():
        return None
    share = np.maximum(torque_shares(problem, torques), speed_shares(problem, controls))
    typical = float(np.median(errors.mean(axis=1)))
    gave_way = errors.mean(axis=1) > typical + _GAVE_WAY * height
    short = (share > _USED_UP * (1.0 - problem.options.margin)) & gave_way
    need = np.where(share > _OVER, np.minimum(np.sqrt(share), _MOST), 1.0)
    need = np.where(short | (unbalanced > _UNBALANCED_M), np.maximum(need, _SOME), need)
    if not (need > 1.0).any():
        return None
    reach = max(1, round(_AROUND_S / problem.step))
    slow = np.array([need[max(0, t - reach) : t + reach + 1].max() for t in range(len(need))])
    before = np.gradient(problem.times, problem.source_times)
    first, last = float(problem.source_times[0]), float(problem.source_times[-1])
    source = knots_at_pace(first, last, problem.source_times, before * slow, problem.step)
    longer = (1.0 + problem.slowed_percent / 100.0) * len(source) / len(problem.times) - 1.0
    later = replace(problem, contacts=_later(problem, source))
    return replace(at_times(later, source, problem.step), slowed_percent=100.0 * longer)


def _later(problem: Problem, source: np.ndarray) -> tuple[ContactEdit, ...]:
    """Contacts that were edited, at the same moments of the person.

    Args:
        problem: Before it is slowed.
        source: Times of the capture at the knots afterwards [s], [knot].
    """
    times = np.arange(len(source)) * problem.step

    def moved(time: float) -> float:
        if not np.isfinite(time):
            return time
        return float(np.interp(np.interp(time, problem.times, problem.source_times), source, times))

    return tuple(replace(one, start_s=moved(one.start_s), end_s=moved(one.end_s)) for one in problem.contacts)
