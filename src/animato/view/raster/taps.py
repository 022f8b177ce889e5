"""Where a round neighbourhood is looked at: points of a sunflower on the unit disc, and the ways to turn them.

Neighbouring pixels turn the pattern differently, 16 ways in each 4 x 4 block, so that a mean over such a
block has seen sixteen times as many places.
"""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import kernel

_GOLDEN_TURN = np.pi * (3.0 - np.sqrt(5.0))


def sunflower(count: int) -> np.ndarray:
    """Points spread evenly over the unit disc, shape [count, 2]."""
    radius = np.sqrt((np.arange(count) + 0.5) / count)
    angle = np.arange(count) * _GOLDEN_TURN
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


_WAYS = np.column_stack([np.cos(np.arange(16) * np.pi / 8.0), np.sin(np.arange(16) * np.pi / 8.0)])


@kernel
def turn_of_pixel(row: int, column: int) -> tuple[float, float]:
    """Cosine and sine of the turn of a pixel's pattern; all 16 turns occur in each 4 x 4 block."""
    way = (5 * (column & 3) + 4 * (row & 3)) & 15
    return _WAYS[way, 0], _WAYS[way, 1]
