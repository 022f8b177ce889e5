"""Whether a fixed motion may be used, and where none exists, why."""

from __future__ import annotations

import numpy as np

from animato.fix.impossible import obstacles_of, tipping
from animato.fix.problem import Problem
from animato.fix.shape import ShapedClip
from animato.mechanics.limits import LIMIT_KINDS, SHARE_TOLERANCE, LimitUsage
from animato.motion import Clip
from animato.outcome import Outcome, Status


def verdict_of(
    problem: Problem,
    shaped: ShapedClip,
    usage: LimitUsage,
    clip: Clip,
    pace: np.ndarray | None = None,
    *,
    holding: bool | None = None,
) -> Outcome:
    """Judged by the house's own check of the written frames, not by the solver's word.

    Args:
        problem: What was asked for.
        shaped: What the solver says.
        usage: Of the limits, by what came out.
        clip: What came out.
        pace: The artist's time of each of its frames [s], [frame].
        holding: Whether everything holds, where that is known already.
    """
    if holds(problem, usage, clip) if holding is None else holding:
        reason = "Every limit holds." if shaped.spans else "Every limit held already; nothing was changed."
        return Outcome(Status.SOLVED, reason, shaped.programs)
    obstacles = obstacles_of(problem, clip, pace)
    why = obstacles[0].reason if obstacles else f"{shaped.outcome.reason}."
    return Outcome(Status.INFEASIBLE, f"No motion was found within all limits: {why}", shaped.programs)


def holds(problem: Problem, usage: LimitUsage, clip: Clip) -> bool:
    """Whether every limit that counts holds, and the balance where it counts."""
    looked = [kind for kind in LIMIT_KINDS if getattr(problem.options, kind, True)]
    if any(usage.peak(kind) > 1.0 + SHARE_TOLERANCE for kind in looked):
        return False
    return tipping(problem, clip, usage) is None
