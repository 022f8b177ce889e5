"""Whether a fixed motion may be used, and where none exists, why."""

from __future__ import annotations

import numpy as np

from animato.fix.problem import Problem
from animato.fix.shape import ShapedClip
from animato.mechanics.limits import LIMIT_KINDS, SHARE_TOLERANCE, LimitUsage
from animato.motion import Clip
from animato.outcome import Outcome, Status


def verdict_of(problem: Problem, shaped: ShapedClip, usage: LimitUsage, clip: Clip) -> Outcome:
    """Judged by the house's own check of the written frames, not by the solver's word."""
    looked = [kind for kind in LIMIT_KINDS if getattr(problem.options, kind, True)]
    over = {kind: usage.peak(kind) for kind in looked if usage.peak(kind) > 1.0 + SHARE_TOLERANCE}
    if not over:
        reason = "Every limit holds." if shaped.spans else "Every limit held already; nothing was changed."
        return Outcome(Status.SOLVED, reason, shaped.programs)
    kind = max(over, key=lambda one: over[one])
    moment, axis = np.unravel_index(int(np.nanargmax(usage.shares[kind])), usage.shares[kind].shape)
    where = (
        f"the {kind} of {usage.axes[int(axis)].name} is at {100.0 * over[kind]:.4g} % at {usage.times[moment]:.2f} s"
    )
    return Outcome(Status.INFEASIBLE, f"No motion was found within all limits: {where}.", shaped.programs)
