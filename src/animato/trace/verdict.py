"""Whether a trace may be used: the one place that decides."""

from __future__ import annotations

from animato.mechanics.limits import SHARE_TOLERANCE
from animato.outcome import Outcome, Status
from animato.trace.path import PathFit
from animato.trace.timing import SettledClip, TimeScaling

CLOSE_GAP = 0.01
"""Share of the objective by which an unfinished timing may be worse than the best, proven, to be used all the same."""


def verdict(fit: PathFit, scaling: TimeScaling, settled: SettledClip, together: Outcome | None = None) -> Outcome:
    """What became of a trace.

    Out of reach and beyond a limit is not usable. Nor is a timing that its solver gave up, unless its certificate
    proves it to be nearly the best: all limits are checked for it as for any other. A path that was still getting
    nearer, and a joint optimization that was not finished, leave an answer that holds everything.

    Args:
        fit: Where.
        scaling: When.
        settled: The frames.
        together: How the optimization of both together ended, where there was one.
    """
    steps = fit.outcome.iterations + scaling.outcome.iterations + (0 if together is None else together.iterations)
    if fit.out_of_reach:
        more = len(fit.out_of_reach) - 1
        return Outcome(Status.INFEASIBLE, fit.out_of_reach[0].reason + (f" And {more} more." if more else ""), steps)
    if fit.not_kept:
        return Outcome(Status.INFEASIBLE, fit.not_kept, steps)
    performed = {**settled.peaks, "position": settled.position}
    for what, shares in (("timing", scaling.worst_shares), ("clip", performed)):
        kind = max(shares, key=shares.__getitem__, default="")
        if kind and shares[kind] > 1.0 + SHARE_TOLERANCE:
            reason = f"The {what} takes {100.0 * shares[kind]:.4g} % of a limit of {kind}."
            return Outcome(Status.INFEASIBLE, reason, steps)
    unfinished = [one.reason for one in (fit.outcome, together) if one is not None and not one.solved]
    if scaling.outcome.status is Status.ACCEPTABLE:
        unfinished.append(scaling.outcome.reason)
    elif not scaling.outcome.solved:
        reason = f"The timing is not proven to be the best: {scaling.outcome.reason}"
        if not scaling.gap <= CLOSE_GAP:  # nor if nothing was proven
            return Outcome(scaling.outcome.status, reason, steps)
        unfinished.append(f"{reason}; at most {100.0 * scaling.gap:.2g} % could be gained")
    if unfinished:
        sentences = [f"{one[0].upper()}{one[1:].rstrip('.')}." for one in unfinished if one]
        return Outcome(Status.ACCEPTABLE, " ".join(["All limits hold.", *sentences]), steps)
    reason = "As near to the drawing, in place and in time, as the limits allow."
    if together is not None:  # best near where it began, which is not to say best of all
        reason = f"All limits hold: {together.reason}."
    return Outcome(Status.SOLVED, reason, steps)
