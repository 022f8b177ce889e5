"""Whether a fixed motion may be used, and where none exists, why."""

from __future__ import annotations

import numpy as np

from animato.findings import distance, seconds
from animato.fix.apart import Nearness, Watch, nearness_of
from animato.fix.impossible import obstacles_of
from animato.fix.judging import Judged
from animato.fix.problem import Problem
from animato.fix.shape import ShapedClip
from animato.motion import Clip
from animato.outcome import Outcome, Status


def verdict_of(
    problem: Problem,
    shaped: ShapedClip,
    clip: Clip,
    pace: np.ndarray | None = None,
    watch: Watch | None = None,
    *,
    holding: bool,
) -> Outcome:
    """Judged by the house's own check of the written frames, not by the solver's word.

    Args:
        problem: What was asked for.
        shaped: What the solver says.
        clip: What came out.
        pace: The artist's time of each of its frames [s], [frame].
        watch: Bodies that stay apart.
        holding: Whether everything holds, by the check of what came out.
    """
    if holding:
        reason = "Every limit holds." if shaped.spans else "Every limit held already; nothing was changed."
        return Outcome(Status.SOLVED, reason, shaped.programs)
    obstacles = obstacles_of(problem, clip, pace)
    near = None if watch is None else nearness_of(watch, clip)
    if obstacles:
        why = obstacles[0].reason
    elif near is not None and not near.proven:
        why = _near_words(problem, near)
    else:
        why = f"{shaped.outcome.reason}."
    return Outcome(Status.INFEASIBLE, f"No motion was found within all limits: {why}", shaped.programs)


def holds(found: Judged, clip: Clip, watch: Watch | None = None) -> bool:
    """Whether every limit that counts holds, and the balance where it counts, and bodies stay apart."""
    return found.holds and (watch is None or nearness_of(watch, clip).proven)


def _near_words(problem: Problem, near: Nearness) -> str:
    first, second = near.pair
    apart, when = near.least + problem.options.clearance_m, seconds(near.time)
    if apart < 0.0:
        return f"{first} and {second} overlap by {distance(-apart, angular=False)} at {when}."
    return f"{first} and {second} are {distance(apart, angular=False)} apart at {when}."
