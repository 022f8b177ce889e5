"""Ruckig follows the frames of a clip: each frame is its next target, one control cycle later it gets another.

It knows velocity, acceleration and jerk of each joint, not torque, and it does not know what comes next. Searched for:
how many frames ahead its target lies, whether the target has the clip's velocity or rests, and by how much its limits
are lowered so that torques, and the spline between its frames, keep theirs too.
"""

from __future__ import annotations

import time

import numpy as np

from animato.motion import Clip
from benchmarks.fix_cases import Case
from benchmarks.fix_measures import Result
from benchmarks.fix_peers import bounds, clamped, holds, mean_deviation, with_positions

LEADS = (0, 1, 2, 3, 4, 6, 8, 11, 15, 20, 27)
"""Frames that the target is ahead; also tried with the best of them for each joint."""

SCALES = (0.98, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.13, 0.08, 0.05)
"""Shares of the limits that it is told; the largest few with which all limits hold are compared."""

COMPARED = 2
INSETS = (0.01, 0.05)
WAYS = ((True, True), (False, True), (False, False))
"""Whether targets move, and whether the velocity limit is lowered as much as the others or hardly."""


def ruckig_follower(case: Case) -> Result:
    """Ruckig, with the best settings found, at the artist's duration."""
    begin = time.perf_counter()
    best: tuple[float, Clip | None, str] = (np.inf, None, "no share of the limits keeps all of them")
    for inset in INSETS:
        start = clamped(case, inset)
        for moving, slower in WAYS:
            kept = 0
            for scale in SCALES:
                clips = [(f"{lead}", _followed(case, start, (scale, slower), lead, moving)) for lead in LEADS]
                clips.append(("by joint some", _by_joint(case, [clip for _, clip in clips if clip is not None])))
                fitting = [(lead, clip) for lead, clip in clips if clip is not None and holds(case, clip)]
                for lead, clip in fitting:
                    error = mean_deviation(case, clip)
                    how = f"{100 * scale:.0f} % of the limits, {lead} frames ahead{'' if moving else ', targets rest'}"
                    best = min(best, (error, clip, how), key=lambda one: one[0])
                kept += bool(fitting)
                if kept == COMPARED:
                    break
    return Result("Ruckig", best[1], None, time.perf_counter() - begin, best[2])


def _followed(case: Case, start: Clip, lowered: tuple[float, bool], lead: int, moving: bool) -> Clip | None:
    """What Ruckig does; None where it refuses its input."""
    import ruckig

    cycle = start.duration / (start.frame_count - 1)
    velocity, acceleration, jerk = _told(case, start, *lowered)
    count = len(start.names)
    follower, given, out = ruckig.Ruckig(count, cycle), ruckig.InputParameter(count), ruckig.OutputParameter(count)
    given.synchronization = ruckig.Synchronization.No
    given.max_velocity, given.max_acceleration, given.max_jerk = velocity, acceleration, jerk
    speeds = np.clip(start.velocity(), -0.95 * velocity, 0.95 * velocity) if moving else np.zeros_like(start.positions)
    first_speed = np.clip(start.velocity()[0], -velocity, velocity)
    last = start.frame_count - 1
    speeds[last] = 0.0
    places, speeds = np.round(start.positions, 9), np.round(speeds, 9)  # it stumbles over values such as 1e-20
    given.current_position, given.current_velocity = places[0], np.round(first_speed, 9)
    given.current_acceleration = np.zeros(count)
    done = [places[0]]
    for frame in range(last):
        target = min(frame + 1 + lead, last)
        given.target_position, given.target_velocity = places[target], speeds[target]
        given.target_acceleration = np.zeros(count)
        try:
            if follower.update(given, out) < 0:
                return None
        except ruckig.RuckigError:
            return None
        done.append(np.array(out.new_position))
        out.pass_to_input(given)
    return with_positions(start, np.array(done), "Ruckig")


def _by_joint(case: Case, clips: list[Clip]) -> Clip | None:
    """Each joint with the lead that suits it best: joints do not wait for one another, so each is on its own."""
    if not clips:
        return None
    errors = np.array([np.sum((clip.positions - case.clip.positions) ** 2, axis=0) for clip in clips])
    best = np.argmin(errors, axis=0)
    columns = [clips[which].positions[:, column] for column, which in enumerate(best)]
    return with_positions(clips[0], np.column_stack(columns), "Ruckig")


def _told(case: Case, start: Clip, scale: float, slower: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Limits of velocity, acceleration and jerk that it is told.

    Of a joint without a limit on acceleration, the largest acceleration and jerk of the artist's own motion stand for
    them: without any, torques would know no bound. Where only a limit on jerk is missing, it is told of none.
    """
    velocity, acceleration, jerk = (bounds(case, kind) for kind in ("velocity", "acceleration", "jerk"))
    asked = np.maximum(np.abs(start.acceleration()).max(axis=0), 1e-3)
    asked_jerk = np.maximum(np.abs(start.jerk()).max(axis=0), 1e-2)
    limited = np.isfinite(acceleration)
    return (
        np.minimum((scale if slower else max(scale, 0.8)) * velocity, 1e6),
        scale * np.where(limited, acceleration, asked),
        np.where(np.isfinite(jerk), scale * jerk, np.where(limited, np.inf, scale * asked_jerk)),
    )
