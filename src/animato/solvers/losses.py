"""Robust losses: how much a squared residual counts.

A loss maps s, the weighted square of a residual, to rho(s) with rho(0) = 0, rho'(0) = 1. Residuals far beyond `scale`
then count less than their square, so that a few bad ones do not decide. In normal equations a loss is a weight rho' of
the residual; its own second derivative, which is never positive, is left out, so that they stay positive definite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np


class Loss(Protocol):
    """A loss of squares."""

    def values(self, s: np.ndarray) -> np.ndarray:
        """rho(s)."""
        ...

    def slopes(self, s: np.ndarray) -> np.ndarray:
        """rho'(s)."""
        ...


@dataclass(frozen=True)
class Square:
    """rho(s) = s: no loss but the square itself."""

    def values(self, s: np.ndarray) -> np.ndarray:
        """rho(s)."""
        return s

    def slopes(self, s: np.ndarray) -> np.ndarray:
        """rho'(s)."""
        return np.ones_like(s)


@dataclass(frozen=True)
class SmoothDistance:
    """rho(s) = 2 d (sqrt(s + d^2) - d): a square near 0, a distance farther away (pseudo-Huber, Charbonnier).

    Attributes:
        scale: d, in units of the weighted residual.
    """

    scale: float

    def values(self, s: np.ndarray) -> np.ndarray:
        """rho(s)."""
        return 2.0 * self.scale * s / (np.sqrt(s + self.scale**2) + self.scale)

    def slopes(self, s: np.ndarray) -> np.ndarray:
        """rho'(s)."""
        return self.scale / np.sqrt(s + self.scale**2)


@dataclass(frozen=True)
class Cauchy:
    """rho(s) = d^2 log(1 + s / d^2): what is far away hardly pulls at all.

    Attributes:
        scale: d, in units of the weighted residual.
    """

    scale: float

    def values(self, s: np.ndarray) -> np.ndarray:
        """rho(s)."""
        return self.scale**2 * np.log1p(s / self.scale**2)

    def slopes(self, s: np.ndarray) -> np.ndarray:
        """rho'(s)."""
        return 1.0 / (1.0 + s / self.scale**2)
