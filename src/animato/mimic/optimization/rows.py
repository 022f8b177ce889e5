"""The rows of a clip: what they are about, their limits, and how much they count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from animato.mimic.optimization.leaning import EDGES, Leaning
from animato.mimic.optimization.terms import Terms

_ROOT = 6
_Number = float | np.ndarray


class Rows(NamedTuple):
    """Numbers of all rows, by what they are about, in the order of `ClipModel`."""

    dynamic: np.ndarray
    speed: np.ndarray
    range: np.ndarray
    height: np.ndarray
    skate: np.ndarray
    hands: np.ndarray
    near: np.ndarray


class Misses(NamedTuple):
    """By how much the worst of some rows miss their limits.

    Attributes:
        range: Of a joint [rad or m].
        height: Of what should be on the floor, or above it [m].
        slide: Of what is planted, from one knot to the next [m].
        near: Of bodies that should be apart [m].
    """

    range: float = 0.0
    height: float = 0.0
    slide: float = 0.0
    near: float = 0.0

    @staticmethod
    def largest(several: list[Misses]) -> Misses:
        """Of several windows."""
        return Misses(*(max(values) for values in zip(*several, strict=True)))


class _Group(NamedTuple):
    """Rows of one kind; numbers, or one for each row."""

    number: int
    lower: _Number
    upper: _Number
    stiffness: _Number
    price: _Number
    band: _Number
    tolerance: _Number


@dataclass(frozen=True, eq=False)
class RowLimits:
    """Limits of all rows, and what `animato.solvers.augmented` asks of them, [m] each.

    Attributes:
        ends: One after the last row of each kind, [7].
        lower, upper: Limits.
        stiffness: w.
        price: What crossing a limit costs at most, for each unit.
        band: Within which a limit is felt before it is reached.
        tolerance: By how much a limit may be missed in an answer.
    """

    ends: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    stiffness: np.ndarray
    price: np.ndarray
    band: np.ndarray
    tolerance: np.ndarray

    @staticmethod
    def of(terms: Terms, leaning: Leaning | None) -> RowLimits:
        """Of a clip's terms."""
        groups = (_dynamic(terms, leaning), *_of_joints(terms), *_of_points(terms))
        columns = (
            np.concatenate([np.broadcast_to(group[column], (group.number,)) for group in groups])
            for column in range(1, 7)
        )
        return RowLimits(np.cumsum([group.number for group in groups]), *columns)

    def grouped(self, rows: np.ndarray) -> Rows:
        """Numbers of all rows [m], by kind."""
        return Rows(*(rows[begin:end] for begin, end in zip((0, *self.ends), self.ends, strict=False)))

    def misses(self, miss: np.ndarray) -> Misses:
        """The worst of what rows [m] miss; how high a foot swings does not count."""
        rows, swinging = self.grouped(np.abs(miss)), np.isfinite(self.grouped(self.price).height)
        floor = np.where(swinging, 0.0, rows.height)
        return Misses(*(float(one.max(initial=0.0)) for one in (rows.range, floor, rows.skate, rows.near)))


def _dynamic(terms: Terms, leaning: Leaning | None) -> _Group:
    """The wrench that nothing gives, torques, and loads that lean, of each knot."""
    count, weights = terms.knot_count if terms.dynamics else 0, terms.weights
    numbers = [_ROOT, len(terms.torques.dof), 0 if leaning is None else EDGES]
    upper = np.tile(np.repeat([0.0, 1.0, np.inf], numbers), (count, 1))
    lower = -upper
    if leaning is not None and count:
        lower[:, _ROOT + len(terms.torques.dof) :] = leaning.least

    def of_all(*values: float) -> np.ndarray:
        return np.tile(np.repeat(values, numbers), count)

    return _Group(
        count * sum(numbers),
        lower.ravel(),
        upper.ravel(),
        of_all(weights.wrench, weights.torque, weights.lean),
        of_all(np.inf, weights.torque_price, weights.lean_price),
        0.05,
        of_all(3e-4 * weights.size, 0.01, 3e-4 * weights.size),
    )


def _of_joints(terms: Terms) -> tuple[_Group, _Group]:
    """Velocities between control points, and their ranges."""
    controls, limited = terms.knot_count + 2, int(np.isfinite(terms.speeds).sum())
    lower, upper = np.tile(terms.lower, controls), np.tile(terms.upper, controls)
    return (
        _Group((controls - 1) * limited, -1.0, 1.0, terms.weights.speed, np.inf, 0.1, 0.005),
        _Group(len(lower), lower, upper, terms.weights.range, np.inf, 0.01, 1e-3),
    )


def _of_points(terms: Terms) -> tuple[_Group, ...]:
    """Heights, what is planted, hands that are together, and near bodies."""
    weights, near, size = terms.weights, terms.near, terms.weights.size
    floored = terms.floored.ravel()
    least, most = np.where(floored, 0.0, terms.clearance.ravel()), np.where(floored, 0.0, np.inf)
    # the floor is hard; how high a foot swings is not
    price = np.where(~floored & (least > 0.0), weights.swing_price, np.inf)
    planted = 2 * int((terms.planted[1:] & terms.planted[:-1]).sum())
    together = int(np.isfinite(terms.hand_gap).sum())
    return (
        _Group(len(floored), least, most, weights.height, price, 1e-3 * size, 1e-4 * size),
        _Group(planted, 0.0, 0.0, weights.skate, np.inf, 1.0, 5e-5 * size),
        _Group(together, 0.0, 0.0, weights.hands, weights.hands_price, 1.0, 3e-4 * size),
        _Group(len(near.least), near.least, np.inf, weights.near, weights.near_price, 2e-3 * size, 1e-3 * size),
    )
