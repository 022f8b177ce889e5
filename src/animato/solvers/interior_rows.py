"""Rows of an interior point: limits with slacks, elastic ones, and equalities.

A row g(x) with lower <= g <= upper has up to two sides. Each side leaves room, upper - g or g - lower, which a slack
s > 0 follows; z is its multiplier. An elastic side may be crossed by e > 0 at a price for each unit of e. Rows whose
limits are equal are equalities c(x) = 0 with multipliers y. The Newton system needs three numbers of each row only: how
stiff it is, with what force it pushes, and its multiplier.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_Index = slice | np.ndarray
_NEGLIGIBLE = 1e-9  # of the stiffest row


@dataclass(frozen=True, eq=False)
class RowWeights:
    """What an interior point makes of rows [m]; a model adds J^T stiffness J + sum multiplier g'' and J^T force.

    Attributes:
        stiffness: Weight of the square of a change, [m].
        force: Weight of a change, [m].
        multiplier: Of the row's second derivatives, [m].
        negligible: A stiffness below this may be left out.
    """

    stiffness: np.ndarray
    force: np.ndarray
    multiplier: np.ndarray
    negligible: float


class Sides:
    """Which rows have which sides; sides of upper limits come before those of lower ones."""

    def __init__(self, lower: np.ndarray, upper: np.ndarray, price: np.ndarray | None) -> None:
        """For limits of rows [m] and the prices of crossing them [m], infinite (or None) where a limit is hard."""
        equal = lower == upper
        self.row_count = len(lower)
        self.up = _compact(np.isfinite(upper) & ~equal)
        self.low = _compact(np.isfinite(lower) & ~equal)
        self.equal = np.flatnonzero(equal)
        self.upper, self.lower, self.target = upper[self.up], lower[self.low], upper[self.equal]
        self.count = len(self.upper) + len(self.lower)
        prices = np.full(self.count, np.inf)
        if price is not None:
            prices = np.concatenate([price[self.up], price[self.low]])
        self.soft = np.flatnonzero(np.isfinite(prices))
        self.price = prices[self.soft]

    def rooms(self, rows: np.ndarray) -> np.ndarray:
        """What each side leaves, [side]."""
        return np.concatenate([self.upper - rows[self.up], rows[self.low] - self.lower])

    def pressed(self, change: np.ndarray) -> np.ndarray:
        """How much of its room a change of the rows takes of each side, [side]."""
        return np.concatenate([change[self.up], -change[self.low]])

    def misses(self, rows: np.ndarray) -> np.ndarray:
        """By how much equalities are missed, c, [equality]."""
        return rows[self.equal] - self.target

    def penalty(self, rows: np.ndarray) -> float:
        """What is paid for crossing elastic limits."""
        if not len(self.soft):
            return 0.0
        return float(self.price @ np.maximum(-self.rooms(rows)[self.soft], 0.0))

    def eased(self, rooms: np.ndarray, mu: float) -> tuple[np.ndarray, np.ndarray]:
        """Slack and crossing of elastic sides for which price e - mu log s - mu log e is least with s - e = room."""
        room, root = rooms[self.soft], np.hypot(self.price * rooms[self.soft], 2.0 * mu)
        far = 4.0 * mu**2 / (root + self.price * np.abs(room))  # root - price |room|, without cancellation
        near = root + self.price * np.abs(room)
        up, down = np.where(room > 0.0, near, far), np.where(room > 0.0, far, near)
        return (2.0 * mu + up) / (2.0 * self.price), (2.0 * mu + down) / (2.0 * self.price)


def _compact(chosen: np.ndarray) -> _Index:
    """Chosen places as a slice where they lie together, which is quicker."""
    places = np.flatnonzero(chosen)
    if len(places) and places[-1] - places[0] + 1 == len(places):
        return slice(int(places[0]), int(places[-1]) + 1)
    return places


@dataclass(eq=False)
class SideState:
    """Slacks and multipliers of all sides, crossings of elastic ones, multipliers of equalities.

    Attributes:
        slack, dual: s and z, [side].
        crossing, crossing_dual: e and its multiplier, [soft side].
        equality_dual: y, [equality].
    """

    slack: np.ndarray
    dual: np.ndarray
    crossing: np.ndarray
    crossing_dual: np.ndarray
    equality_dual: np.ndarray

    @classmethod
    def at(cls, sides: Sides, rows: np.ndarray, mu: float, least: float) -> SideState:
        """Slacks that are what rows leave, at least something, with all products equal to mu."""
        rooms = sides.rooms(rows)
        slack, crossing = np.maximum(rooms, least), np.zeros(0)
        if len(sides.soft):
            slack[sides.soft], crossing = sides.eased(rooms, mu)
        return cls(slack, mu / slack, crossing, mu / crossing, np.zeros(len(sides.equal)))

    def missing(self, sides: Sides, rooms: np.ndarray) -> np.ndarray:
        """By how much slacks miss: g + s - upper of hard sides, 0 of elastic ones, [side]."""
        missing = self.slack - rooms
        missing[sides.soft] = 0.0  # they are always eased
        return missing

    def barrier(self, sides: Sides, mu: float) -> float:
        """What slacks and crossings cost."""
        cost = -mu * float(np.log(self.slack).sum())
        if len(sides.soft):
            cost += float(sides.price @ self.crossing) - mu * float(np.log(self.crossing).sum())
        return cost


@dataclass(frozen=True, eq=False)
class SideChange:
    """A Newton step of `SideState`, of the same shapes; see there."""

    slack: np.ndarray
    dual: np.ndarray
    crossing: np.ndarray
    crossing_dual: np.ndarray


class SideSystem:
    """The sides' part of one Newton step.

    Of an elastic side, with k = z / s and h = its multiplier / e, what is left after s and e are eliminated is a row of
    stiffness 1 / (1 / k + 1 / h).
    """

    def __init__(self, sides: Sides, state: SideState, missing: np.ndarray, mu: float) -> None:
        """For slacks that miss the rooms of the rows by `missing` [side]."""
        self.sides, self.state, self.missing, self.mu = sides, state, missing, mu
        self.stiffness = state.dual / state.slack
        self.force = mu / state.slack + self.stiffness * missing
        if len(sides.soft):
            s, z, e = state.slack[sides.soft], state.dual[sides.soft], state.crossing
            self._k, self._h = z / s, state.crossing_dual / e
            self._pull = mu / e - sides.price + z
            joint = 1.0 / (1.0 / self._k + 1.0 / self._h)
            self.stiffness[sides.soft] = joint
            self.force[sides.soft] = z + joint * ((mu / s - z) / self._k - self._pull / self._h)

    def weights(self, equality_stiffness: float, misses: np.ndarray) -> RowWeights:
        """What the Newton system needs of each row."""
        sides, split = self.sides, len(self.sides.upper)
        stiffness, force, multiplier = (np.zeros(sides.row_count) for _ in range(3))
        for out, values, sign in (
            (stiffness, self.stiffness, 1.0),
            (force, self.force, -1.0),
            (multiplier, self.state.dual, -1.0),
        ):
            out[sides.up] = values[:split]
            out[sides.low] += sign * values[split:]
        negligible = _NEGLIGIBLE * float(self.stiffness.max(initial=0.0))
        if len(sides.equal):
            stiffness[sides.equal] = equality_stiffness
            multiplier[sides.equal] = self.state.equality_dual
            force[sides.equal] = self.state.equality_dual + equality_stiffness * misses
        return RowWeights(stiffness, force, multiplier, negligible)

    def change(self, pressed: np.ndarray) -> SideChange:
        """What a step does that takes so much of the sides' rooms, [side]."""
        state, mu = self.state, self.mu
        slack = -self.missing - pressed
        dual = mu / state.slack - state.dual - self.stiffness * slack
        if not len(self.sides.soft):
            return SideChange(slack, dual, np.zeros(0), np.zeros(0))
        soft = self.sides.soft
        z = state.dual[soft]
        dual[soft] = self.force[soft] + self.stiffness[soft] * pressed[soft] - z
        slack[soft] = (mu / state.slack[soft] - z - dual[soft]) / self._k
        crossing = (self._pull + dual[soft]) / self._h
        return SideChange(slack, dual, crossing, self.sides.price - z - state.crossing_dual - dual[soft])

    def slope(self, change: SideChange) -> float:
        """How what the slacks cost begins to change along a step."""
        slope = -self.mu * float(np.sum(change.slack / self.state.slack))
        if len(self.sides.soft):
            slope += float((self.sides.price - self.mu / self.state.crossing) @ change.crossing)
        return slope
