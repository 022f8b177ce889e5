"""Simpson's rule, as the paper integrates objective and gradient."""

from __future__ import annotations

import numpy as np


def simpson_weights(count: int, step: float) -> np.ndarray:
    """Weights of evenly spaced samples, exact for cubics where there are at least four of them, [count].

    An odd number of steps ends with three of them under Simpson's second rule.
    """
    if count < 3:
        return np.full(count, step / count * (count - 1))
    weights = np.zeros(count)
    steps = count - 1
    even = steps if steps % 2 == 0 else steps - 3
    for k in range(0, even, 2):
        weights[k : k + 3] += np.array((1.0, 4.0, 1.0)) * step / 3.0
    if even < steps:
        weights[even:] += np.array((1.0, 3.0, 3.0, 1.0)) * 3.0 * step / 8.0
    return weights
