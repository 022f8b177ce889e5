"""When the robot is where on its path: the answer of the temporal stage."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from animato.described import Described
from animato.outcome import Outcome

VACUOUS_GAP = 0.2
"""A bound that leaves more than this share open says nothing about the timing."""


@dataclass(frozen=True, eq=False, repr=False)
class TimeScaling(Described):
    """A path parameter s over time.

    On a segment of width ds, with x from 0 to 1, s'^2 = (1 - x) b_0 + x b_1 + 2 x (1 - x) k: s'' changes linearly along
    it, and may jump at its ends. Such a motion has closed forms in time.

    Attributes:
        s: Grid of the path parameter, rising from 0 to 1, [N + 1].
        b: Squared path speed s'^2 at the grid [1/s^2], [N + 1]; 0 where the robot rests.
        bends: k of each segment [1/s^2], [N].
        times: When the robot arrives at each point of the grid [s], [N + 1]; starts at 0.
        waits: How long it rests there [s], [N + 1]; more than 0 only where the drawn line pauses.
        objective: beta * timing error + gamma * duration.
        timing_error: Integral over s of w(s) (t_q(s) - r t_x(s))^2 [s^2].
        lower_bound: Proven: no feasible time scaling on this grid has a smaller objective; NaN if not asked for.
        worst_shares: Largest used share of each kind of limit, between grid points too; 1 is the limit.
        checked_places: Places of all segments at which inverse dynamics itself gave these shares; 0 if none did.
        outcome: How the solver ended.
    """

    s: np.ndarray
    b: np.ndarray
    bends: np.ndarray
    times: np.ndarray
    waits: np.ndarray
    objective: float
    timing_error: float
    lower_bound: float
    outcome: Outcome
    worst_shares: dict[str, float] = field(default_factory=dict)
    checked_places: int = 0

    def facts(self) -> dict[str, str]:
        """At a glance."""
        return {
            "outcome": str(self.outcome.status),
            "takes": f"{self.duration:.4g} s",
            "segments": str(len(self.bends)),
            "could be better by": "unknown" if np.isnan(self.gap) else f"{100.0 * self.gap:.2g} %",
            **{kind: f"{100.0 * share:.1f} %" for kind, share in self.worst_shares.items()},
        }

    @property
    def duration(self) -> float:
        """When the robot is done [s]."""
        return float(self.times[-1])

    @property
    def gap(self) -> float:
        """(objective - lower bound) / objective: at most this share could still be gained.

        NaN where nothing worth saying is proven: no bound was asked for, or it is more than VACUOUS_GAP away.
        """
        if self.objective <= 0.0:
            return 0.0
        share = float((self.objective - self.lower_bound) / self.objective)
        return share if share < VACUOUS_GAP else float("nan")

    def rates_at(self, times: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """s, s' [1/s] and s'' [1/s^2] at given times [s]; before the start and after the end it rests.

        On a segment x'' = w x + c with w = -2 k / ds^2 and c = (b_1 - b_0 + 2 k) / (2 ds^2), so that
        x = x'_0 S + c G with S = sinh(sqrt(w) t) / sqrt(w) and G = (cosh(sqrt(w) t) - 1) / w.
        """
        t = np.asarray(times, dtype=np.float64)
        i = np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, len(self.s) - 2)
        width = np.diff(self.s)[i]
        start = self.times[i] + self.waits[i]
        run = np.clip(t - start, 0.0, self.times[i + 1] - start)
        growth = -2.0 * self.bends[i] / width**2
        push = (self.b[i + 1] - self.b[i] + 2.0 * self.bends[i]) / (2.0 * width**2)
        first = np.sqrt(self.b[i]) / width
        half = _sinh_ratio(0.25 * growth * run**2)
        full = run * _sinh_ratio(growth * run**2)
        rise = 0.5 * (run * half) ** 2
        x = np.clip(first * full + push * rise, 0.0, 1.0)
        moves = (t >= start) & (t <= self.times[-1])
        rate = np.where(moves, np.maximum(first * (1.0 + growth * rise) + push * full, 0.0), 0.0)
        change = np.where(moves, push + growth * x, 0.0)
        s = np.where(t >= self.times[-1], self.s[-1], self.s[i] + width * x)
        return s, width * rate, width * change

    def s_at(self, times: ArrayLike) -> np.ndarray:
        """The path parameter at given times [s]."""
        return self.rates_at(times)[0]

    def time_of(self, s: ArrayLike) -> np.ndarray:
        """t_q(s) [s]: when the robot passes a path parameter; at a rest, when it arrives."""
        where = np.clip(np.asarray(s, dtype=np.float64), self.s[0], self.s[-1])
        i = np.clip(np.searchsorted(self.s, where, side="left") - 1, 0, len(self.s) - 2)
        way = where - self.s[i]
        x = way / (self.s[i + 1] - self.s[i])
        here = (1.0 - x) * self.b[i] + x * self.b[i + 1] + 2.0 * x * (1.0 - x) * self.bends[i]
        speeds = np.sqrt(self.b[i]) + np.sqrt(np.maximum(here, 0.0))
        safe = np.where(way > 0.0, speeds, 1.0)
        # the part of a segment up to x has the bend k x^2
        run = 2.0 * way / safe * _artanh_ratio(-2.0 * self.bends[i] * x**2 / safe**2)
        return np.where(way > 0.0, self.times[i] + self.waits[i] + run, self.times[i])


def _sinh_ratio(square: np.ndarray) -> np.ndarray:
    """sinh(z) / z as a function of z^2, sin for negative ones."""
    z = np.sqrt(np.abs(square))
    large = z > 1e-3
    safe = np.where(large, z, 1.0)
    near = 1.0 + square / 6.0 * (1.0 + square / 20.0)
    return np.where(large, np.where(square > 0.0, np.sinh(safe), np.sin(safe)) / safe, near)


def _artanh_ratio(square: np.ndarray) -> np.ndarray:
    """artanh(z) / z as a function of z^2, arctan for negative ones."""
    z = np.sqrt(np.abs(square))
    large = z > 1e-3
    safe = np.where(large, np.minimum(z, 1.0 - 1e-15) if np.any(square > 0.0) else z, 0.5)
    near = 1.0 + square * (1.0 / 3.0 + square / 5.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        far = np.where(square > 0.0, np.arctanh(np.minimum(safe, 1.0 - 1e-15)), np.arctan(safe)) / safe
    return np.where(large, far, near)
