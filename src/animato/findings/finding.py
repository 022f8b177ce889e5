"""What a check found: for each axis and each kind of limit, its worst moment."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from animato.findings.limit_band import limit_band
from animato.mechanics.limits import LIMIT_KINDS, SHARE_TOLERANCE, LimitUsage

NEAR_SHARE = 0.9
"""From this share of a limit on, a joint that fits is told of as a near miss."""

SPENT_SHARE = 0.02
"""A motor with less than this share of its torque left gives next to nothing."""


@dataclass(frozen=True)
class Finding:
    """The worst moment of one axis against one kind of limit.

    Attributes:
        axis: Name of the axis; the joint's own name where it has one axis.
        joint: Name of the joint.
        angular: Whether the axis turns (rad, N m) or slides (m, N).
        kind: "position", "velocity", "acceleration", "jerk" or "torque".
        share: Of the limit that is used; 1 is at the limit, infinity where nothing is allowed.
        time: Of that moment [s].
        frame: The clip's frame nearest to it, counted from 0.
        value: At that moment [SI], with its sign.
        limit: That holds at that moment [SI]: for a position the nearer end of the range, with its
            sign, otherwise a magnitude.
        limit_at_rest: The same limit while the axis stands still; a motor that moves gives less torque.
        intervals: (start, end) of each stretch of time in which the axis is over this limit [s].
    """

    axis: str
    joint: str
    angular: bool
    kind: str
    share: float
    time: float
    frame: int
    value: float
    limit: float
    limit_at_rest: float
    intervals: tuple[tuple[float, float], ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether more is asked for than there is."""
        return self.share > 1.0 + SHARE_TOLERANCE

    @property
    def is_near(self) -> bool:
        """Whether it fits, but only just."""
        return not self.is_over and self.share > NEAR_SHARE

    @property
    def is_spent(self) -> bool:
        """Whether the motor moves so fast that it has next to no torque left: speed is the trouble, not strength."""
        return self.kind == "torque" and self.limit <= SPENT_SHARE * self.limit_at_rest

    @property
    def excess(self) -> float:
        """By how much the value is beyond its limit [SI]; negative within it, for a position 0."""
        if self.kind == "position":
            return abs(self.value - self.limit) if self.is_over else 0.0
        return abs(self.value) - self.limit

    @property
    def time_over(self) -> float:
        """How long the axis is over this limit, all stretches together [s]."""
        return sum(end - start for start, end in self.intervals)


def findings_of(usage: LimitUsage, first_frame: int = 0) -> tuple[Finding, ...]:
    """The worst moment of each axis and kind that has a limit, the largest share first.

    A motor beyond its top speed has no torque left, so that share is huge for any load. It stands
    right after the speed that causes it.

    Args:
        usage: How much of each limit is used.
        first_frame: What the first frame is called: its number in the file.
    """
    found = [
        _finding(usage, axis, kind, worst, first_frame)
        for kind in LIMIT_KINDS
        for axis, worst in enumerate(_worst_moments(usage.shares[kind]))
        if worst >= 0
    ]
    speeds = {finding.axis: finding.share for finding in found if finding.kind == "velocity"}

    def rank(finding: Finding) -> float:
        return min(finding.share, speeds.get(finding.axis, math.inf)) if finding.is_spent else finding.share

    # Sorting keeps the order of equals, and velocity stands before torque.
    return tuple(sorted(found, key=rank, reverse=True))


def _worst_moments(shares: np.ndarray) -> list[int]:
    """Of each axis the moment of its largest share; -1 where it has no limit.

    Args:
        shares: Of one kind, [time, axis].
    """
    if shares.size == 0:
        return [-1] * shares.shape[1]
    known = ~np.isnan(shares)
    worst = np.argmax(np.where(known, shares, -np.inf), axis=0)
    return [int(moment) if some else -1 for moment, some in zip(worst, known.any(axis=0), strict=True)]


def _finding(usage: LimitUsage, axis: int, kind: str, worst: int, first_frame: int) -> Finding:
    shares = usage.shares[kind][:, axis]
    value = float(usage.values[kind][worst, axis])
    limit, at_rest = _limit_at(usage, axis, kind, worst, value)
    here = usage.axes[axis]
    time = float(usage.times[worst])
    return Finding(
        axis=here.name,
        joint=here.joint,
        angular=here.angular,
        kind=kind,
        share=float(shares[worst]),
        time=time,
        frame=first_frame + int(np.argmin(np.abs(usage.frame_times - time))),
        value=value,
        limit=limit,
        limit_at_rest=at_rest,
        intervals=intervals_over(usage.times, shares) if shares[worst] > 1.0 + SHARE_TOLERANCE else (),
    )


def _limit_at(usage: LimitUsage, axis: int, kind: str, moment: int, value: float) -> tuple[float, float]:
    """The limit that holds for a value at a moment, and the one while the axis stands still."""
    limits = usage.axes[axis].limits
    if kind == "position":
        lower, upper = limits.range
        limit = upper if abs(upper - value) <= abs(value - lower) else lower
        return float(limit), float(limit)
    if kind != "torque":  # the same at all moments
        bound = getattr(limits, kind)
        size = math.inf if bound is None else float(bound)
        return size, size
    low, high = limit_band(usage, axis, kind)
    limit = high[moment] if value >= 0.0 else -low[moment]
    return float(limit), max(float(high.max()), -float(low.min()))


def intervals_over(times: np.ndarray, shares: np.ndarray) -> tuple[tuple[float, float], ...]:
    """Stretches of time in which the shares are above 1, their ends where the straight line between samples is 1.

    Args:
        times: [s], shape [time].
        shares: Shape [time]; NaN counts as not over.
    """
    level = np.clip(np.nan_to_num(shares, nan=0.0), 0.0, 1e6)  # an infinite share has no line to its neighbour
    over = level > 1.0 + SHARE_TOLERANCE
    if not over.any():
        return ()
    starts = np.flatnonzero(over & ~np.concatenate([[False], over[:-1]])).tolist()
    ends = np.flatnonzero(over & ~np.concatenate([over[1:], [False]])).tolist()
    return tuple(
        (_crossing(times, level, first - 1, first), _crossing(times, level, last + 1, last))
        for first, last in zip(starts, ends, strict=True)
    )


def _crossing(times: np.ndarray, level: np.ndarray, outside: int, inside: int) -> float:
    """When the line from a sample that fits to its neighbour that does not passes 1."""
    if not 0 <= outside < len(times):
        return float(times[inside])
    part = (1.0 - level[outside]) / (level[inside] - level[outside])
    return float(times[outside] + np.clip(part, 0.0, 1.0) * (times[inside] - times[outside]))
