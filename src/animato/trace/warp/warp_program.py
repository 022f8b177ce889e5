"""The timing of a warp as a program: its objective, its limits, and both near an answer, as rows and squares."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animato.solvers.timing import ElasticProgram
from animato.trace.options import Options
from animato.trace.sketch import DrawnTiming
from animato.trace.timing import AxisLimits
from animato.trace.warp.motion_warp import Rates, Warp
from animato.trace.warp.warp_limits import WarpShares, torques, warp_shares

INSIDE = np.array([1e-7, 0.5, 1.0 - 1e-7])
"""Places in a piece: its ends, from inside of it because third derivatives jump there, and its middle."""

_SIMPSON = np.array([1.0, 4.0, 1.0]) / 6.0
_COUNTS = 0.3  # share of a limit from which on it is looked at from the beginning
_PARTS = 4  # of rows: the first three derivatives of t, and how long a piece takes


@dataclass(frozen=True, eq=False)
class WarpProgram:
    """All that does not change while t is sought.

    Attributes:
        warp: s(r).
        rates: At the places INSIDE of every piece.
        limits: Of the degrees of freedom.
        drawn: The timing to mimic.
        options: Weights and wishes.
        room: Share of a limit that may be used at each place, [m].
    """

    warp: Warp
    rates: Rates
    limits: AxisLimits
    drawn: DrawnTiming
    options: Options
    room: np.ndarray

    @property
    def kinds(self) -> tuple[str, ...]:
        """Of limits that hold."""
        return ("velocity", "acceleration", *["torque"] * self.options.torque, *["jerk"] * self.options.jerk)

    @cached_property
    def places(self) -> np.ndarray:
        """R [s], [m]."""
        return self.warp.places(INSIDE)

    @cached_property
    def basis(self) -> tuple[np.ndarray, np.ndarray]:
        """First coefficient of each place, [m], and values and derivatives there, [m, 4, 4]."""
        return self.warp.basis(self.places)

    @cached_property
    def columns(self) -> np.ndarray:
        """The four coefficients of each place, [m, 4]."""
        return self.basis[0][:, None] + np.arange(4)

    @cached_property
    def functionals(self) -> np.ndarray:
        """First three derivatives of t, and how long the place's piece takes, by coefficient, [m, 4, 4]."""
        values = self.basis[1]
        lasts = np.repeat(values[2::3, 0] - values[0::3, 0], 3, axis=0)
        return np.concatenate([values[:, 1:], lasts[:, None]], axis=1)

    @cached_property
    def drawn_at(self) -> np.ndarray:
        """t_x at the places; at a pause its start from the left, [m]."""
        s = self.warp.s_at(self.places).reshape(-1, 3)
        parts = self.drawn.at(s[:, 0]), self.drawn.at(s[:, 1]), self.drawn.at(s[:, 2], from_left=True)
        return np.maximum.accumulate(np.stack(parts, axis=1).ravel())

    @cached_property
    def least_lasting(self) -> np.ndarray:
        """How long each piece takes at least under tempo lock [s], [N]; a pause is shared out among its pieces."""
        nodes = self.warp.s_at(self.warp.nodes)
        least = np.maximum(self.drawn.at(nodes[1:], from_left=True) - self.drawn.at(nodes[:-1]), 0.0)
        for s, seconds in self.drawn.pauses:
            still = np.abs(0.5 * (nodes[1:] + nodes[:-1]) - s) <= 1e-9
            least[still] = seconds / max(int(still.sum()), 1)
        return least

    @cached_property
    def weights(self) -> np.ndarray:
        """Of the squared timing error at each place [1/s^2], [m]."""
        ds = np.diff(self.warp.s_at(self.warp.nodes))
        accents = self.drawn.accent_at(self.warp.s_at(self.places)).reshape(-1, 3)
        weights: np.ndarray = self.options.beta * ds[:, None] * _SIMPSON * accents
        return weights.ravel()

    @cached_property
    def durations(self) -> np.ndarray:
        """Of the pieces in r, by Simpson's weights, [m]."""
        return (np.diff(self.warp.nodes)[:, None] * _SIMPSON).ravel()

    @property
    def relative(self) -> bool:
        """Whether a change of the whole tempo is free."""
        return self.options.timing == "relative"

    def derivatives(self, t: np.ndarray) -> np.ndarray:
        """First three derivatives of t at the places, [m, 3]."""
        return np.einsum("mkc,mc->mk", self.basis[1][:, 1:], t[self.columns])

    def lateness(self, t: np.ndarray) -> np.ndarray:
        """t_q - r t_x at the places [s], [m]."""
        when = np.einsum("mc,mc->m", self.basis[1][:, 0], t[self.columns])
        return when - self.drawn_at * (t[-1] / self.drawn.duration if self.relative else 1.0)

    def shares(self, t: np.ndarray) -> WarpShares:
        """Used shares of all limits at the places."""
        return warp_shares(self.rates, self.limits, self.derivatives(t), self.kinds)

    def effort_residuals(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Roots of what every motor adds to the effort at every place, [m, n], and their slopes, [m, n, 3]."""
        warp = self.derivatives(t)
        torque = torques(self.rates, self.limits, warp)
        limit = np.where(torque.value > 0.0, self.rates.most, self.rates.least)
        scale = np.where(np.isfinite(limit), 1.0 / limit, 0.0) * np.sqrt(self.options.effort * self.durations)[:, None]
        root = np.sqrt(warp[:, :1])
        slopes = torque.slopes * (scale * root)[:, :, None]
        slopes[:, :, 0] += 0.5 * scale * torque.value / root
        return scale * root * torque.value, slopes

    def objective(self, t: np.ndarray) -> float:
        """Beta * timing error + gamma * duration + effort."""
        value = float(self.weights @ self.lateness(t) ** 2) + self.options.gamma * float(t[-1])
        if self.options.effort > 0.0:
            value += float(np.sum(self.effort_residuals(t)[0] ** 2))
        return value

    def excess(self, t: np.ndarray, shares: WarpShares) -> float:
        """Sum of all that is beyond limits, as shares of them."""
        over = float(np.maximum(shares.values - self.room[:, None], 0.0).sum())
        if self.options.tempo_lock:
            over += 3.0 * float(np.maximum(-self._spare(t), 0.0).sum())
        return over

    def _spare(self, t: np.ndarray) -> np.ndarray:
        """How much longer than it must each piece takes, as a share of it, [N]."""
        lasting = np.einsum("mc,mc->m", self.functionals[::3, 3], t[self.columns[::3]])
        return (lasting - self.least_lasting) / np.diff(self.warp.nodes)

    def model(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Band, border and gradient of the objective near t; of the effort, squares of its linear parts."""
        n, options = len(t), self.options
        band, border, gradient = np.zeros((4, n - 1)), np.zeros(n), np.zeros(n)
        values, weights = self.basis[1][:, 0], self.weights
        _add_squares(band, border, self.columns, 2.0 * weights[:, None, None] * values[:, :, None] * values[:, None, :])
        error = 2.0 * weights * self.lateness(t)
        np.add.at(gradient, self.columns, error[:, None] * values)
        if self.relative:
            follow = self.drawn_at / self.drawn.duration
            across = -2.0 * (weights * follow)[:, None] * values
            np.add.at(border, self.columns, across * np.where(self.columns == n - 1, 2.0, 1.0))
            border[-1] += 2.0 * float(weights @ follow**2)
            gradient[-1] -= float(error @ follow)
        gradient[-1] += options.gamma
        if options.effort > 0.0:
            root, slopes = self.effort_residuals(t)
            squares = 2.0 * np.einsum("mjk,mjl->mkl", slopes, slopes)
            by_coefficient = self.basis[1][:, 1:]
            _add_squares(
                band, border, self.columns, np.einsum("mkc,mkl,mld->mcd", by_coefficient, squares, by_coefficient)
            )
            push = 2.0 * np.einsum("mj,mjk->mk", root, slopes)
            np.add.at(gradient, self.columns, np.einsum("mk,mkc->mc", push, by_coefficient))
        return band, border, gradient

    def linearized(
        self, t: np.ndarray, shares: WarpShares, looked_at: np.ndarray, radius: float, price: float
    ) -> ElasticProgram:
        """The program of a step from t.

        Args:
            t: Coefficients.
            shares: There.
            looked_at: Which of them count, [m, k].
            radius: Share by which t' may change.
            price: Of what is beyond limits.
        """
        locked = int(self.options.tempo_lock)
        counts = looked_at.sum(axis=1) + 2 + locked
        first_row = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        rows, room = np.zeros((first_row[-1], _PARTS)), np.zeros(first_row[-1])
        place, column = np.nonzero(looked_at)
        number = first_row[place] + (np.cumsum(looked_at, axis=1) - 1)[place, column]
        rows[number, :3] = shares.slopes[place, column]
        room[number] = self.room[place] - shares.values[place, column]
        reach = radius * self.derivatives(t)[:, 0]
        for k, sign in enumerate((1.0, -1.0)):
            rows[first_row[1:] - 1 - k, 0], room[first_row[1:] - 1 - k] = sign, reach
        if locked:
            rows[first_row[1:] - 3, 3] = np.repeat(-1.0 / np.diff(self.warp.nodes), 3)
            room[first_row[1:] - 3] = np.repeat(self._spare(t), 3)
        fixed = np.zeros(len(t), dtype=bool)
        fixed[0], fixed[-1] = True, self.options.duration_s is not None
        band, border, gradient = self.model(t)
        return ElasticProgram(
            band, border, gradient, self.basis[0], self.functionals, first_row, rows, room, price, fixed
        )

    def first_look(self, shares: WarpShares) -> np.ndarray:
        """Those limits that are worth a row from the beginning, [m, k]."""
        return shares.values > _COUNTS


def _add_squares(band: np.ndarray, border: np.ndarray, columns: np.ndarray, squares: np.ndarray) -> None:
    """Adds a 4 x 4 matrix a place."""
    last = len(border) - 1
    for c in range(4):
        for d in range(c + 1):
            row, column, value = columns[:, c], columns[:, d], squares[:, c, d]
            end = row == last
            np.add.at(band[c - d], column[~end], value[~end])
            np.add.at(border, column[end], value[end])
