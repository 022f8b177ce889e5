"""What a motion asks too much of, as `check` sees it, in the memory of a piece of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from animato.character.structure import rigidified, topology_of
from animato.fix.impossible import tipping
from animato.fix.problem import Problem
from animato.mechanics.limits import LIMIT_KINDS, SHARE_TOLERANCE, LimitUsage, limit_usage
from animato.motion import Clip

_PIECE = 6000  # frames that are looked at together
_MARGIN = 40  # frames around them: what the end of a spline does has faded there


@dataclass(frozen=True)
class Judged:
    """What was found.

    Attributes:
        exceeding: Axes that are over a limit which counts.
        tips: Whether balance is lost, where it counts.
    """

    exceeding: frozenset[str]
    tips: bool

    @property
    def holds(self) -> bool:
        """Whether every limit holds, and balance."""
        return not self.exceeding and not self.tips


def judged(problem: Problem, clip: Clip, *, oversampling: int = 4) -> Judged:
    """Holds a clip against every limit that counts, and its balance.

    Args:
        problem: What was asked for.
        clip: What is judged.
        oversampling: Points looked at for each step from frame to frame; 4 is what `check` takes.
    """
    exceeding, tips = set[str](), False
    for piece, begin, end in _pieces(problem, clip):
        usage = limit_usage(problem.character, piece, oversampling=oversampling)
        inner = (usage.times >= begin) & (usage.times <= end)
        exceeding |= _over(problem, usage, inner)
        tips = tips or tipping(problem, piece, usage) is not None
    return Judged(frozenset(exceeding), tips)


def _over(problem: Problem, usage: LimitUsage, inner: np.ndarray) -> set[str]:
    return {
        axis.name
        for kind in LIMIT_KINDS
        if getattr(problem.options, kind, True)
        for axis, shares in zip(usage.axes, usage.shares[kind][inner].T, strict=True)
        if np.any(shares > 1.0 + SHARE_TOLERANCE)
    }


def _pieces(problem: Problem, clip: Clip) -> Iterator[tuple[Clip, float, float]]:
    """Parts of a clip, and from when to when each counts [s]; a mechanism with loops is followed from its start."""
    count = clip.frame_count
    if count <= _PIECE + _MARGIN or not topology_of(rigidified(problem.character)).is_tree:
        yield clip, float(clip.times[0]), float(clip.times[-1])
        return
    for first in range(0, count - 1, _PIECE):
        last = min(count - 1, first + _PIECE)
        piece = clip.part(slice(max(0, first - _MARGIN), min(count, last + _MARGIN + 1)))
        yield piece, float(clip.times[first]), float(clip.times[last])
