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


class Iterate(NamedTuple):
    """A point of the interior-point method: unknowns and the multipliers of what they must not cross.

    Attributes:
        b: [N + 1].
        bends: k, [N].
        waits: [N + 1].
        extra: Time that halves of segments take beyond what b says, [N, 2]; 0 unless relaxed.
        slack: h - alpha b_i - beta b_{i+1} - kappa k_i, [row].
        row_dual, b_dual, wait_dual, extra_dual: Multipliers, same shapes.
    """

    b: np.ndarray
    bends: np.ndarray
    waits: np.ndarray
    extra: np.ndarray
    slack: np.ndarray
    row_dual: np.ndarray
    b_dual: np.ndarray
    wait_dual: np.ndarray
    extra_dual: np.ndarray


class Gains(NamedTuple):
    """What an eliminated unknown does: a constant, then its change with t, b, v, theta, nu and k."""

    v: np.ndarray  # [N, 7]
    bends: np.ndarray  # [N, 7]
    extra: np.ndarray  # [N, 2, 7]
    waits: np.ndarray  # [N + 1, 7]


class Change(NamedTuple):
    """A step in all unknowns, and what follows from it.

    Attributes:
        b: [N + 1].
        bends: [N].
        waits: [N + 1].
        extra: [N, 2].
        times: As their linear model says, [N, 3].
        slack: [row].
    """

    b: np.ndarray
    bends: np.ndarray
    waits: np.ndarray
    extra: np.ndarray
    times: np.ndarray
    slack: np.ndarray
