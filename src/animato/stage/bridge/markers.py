"""Moments at which a motion asks too much, as short as the timeline of an editor wants them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from animato.findings import CheckResult, Finding, balance_sentence, finding_sentence, percent

_MOST = 100  # marks; a timeline with more of them shows nothing
_LONGEST = 60  # letters that an editor keeps of a mark's name
_WORDS = {"velocity": "speed"}


@dataclass(frozen=True)
class Mark:
    """One moment.

    Attributes:
        time_s: When it is worst [s].
        name: Joint, limit and how much of it is used.
        sentence: The same for people; of the joint's worst moment.
        share: Of the limit; infinity is told as None.
    """

    time_s: float
    name: str
    sentence: str
    share: float | None


def marks_of(result: CheckResult) -> tuple[Mark, ...]:
    """One mark for each stretch of time in which a joint is over a limit, the worst ones if they are many.

    Args:
        result: Of a check.
    """
    marks = [mark for finding in result.findings for mark in _marks(result, finding)]
    if result.balance is not None and result.tips:
        name = f"balance: tips {result.balance.direction}"
        share = float(result.balance.share)
        marks.append(Mark(result.balance.time, name[:_LONGEST], balance_sentence(result.balance), _finite(share)))
    worst = sorted(marks, key=lambda mark: np.inf if mark.share is None else mark.share, reverse=True)[:_MOST]
    return tuple(sorted(worst, key=lambda mark: mark.time_s))


def _marks(result: CheckResult, finding: Finding) -> Iterator[Mark]:
    usage = result.usage
    axis = [one.name for one in usage.axes].index(finding.axis)
    shares = np.nan_to_num(usage.shares[finding.kind][:, axis], nan=0.0)
    label = result.labels[finding.axis]
    kind = _WORDS.get(finding.kind, finding.kind)
    for start, end in finding.intervals:
        inside = np.flatnonzero((usage.times >= start) & (usage.times <= end))
        if not len(inside):
            continue
        peak = inside[np.argmax(shares[inside])]
        much = f" {kind} {percent(float(shares[peak]))}"
        # The end of the name is what matters, so a long joint's name gives way.
        name = label if len(label) + len(much) <= _LONGEST else f"{label[: _LONGEST - len(much) - 3]}..."
        sentence = finding_sentence(result, finding)
        yield Mark(float(usage.times[peak]), name + much, sentence, _finite(float(shares[peak])))


def _finite(share: float) -> float | None:
    return share if np.isfinite(share) else None
