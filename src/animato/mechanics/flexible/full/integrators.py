"""Formulas of a time step: velocity and acceleration as linear functions of the next displacement."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np


class FullIntegrator(StrEnum):
    """How full simulations step."""

    GENERALIZED_ALPHA = "generalized_alpha"
    BDF2 = "bdf2"


def extrapolated(past: list[np.ndarray]) -> np.ndarray:
    """The next of four values at equal steps, exact for parabolas and for what rings at the pace of steps, (-1)^n.

    Stiff directions ring so in an integrator that hardly damps; an extrapolation that does not know would amplify it.
    """
    return 2.0 * past[3] - 2.0 * past[1] + past[0]


@dataclass
class GeneralizedAlpha:
    """Generalized-alpha: equilibrium holds at the end of each step, a second acceleration carries the history.

    Arnold, Bruels: Convergence of the generalized-alpha scheme for constrained mechanical systems (2007).

    Attributes:
        u: Displacements at the last step, any shape.
        v: Velocities there.
        a: Accelerations there.
        step: [s].
        rho: Spectral radius at infinite frequency, 0 to 1.
    """

    u: np.ndarray
    v: np.ndarray
    a: np.ndarray
    step: float
    rho: float = 0.9

    def __post_init__(self) -> None:
        self._alpha_m = (2.0 * self.rho - 1.0) / (self.rho + 1.0)
        self._alpha_f = self.rho / (self.rho + 1.0)
        self._gamma = 0.5 - self._alpha_m + self._alpha_f
        self._beta = 0.25 * (1.0 - self._alpha_m + self._alpha_f) ** 2
        self._history = self.a
        self._past = [self.u]

    @property
    def rates(self) -> tuple[float, float]:
        """dv/du [1/s] and da/du [1/s^2]."""
        by_a = (1.0 - self._alpha_m) / ((1.0 - self._alpha_f) * self._beta * self.step**2)
        return self._gamma / (self._beta * self.step), by_a

    def guess(self) -> np.ndarray:
        """Displacements at the next step, from those before."""
        return self.u + self.step * self.v if len(self._past) < 4 else extrapolated(self._past)

    def follow(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Velocities and accelerations at the next step that go with displacements u there."""
        h, beta = self.step, self._beta
        history = (u - self.u - h * self.v) / (beta * h * h) - (0.5 - beta) / beta * self._history
        v = self.v + h * ((1.0 - self._gamma) * self._history + self._gamma * history)
        a = (1.0 - self._alpha_m) * history + self._alpha_m * self._history - self._alpha_f * self.a
        return v, a / (1.0 - self._alpha_f)

    def accept(self, u: np.ndarray, v: np.ndarray, a: np.ndarray) -> None:
        """Goes on to the next step."""
        history = (1.0 - self._alpha_f) * a + self._alpha_f * self.a - self._alpha_m * self._history
        self._history = history / (1.0 - self._alpha_m)
        self.u, self.v, self.a = u, v, a
        self._past = [*self._past[-3:], u]


@dataclass
class Bdf2:
    """The backward difference of second order; the state before the first is at rest there.

    Attributes:
        u: Displacements at the last step, any shape.
        v: Velocities there.
        a: Accelerations there.
        step: [s].
    """

    u: np.ndarray
    v: np.ndarray
    a: np.ndarray
    step: float

    def __post_init__(self) -> None:
        self._u_before, self._v_before = self.u - self.step * self.v, self.v
        self._past = [self.u]

    @property
    def rates(self) -> tuple[float, float]:
        """dv/du [1/s] and da/du [1/s^2]."""
        return 1.5 / self.step, (1.5 / self.step) ** 2

    def guess(self) -> np.ndarray:
        """Displacements at the next step, from those before."""
        return self.u + self.step * self.v if len(self._past) < 4 else extrapolated(self._past)

    def follow(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Velocities and accelerations at the next step that go with displacements u there."""
        v = (1.5 * u - 2.0 * self.u + 0.5 * self._u_before) / self.step
        return v, (1.5 * v - 2.0 * self.v + 0.5 * self._v_before) / self.step

    def accept(self, u: np.ndarray, v: np.ndarray, a: np.ndarray) -> None:
        """Goes on to the next step."""
        self._u_before, self._v_before = self.u, self.v
        self.u, self.v, self.a = u, v, a
        self._past = [*self._past[-3:], u]
