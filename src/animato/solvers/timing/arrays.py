"""The timing problem as plain arrays, which the kernels walk."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

ABSOLUTE, RELATIVE, FIXED_DURATION = 0, 1, 2
"""What is known of the duration: nothing, and drawn times count as they are; nothing, and they scale with it; all."""


class TimingArrays(NamedTuple):
    """N segments of a path. Unknown: b = s'^2 at the N + 1 grid points, a bend k a segment, and waits.

    On a segment of width ds, b = (1 - x) b0 + x b1 + 2 x (1 - x) k with x from 0 to 1, and times follow from it as
    `half_time` says. The objective is

        gamma t_N + sum over segments, over start, middle and end, of weight * (t - r drawn)^2

    with r = t_N where the timing is relative and 1 otherwise.

    Attributes:
        widths: ds, [N].
        first_row: Rows of segment i are first_row[i] to first_row[i + 1], [N + 1].
        rows: alpha, beta, kappa, h of alpha b_i + beta b_{i+1} + kappa k_i <= h, with h >= 0, [row, 4].
        most_bent: No feasible |k| is larger, [N].
        moves: Whether b is unknown; it is 0 elsewhere, [N + 1].
        may_wait: Whether the time at rest there is unknown, [N + 1].
        least_wait: The least of it [s], [N + 1].
        drawn: Times at start, middle and end of each segment, [N, 3].
        weights: Not negative, [N, 3].
        gamma: Weight of the duration.
        mode: ABSOLUTE, RELATIVE or FIXED_DURATION.
        duration: t_N in the mode FIXED_DURATION.
        relaxed: Whether every half of a segment may take longer than b says.
    """

    widths: np.ndarray
    first_row: np.ndarray
    rows: np.ndarray
    most_bent: np.ndarray
    moves: np.ndarray
    may_wait: np.ndarray
    least_wait: np.ndarray
    drawn: np.ndarray
    weights: np.ndarray
    gamma: float
    mode: int
    duration: float
    relaxed: bool
