"""Random symmetric matrices for tests."""

from __future__ import annotations

import numpy as np


def random_band(size: int, width: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A positive definite matrix as a band and as a dense array."""
    band = rng.normal(size=(size, width))
    band[:, -1] = 2.0 * width
    dense = np.zeros((size, size))
    for r in range(size):
        for c in range(max(0, r - width + 1), r + 1):
            dense[r, c] = dense[c, r] = band[r, width - 1 - r + c]
    return band, dense
