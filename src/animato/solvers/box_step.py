"""A Newton step within bounds."""

from __future__ import annotations

import numpy as np

from animato.algebra.symmetric import SymmetricMatrix

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
    held = ((x <= lower) & (gradient > 0.0)) | ((x >= upper) & (gradient < 0.0)) | (lower >= upper)
    least, most = lower - x, upper - x
    shift, moved = np.zeros(len(x)), False
    for _ in range(_PASSES):
        factor = matrix.factored(damping, held)
        if factor is None:
            return None
        right = -gradient - matrix.product(shift) if moved else -gradient
        right[held] = shift[held]
        step = factor.solve(right)
        cut = np.minimum(np.maximum(step, least), most)
        crossed = (cut != step) & ~held
        step = cut
        if not crossed.any():
            break
        held = held | crossed
        shift[crossed] = step[crossed]
        moved = True
    return step
