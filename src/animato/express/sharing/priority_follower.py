"""Follows the goals of several end-points frame by frame: bounded moves, each with what those before it leave over."""

from __future__ import annotations

import numpy as np

from animato.express.sharing.body import Body
from animato.express.sharing.goals import Goals
from animato.express.sharing.search import Found, Search, better

_STEPS = 3  # moves of one frame; what is to be kept is then kept to rounding
_EASE, _LEAST_EASE = 0.35, 0.01  # share of the way to the posture in each; less while moves go to and fro
_KEPT = 1e-9  # [rad] by which what is to be kept may be missed without further moves
_STUCK = 0.03  # [rad] off a goal above which an end-point that comes no nearer is stuck
_NEARER = 2e-4  # [rad] in a frame below which it comes no nearer
_PATIENCE_S = 0.2  # of being stuck before other ways are sought
_SLICE = 12  # of a search in one frame
_WORTH = 0.02  # [rad] by which another way must be nearer
_APART = 0.1  # [rad or m] by which goals must move to be others
_ARRIVED = 0.02  # [rad or m] within which another way is reached
_LONGEST_S = 4.0  # for getting there


class PriorityFollower:
    """Moves coordinates by at most so much a frame.

    Args:
        body: What moves.
        lower: Where coordinates may be at least [rad or m], [n].
        upper: And at most, [n].
        period_s: Of a frame.
        top_speed: Of any coordinate [rad/s or m/s].
        top_acceleration: With which any begins to move [rad/s^2 or m/s^2]; it may stop at once, what is behind this
            smooths that.
        search_steps: Moves of a search for another way in one frame.

    Attributes:
        positions: Where the coordinates are [rad or m], [n].
        crossing: Whether they are on the way to another way to face.
    """

    def __init__(
        self,
        body: Body,
        lower: np.ndarray,
        upper: np.ndarray,
        period_s: float,
        top_speed: float,
        top_acceleration: float,
        search_steps: int = _SLICE,
    ) -> None:
        self._slice = search_steps
        self._body, self._lower, self._upper, self._period = body, lower, upper, period_s
        self._most, self._more = top_speed * period_s, top_acceleration * period_s**2
        self.reset(np.clip(0.0, lower, upper))

    def reset(self, positions: np.ndarray) -> None:
        """Starts anew from positions [rad or m], [n]."""
        self.positions = np.array(positions, dtype=np.float64)
        self._moved = np.zeros(len(self.positions))
        self._ease = _EASE
        self._errors: np.ndarray | None = None
        self._stuck_s = self._crossing_s = 0.0
        self._search: Search | None = None
        self._given_up: Goals | None = None
        self._goal: Found | None = None

    @property
    def crossing(self) -> bool:
        """Whether it is on the way to another way to face."""
        return self._goal is not None

    def update(self, goals: Goals, pull: np.ndarray, lower: np.ndarray, upper: np.ndarray, kept: int) -> np.ndarray:
        """Moves one frame.

        Args:
            goals: Of each end-point.
            pull: Where coordinates should be for the posture's sake [rad or m], [n].
            lower: Where coordinates should be at least [rad or m], [n]; those that are not go there.
            upper: And at most, [n].
            kept: End-points, from the first on, that something else has face: they are kept as they are.

        Returns:
            By which angle each end-point is off its goal [rad], [K].
        """
        first = goals._replace(active=goals.active & (np.arange(len(goals.kinds)) < kept))
        chosen, towards = (goals, pull) if self._goal is None else (first, self._goal.positions)
        low, high = self._frame_box(lower, upper, self._most)
        before = self.positions.copy()
        errors = self._body.improve(chosen, towards, low, high, _STEPS, self._ease, self.positions)
        if kept and errors[:kept].max() > _KEPT:  # the last move has bent it a little, or it moves fast
            low, high = self._frame_box(lower, upper, 2.0 * self._most, before)
            self._body.improve(first, towards, low, high, _STEPS, 0.0, self.positions)
            errors = self._body.errors(goals, self.positions)
        moved = self.positions - before
        turned_back = float(moved @ self._moved) < 0.0
        self._ease = max(_LEAST_EASE, 0.5 * self._ease) if turned_back else min(_EASE, 1.1 * self._ease)
        self._moved = moved
        if self._goal is not None:
            errors = self._body.errors(goals, self.positions)
        self._judge(goals, errors, pull, lower, upper, kept)
        return errors

    def _frame_box(
        self, lower: np.ndarray, upper: np.ndarray, most: float, here: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Where coordinates may be after this frame [n], [n]; one that is outside where it should be comes back."""
        q = self.positions if here is None else here
        down = np.maximum(-most, np.minimum(self._moved, 0.0) - self._more)
        up = np.minimum(most, np.maximum(self._moved, 0.0) + self._more)
        low, high = np.clip(lower, self._lower, self._upper), np.clip(upper, self._lower, self._upper)
        at_least, at_most = (
            np.minimum(np.maximum(low, q + down), q + up),
            np.maximum(np.minimum(high, q + up), q + down),
        )
        return np.minimum(at_least, at_most), np.maximum(at_least, at_most)

    def _judge(
        self, goals: Goals, errors: np.ndarray, pull: np.ndarray, lower: np.ndarray, upper: np.ndarray, kept: int
    ) -> None:
        """Seeks another way where an end-point is stuck, and goes there where one is found."""
        if self._goal is not None:
            self._crossing_s += self._period
            if self._crossing_s > _LONGEST_S or np.abs(self.positions - self._goal.positions).max() < _ARRIVED:
                self._goal, self._errors, self._stuck_s = None, None, 0.0
            return
        last, self._errors = self._errors, errors
        coming = last is None or np.any(last[kept:] - errors[kept:] > _NEARER)
        if coming or not np.any(errors[kept:] > _STUCK):
            self._stuck_s, self._search = 0.0, None
            return
        self._stuck_s += self._period
        if self._stuck_s < _PATIENCE_S or (self._given_up is not None and not _apart(self._given_up, goals)):
            return
        if self._search is None or _apart(self._search.goals, goals):
            low, high = np.clip(lower, self._lower, self._upper), np.clip(upper, self._lower, self._upper)
            self._search = Search(self._body, goals, pull.copy(), low, high, self.positions)
        self._search.advance(self._slice)
        if self._search.over:
            found, self._search = self._search.best, None
            here = Found(self.positions, errors, np.inf)
            if found is not None and better(found, here, _WORTH) and np.any(errors - found.errors > _WORTH):
                self._goal, self._crossing_s = found, 0.0
            else:
                self._given_up = goals


def _apart(one: Goals, other: Goals) -> bool:
    """Whether goals are not the same things a little later."""
    if np.any(one.active != other.active) or np.any(one.kinds != other.kinds):
        return True
    return bool(np.abs(one.numbers - other.numbers).max() > _APART)
