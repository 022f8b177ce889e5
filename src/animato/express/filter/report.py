"""How well the motion filter follows: lag, overshoot, settling time and used shares of limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from animato.character import Limits
from animato.errors import OptionError
from animato.express.filter.motion_filter import FilteredMotion, follow

SETTLED = 1e-6
"""Share of the set-points' span within which a joint counts as settled."""

_LONGEST_S = 1e4  # a step that takes longer than hours is reported as never settling


@dataclass(frozen=True)
class FilterReport:
    """Figures of one joint.

    Attributes:
        lag_s: Delay of the set-points that brings them nearest to the commands, least squares [s]. Of a
            step it is the time until half the way is made.
        overshoot: By how much commands leave the span of the set-points [rad or m].
        settling_s: From the last change of the set-point until the command stays within a millionth of
            the set-points' span [s]; infinite where it never does.
        worst_limit_share: Largest used share of any limit; 1 is the limit itself, 0 where there is none.
    """

    lag_s: float
    overshoot: float
    settling_s: float
    worst_limit_share: float


def filter_reports(
    limits: Sequence[Limits], motion: FilteredMotion, set_points: ArrayLike, *, longest_lag_s: float = 1.0
) -> tuple[FilterReport, ...]:
    """Measures how commands follow their set-points.

    Args:
        limits: One a joint.
        motion: What `follow` made of the set-points.
        set_points: [rad or m], [frame, joint].
        longest_lag_s: How far to look for the lag [s].
    """
    wanted = _known(np.asarray(set_points, dtype=np.float64))
    reports = []
    for i, one in enumerate(limits):
        goal, got = np.clip(wanted[:, i], *one.range), motion.positions[:, i]
        beyond = max(got.max() - goal.max(), goal.min() - got.min(), 0.0)
        reports.append(
            FilterReport(
                lag_s=_lag(goal, got, round(longest_lag_s * motion.rate_hz)) / motion.rate_hz,
                overshoot=float(beyond),
                settling_s=_settling(goal, got) / motion.rate_hz,
                worst_limit_share=worst_limit_share(one, motion, i),
            )
        )
    return tuple(reports)


def step_response(
    limits: Limits,
    rate_hz: float,
    *,
    start: float = 0.0,
    end: float = 1.0,
    duration_s: float | None = None,
    smoothness: ArrayLike | None = None,
    responsiveness: ArrayLike | None = None,
    softness: ArrayLike | None = None,
    haste: ArrayLike | None = None,
    overshoot: ArrayLike | None = None,
) -> FilterReport:
    """Figures of one step of one joint.

    Args:
        limits: Of the joint.
        rate_hz: Of the commands [Hz].
        start: Set-point before the step [rad or m].
        end: Set-point after it [rad or m].
        duration_s: How long to watch [s]; by default until it has come to rest.
        smoothness: As for `MotionFilter`.
        responsiveness: As for `MotionFilter`.
        softness: As for `MotionFilter`.
        haste: As for `MotionFilter`.
        overshoot: As for `MotionFilter`.
    """
    if duration_s is not None and not (math.isfinite(duration_s) and duration_s > 0.0):
        raise OptionError(f"`duration_s` must be a number greater than 0, not {duration_s!r}.")
    seconds = 4.0 if duration_s is None else duration_s
    while True:
        # The first frame still asks for the start: the step comes while the joint rests there.
        goal = np.full((max(round(seconds * rate_hz), 2) + 1, 1), float(end))
        goal[0] = start
        motion = follow(
            (limits,),
            rate_hz,
            goal,
            smoothness=smoothness,
            responsiveness=responsiveness,
            softness=softness,
            haste=haste,
            overshoot=overshoot,
        )
        (report,) = filter_reports((limits,), motion, goal, longest_lag_s=seconds)
        if math.isfinite(report.settling_s) or duration_s is not None or seconds > _LONGEST_S:
            return report
        seconds *= 4.0


def worst_limit_share(limits: Limits, motion: FilteredMotion, joint: int) -> float:
    """Largest used share of any limit of a joint; the share of a position is in half ranges from the middle."""
    shares = [0.0]
    for values, limit in (
        (motion.velocities, limits.velocity),
        (motion.accelerations, limits.acceleration),
        (motion.jerks, limits.jerk),
    ):
        if limit is not None:
            shares.append(float(np.abs(values[:, joint]).max()) / limit)
    if limits.lower is not None and limits.upper is not None and limits.lower < limits.upper:
        middle, half = (limits.lower + limits.upper) / 2.0, (limits.upper - limits.lower) / 2.0
        shares.append(float(np.abs(motion.positions[:, joint] - middle).max()) / half)
    return max(shares)


def _known(set_points: np.ndarray) -> np.ndarray:
    """Set-points with those that are not finite replaced by the ones before them, or the first that is."""
    result = np.array(set_points)
    for column in result.T:
        good = np.flatnonzero(np.isfinite(column))
        if len(good) == 0:
            column[:] = 0.0
            continue
        latest = np.maximum.accumulate(np.where(np.isfinite(column), np.arange(len(column)), good[0]))
        column[:] = column[latest]
    return result


def _lag(goal: np.ndarray, got: np.ndarray, longest: int) -> float:
    """Delay of the goal [samples], between samples too, that brings it nearest to what was got."""
    rise, made = goal - goal[0], got - goal[0]
    count = len(rise)
    size = 2 * count
    together = np.fft.irfft(np.fft.rfft(made, size) * np.conj(np.fft.rfft(rise, size)), size)[:count]
    # sum over k of (made[k] - rise[k - delay])^2 with rise[k] = 0 before the start
    gap = np.sum(made**2) - 2.0 * together + np.cumsum(rise**2)[::-1]
    gap = gap[: max(min(longest + 1, count), 1)]
    best = int(np.argmin(gap))
    if not 0 < best < len(gap) - 1:
        return float(best)
    before, here, after = gap[best - 1 : best + 2]
    curvature = before - 2.0 * here + after
    return best + (float(0.5 * (before - after) / curvature) if curvature > 0.0 else 0.0)


def _settling(goal: np.ndarray, got: np.ndarray) -> float:
    """Samples from the last change of the goal until it is met for good; infinite if it never is."""
    changes = np.flatnonzero(np.diff(goal))
    last = int(changes[-1]) if len(changes) else 0
    off = np.flatnonzero(np.abs(got - goal[-1]) > SETTLED * np.ptp(goal))
    if len(off) == 0 or off[-1] < last:
        return 0.0
    return math.inf if off[-1] == len(got) - 1 else float(off[-1] + 1 - last)
