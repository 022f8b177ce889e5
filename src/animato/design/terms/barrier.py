"""The smooth barrier that keeps variables within their limits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FLOOR = 0.02
"""Share of the margin below which the barrier goes on as a parabola, so that a start beyond a limit has a value."""


def barrier(share: np.ndarray, floor: float = FLOOR) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Value, slope and curvature of b(t) = -(log t)^3 where t < 1, and 0 beyond.

    With t the distance to a limit as a share of the margin this is equation 16 of Maloisel et al. (2023); the
    logarithm is cubed, not its argument, so that value, slope and curvature begin at zero. Below a floor it
    is continued by the parabola of the same value, slope and curvature.

    Args:
        share: t, any shape; may be below zero.
        floor: Where the parabola begins; the higher, the flatter it is.
    """
    value, slope, curvature = np.zeros_like(share), np.zeros_like(share), np.zeros_like(share)
    near = share < 1.0  # usually few
    if near.any():
        own = share[near]
        t = np.maximum(own, floor)
        log = np.log(t)
        first, second = -3.0 * log**2 / t, 3.0 * log * (log - 2.0) / t**2  # derivatives at the floor or above it
        below = np.minimum(own - floor, 0.0)
        value[near] = -(log**3) + first * below + 0.5 * second * below**2
        slope[near], curvature[near] = first + second * below, second
    return value, slope, curvature


@dataclass(frozen=True, eq=False)
class Bounds:
    """One-sided limits sign * x[column] <= bound.

    Attributes:
        columns: Which variable, shape [bound].
        signs: 1 for an upper, -1 for a lower limit, shape [bound].
        bounds: Shape [bound].
        margins: Distance from the limit at which the barrier begins, shape [bound].
        count: Variables there are.
    """

    columns: np.ndarray
    signs: np.ndarray
    bounds: np.ndarray
    margins: np.ndarray
    count: int

    def shares(self, x: np.ndarray) -> np.ndarray:
        """Distance to each limit as a share of its margin, shape [step, bound], for x [step, variable]."""
        return np.asarray((self.bounds - self.signs * x[:, self.columns]) / self.margins)

    def values(self, x: np.ndarray, floor: float = FLOOR) -> np.ndarray:
        """The barriers summed over all limits, shape [step]."""
        if not len(self.columns):
            return np.zeros(len(x))
        return np.asarray(barrier(self.shares(x), floor)[0].sum(axis=1))

    def derivatives(
        self, x: np.ndarray, floor: float = FLOOR, *, ahead: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Gradient and diagonal of the Hessian, each [step, variable].

        Args:
            x: Shape [step, variable].
            floor: As for `barrier`.
            ahead: Where a step would lead, of the same shape: the curvature is then at least the mean one on
                the way there, so that a limit is felt which is not yet near.
        """
        gradient, hessian = np.zeros((len(x), self.count)), np.zeros((len(x), self.count))
        if len(self.columns):
            share = self.shares(x)
            _, slope, curvature = barrier(share, floor)
            if ahead is None and not curvature.any():
                return gradient, hessian
            if ahead is not None:
                later = self.shares(ahead)
                gap = np.where(np.abs(later - share) > 1e-9, later - share, np.inf)
                curvature = np.maximum(curvature, (barrier(later, floor)[1] - slope) / gap)
            np.add.at(gradient.T, self.columns, (-slope * self.signs / self.margins).T)
            np.add.at(hessian.T, self.columns, (curvature / self.margins**2).T)
        return gradient, hessian

    @classmethod
    def between(cls, lower: np.ndarray, upper: np.ndarray, margins: np.ndarray) -> Bounds:
        """From ranges, infinite where there is no limit; each [variable]."""
        high, low = np.flatnonzero(np.isfinite(upper)), np.flatnonzero(np.isfinite(lower))
        return cls(
            np.concatenate([high, low]),
            np.concatenate([np.ones(len(high)), -np.ones(len(low))]),
            np.concatenate([upper[high], -lower[low]]),
            np.concatenate([margins[high], margins[low]]),
            len(lower),
        )
