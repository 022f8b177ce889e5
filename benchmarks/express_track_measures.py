"""What is measured of a motion that follows a target: error, time off target, time at high speed, travel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from animato.express.facing import SQRT_2, facing_errors
from animato.express.gaze import facing_direction, tip_pose
from benchmarks.express_track_cases import Case

OFF_DEG = 5.0  # beyond which a target is not faced
SETTLED_S = 2.0  # from when on a motion counts: peers leave the common start for optima of their own
FAST = 2.0  # [rad/s] above which a joint hurries
UNITS = {"error": "combined error", "off_percent": "%", "fast_s_per_min": "s/min", "travel": "rad/min"}
"""What is measured, and its unit."""


@dataclass(frozen=True, eq=False)
class Moved:
    """What a follower made of a case, behind the motion filter.

    Attributes:
        positions: Commands [rad or m], [frame, n].
        velocities: [rad/s or m/s], [frame, n].
        changes: Changes of branch, where the follower knows of them.
    """

    positions: np.ndarray
    velocities: np.ndarray
    changes: int = 0


@dataclass(frozen=True)
class Figures:
    """Of one follower on one or more cases.

    Attributes:
        error: Mean combined error against the target of the frame.
        off_percent: Time more than 5 degrees off target, of the time in which facing is possible [%].
        fast_s_per_min: Seconds a minute with a joint above 2 rad/s [s/min].
        travel: Sum of all joints' motion [rad/min].
        changes: Changes of branch, where the follower knows of them [1/min].
        possible_percent: Time in which facing is possible [%].
        worst_deg: Most that it is off target while facing is possible [deg].
    """

    error: float
    off_percent: float
    fast_s_per_min: float
    travel: float
    changes: float
    possible_percent: float
    worst_deg: float


def figures(cases: Sequence[Case], moved: Sequence[Moved]) -> Figures:
    """All cases together, but for their first 2 s; each frame counts the same."""
    settled = [round(SETTLED_S * case.course.rate_hz) for case in cases]
    seen = [errors(case, one.positions) for case, one in zip(cases, moved, strict=True)]
    combined = np.concatenate([one[0][begin:] for one, begin in zip(seen, settled, strict=True)])
    off = np.concatenate([one[1][begin:] for one, begin in zip(seen, settled, strict=True)])
    possible = np.concatenate([case.possible[begin:] for case, begin in zip(cases, settled, strict=True)])
    speed = [np.abs(one.velocities[begin:]).max(axis=1) for one, begin in zip(moved, settled, strict=True)]
    way = [np.abs(np.diff(one.positions[begin:], axis=0)).sum() for one, begin in zip(moved, settled, strict=True)]
    minutes = len(combined) / cases[0].course.rate_hz / 60.0
    able = off[possible]
    return Figures(
        error=float(combined.mean()),
        off_percent=100.0 * float(np.mean(able > OFF_DEG)) if len(able) else 0.0,
        fast_s_per_min=60.0 * float(np.mean(np.concatenate(speed) > FAST)),
        travel=float(np.sum(way)) / minutes,
        changes=sum(one.changes for one in moved) / minutes,
        possible_percent=100.0 * float(possible.mean()),
        worst_deg=float(able.max()) if len(able) else 0.0,
    )


def errors(case: Case, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Combined error and angle off target [deg] of each frame, [frame], for positions [frame, n]."""
    chain, course, problem = case.facing.chain, case.course, case.facing
    if course.points is None:
        targets = course.orientations(chain.end_point)
    else:
        eyes = np.array([tip_pose(chain, one)[1] for one in positions])
        toward = course.points - eyes
        toward[np.linalg.norm(toward, axis=1) < 1e-9] = (0.0, 0.0, -1.0)  # at the eye itself
        targets = np.array([facing_direction(chain.end_point, one) for one in toward])
    found = facing_errors(
        chain, positions, problem.posture, targets, problem.weights, roll_tolerance=problem.roll_tolerance
    )
    return found.combined, np.degrees(4.0 * np.arcsin(np.minimum(1.0, found.orientation / SQRT_2)))
