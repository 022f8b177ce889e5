"""A symmetric matrix that is known by its products alone, and conjugate gradients to solve with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from animato.algebra.symmetric import SymmetricFactor, SymmetricMatrix


@dataclass(frozen=True, eq=False)
class OperatorFactor:
    """Solves by conjugate gradients, [Hestenes and Stiefel 1952], with Steihaug's stop at negative curvature.

    Attributes:
        matrix: What is solved with.
        added: On its diagonal, [N].
        held: Unknowns that have their right-hand side as solution, [N].
        preconditioner: A factor of something near; None for the diagonal.
    """

    matrix: OperatorMatrix
    added: np.ndarray
    held: np.ndarray
    preconditioner: SymmetricFactor | None

    def solve(self, right: np.ndarray) -> np.ndarray:
        """The solution for a right-hand side [N], to the matrix's relative tolerance."""
        x, residual = np.zeros(len(right)), np.where(self.held, 0.0, right)
        enough = self.matrix.tolerance * self._norm(residual)
        z = self._preconditioned(residual)
        direction, slope = z.copy(), float(residual @ z)
        for _ in range(self.matrix.most_products):
            if self._norm(residual) <= enough or slope <= 0.0:
                break
            product = np.where(self.held, 0.0, self.matrix.product(direction) + self.added * direction)
            curvature = float(direction @ product)
            if curvature <= 0.0:
                # downhill without end: as far as has been found, or along the first direction
                x = x if np.any(x) else direction
                break
            length = slope / curvature
            x = x + length * direction
            residual = residual - length * product
            z = self._preconditioned(residual)
            before, slope = slope, float(residual @ z)
            direction = z + slope / before * direction
        return np.where(self.held, right, x)

    def _norm(self, x: np.ndarray) -> float:
        return float(np.linalg.norm(x))

    def _preconditioned(self, x: np.ndarray) -> np.ndarray:
        if self.preconditioner is not None:
            return np.where(self.held, 0.0, self.preconditioner.solve(x))
        return x / np.maximum(np.abs(self.matrix.diagonal + self.added), 1e-300)


@dataclass(frozen=True, eq=False)
class OperatorMatrix:
    """A matrix that is never written down; what `SymmetricMatrix` asks of it.

    Attributes:
        multiply: A x for x [N], as the sweeps of a simulation and its adjoint give it.
        diagonal: Its diagonal, or an estimate of it, [N].
        preconditioner: Something near that can be factored, such as the band of a spline; the diagonal where None.
        tolerance: Of a solution's residual, relative.
        most_products: At most, in one solution.
    """

    multiply: Callable[[np.ndarray], np.ndarray]
    diagonal: np.ndarray
    preconditioner: SymmetricMatrix | None = None
    tolerance: float = 0.1
    most_products: int = 40

    def product(self, x: np.ndarray) -> np.ndarray:
        """A x."""
        return self.multiply(x)

    def form(self, x: np.ndarray) -> float:
        """x^T A x."""
        return float(x @ self.multiply(x))

    def factored(self, added: np.ndarray | float, held: np.ndarray) -> OperatorFactor | None:
        """What solves with it; None where the preconditioner is not positive definite."""
        near = None
        if self.preconditioner is not None:
            near = self.preconditioner.factored(added, held)
            if near is None:
                return None
        return OperatorFactor(self, np.broadcast_to(added, len(self.diagonal)), held, near)
