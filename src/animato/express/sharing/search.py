"""A search over all ways to face, a slice at a time: for end-points that are stuck."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animato.express.sharing.body import Body
from animato.express.sharing.goals import Goals

STARTS = 16
"""Places from which a search goes: where the coordinates are, and some farther and farther from the posture."""

FACED = 1e-4
"""Angle within which an end-point faces; two that are nearer are compared by what comes after [rad]."""

STEPS = 48
"""Moves from each start."""

_EASE = 0.35  # share of the way to the posture in each move
_GOLDEN = 0.6180339887498949


@dataclass(frozen=True, eq=False)
class Found:
    """An answer.

    Attributes:
        positions: [rad or m], [n].
        errors: Of each end-point, 0 where it has no goal [rad], [K].
        cost: Of its way from the posture.
    """

    positions: np.ndarray
    errors: np.ndarray
    cost: float


def better(one: Found, other: Found, faced: float = FACED) -> bool:
    """Whether an answer is better: the first end-point that differs decides, and at last the posture."""
    for mine, its in zip(one.errors, other.errors, strict=True):
        if max(mine, its) > faced and abs(mine - its) > faced:
            return bool(mine < its)
    return one.cost < other.cost


class Search:
    """Goes downhill from many starts.

    Args:
        body: What moves.
        goals: What is to be faced.
        pull: The posture [rad or m], [n].
        lower: Where coordinates may be at least [rad or m], [n].
        upper: And at most, [n].
        here: Where they are [rad or m], [n].
    """

    def __init__(
        self, body: Body, goals: Goals, pull: np.ndarray, lower: np.ndarray, upper: np.ndarray, here: np.ndarray
    ) -> None:
        self.goals = goals
        self.best: Found | None = None
        self._body, self._pull, self._lower, self._upper = body, pull, lower, upper
        self._q = here.copy()
        self._start, self._steps = 0, 0

    @property
    def over(self) -> bool:
        """Whether all starts are done."""
        return self._start >= STARTS

    def advance(self, steps: int) -> None:
        """Some moves more."""
        if self.over:
            return
        errors = self._body.improve(self.goals, self._pull, self._lower, self._upper, steps, _EASE, self._q)
        self._steps += steps
        if self._steps < STEPS:
            return
        cost = float(self._body.weights @ (self._q - self._pull) ** 2)
        found = Found(self._q.copy(), errors, cost)
        if self.best is None or better(found, self.best):
            self.best = found
        self._start, self._steps = self._start + 1, 0
        self._q = self._spread(self._start)

    def _spread(self, n: int) -> np.ndarray:
        """The n-th start, farther and farther from the posture, by multiples of the golden ratio."""
        low = np.maximum(self._lower, self._pull - np.pi)
        high = np.minimum(self._upper, self._pull + np.pi)
        share = (0.5 + _GOLDEN * n * np.arange(1.0, len(low) + 1.0)) % 1.0
        inside = np.clip(self._pull, low, high)
        return np.asarray(inside + n / STARTS * (low + share * (high - low) - inside))


def searched(
    body: Body, goals: Goals, pull: np.ndarray, lower: np.ndarray, upper: np.ndarray, here: np.ndarray
) -> Found:
    """The best answer from all starts."""
    search = Search(body, goals, pull, lower, upper, here)
    while not search.over:
        search.advance(STEPS)
    assert search.best is not None  # there is one after the first start
    return search.best
