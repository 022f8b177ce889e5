"""A Newton step within bounds."""

from __future__ import annotations

import numpy as np

from animato.algebra.symmetric import SymmetricMatrix
from animato.kernels.compiled import kernel

_PASSES = 2


def box_step(
    matrix: SymmetricMatrix,
    damping: float,
    gradient: np.ndarray,
    x: np.ndarray,
    lower: np.ndarray,
    upper: np.ndarray,
) -> np.ndarray | None:
    """A minimizer d of gradient . d + d . (matrix + damping) d / 2 that leaves x + d within bounds, [N].

    Unknowns that press on a bound stay. Those that the step would take across one are set there, and the others are
    solved again, a few times at most; what still crosses then is cut off.

    Args:
        matrix: Of N unknowns.
        damping: Added to its diagonal.
        gradient: [N].
        x: Unknowns, [N].
        lower: Their lower bounds, [N].
        upper: Their upper bounds, [N].

    Returns:
        The step; None where the damped matrix is not positive definite.
    """
    size = len(x)
    held, shift, moved = np.empty(size, dtype=np.bool_), np.zeros(size), False
    _hold_pressed(gradient, x, lower, upper, held)
    for _ in range(_PASSES):
        factor = matrix.factored(damping, held)
        if factor is None:
            return None
        right = -gradient - matrix.product(shift) if moved else -gradient
        _set_held(held, shift, right)
        step = factor.solve(right)
        moved = _cut_off(x, lower, upper, step, held, shift)
        if not moved:
            break
    return step


@kernel
def _hold_pressed(gradient: np.ndarray, x: np.ndarray, lower: np.ndarray, upper: np.ndarray, held: np.ndarray) -> None:
    """Marks unknowns that press on a bound, or have no room at all."""
    for r in range(len(x)):
        pressed = (x[r] <= lower[r] and gradient[r] > 0.0) or (x[r] >= upper[r] and gradient[r] < 0.0)
        held[r] = pressed or lower[r] >= upper[r]


@kernel
def _set_held(held: np.ndarray, shift: np.ndarray, right: np.ndarray) -> None:
    """Writes where held unknowns go into a right-hand side."""
    for r in range(len(held)):
        if held[r]:
            right[r] = shift[r]


@kernel
def _cut_off(
    x: np.ndarray, lower: np.ndarray, upper: np.ndarray, step: np.ndarray, held: np.ndarray, shift: np.ndarray
) -> bool:
    """Cuts a step off at the bounds and holds what crossed them there; whether anything did."""
    crossed = False
    for r in range(len(x)):
        there = x[r] + step[r]
        if lower[r] <= there <= upper[r]:
            continue
        step[r] = (lower[r] if there < lower[r] else upper[r]) - x[r]
        if not held[r]:
            crossed, held[r], shift[r] = True, True, step[r]
    return crossed
