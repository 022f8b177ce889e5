"""Times, objective and costates of a timing problem, and how times change with b."""

from __future__ import annotations

import numpy as np

from animato.kernels.compiled import inlined_kernel, kernel
from animato.solvers.timing.arrays import FIXED_DURATION, RELATIVE, TimingArrays

Slopes = tuple[float, float, float]
Curvature = tuple[float, float, float, float, float, float]


@inlined_kernel
def bend_factor(y: float) -> tuple[float, float, float]:
    """g(y) = artanh(sqrt y) / sqrt y = 1 + y / 3 + y^2 / 5 + ..., arctan for negative y, and g', g''."""
    if abs(y) < 1e-2:
        g = 1.0 + y * (1.0 / 3.0 + y * (0.2 + y * (1.0 / 7.0 + y * (1.0 / 9.0 + y * (1.0 / 11.0 + y / 13.0)))))
        first = 1.0 / 3.0 + y * (0.4 + y * (3.0 / 7.0 + y * (4.0 / 9.0 + y * (5.0 / 11.0 + y * (6.0 / 13.0)))))
        second = 0.4 + y * (6.0 / 7.0 + y * (12.0 / 9.0 + y * (20.0 / 11.0 + y * (30.0 / 13.0))))
        return g, first, second
    root = np.sqrt(abs(y))
    if y > 0.0:
        safe = min(root, 1.0 - 1e-12)
        g = np.arctanh(safe) / safe
    else:
        g = np.arctan(root) / root
    rest = 1.0 / max(1.0 - y, 1e-12)
    first = 0.5 * (rest - g) / y
    return g, first, 0.5 * (rest * rest - 3.0 * first) / y


@inlined_kernel
def half_time(width: float, near: float, far: float, bend: float) -> tuple[float, Slopes]:
    """Time of the half segment at b = near, and its derivatives with respect to near, far and bend.

    Where b is quadratic in s, s'' is linear in s, and such a motion over a way w from speed v0 to v1 takes
    2 w / (v0 + v1) g(y) with y = -2 k / (v0 + v1)^2. The half has the bend k / 4 and ends at (near + far + k) / 2.
    A near end at rest does not move: its own derivative is left out.
    """
    middle = 0.5 * (near + far + bend)
    root, root_middle = np.sqrt(near), np.sqrt(middle)
    total = root + root_middle
    inverse = 1.0 / total
    y = -0.5 * bend * inverse * inverse
    g, first, _ = bend_factor(y)
    by_sum = -(g + 2.0 * y * first) * inverse * inverse
    by_middle = 0.25 * by_sum / root_middle
    by_near = 0.5 * by_sum / root if near > 0.0 else 0.0
    by_bend = -0.5 * first * inverse * inverse * inverse
    return width * g * inverse, (width * (by_near + by_middle), width * by_middle, width * (by_bend + by_middle))


@inlined_kernel
def half_curvature(width: float, near: float, far: float, bend: float) -> Curvature:
    """Second derivatives of `half_time`: near near, near far, far far, near bend, far bend, bend bend.

    Time is an integral of 1 / sqrt b, which is convex, with b linear in the three: the matrix is positive semidefinite.
    """
    middle = 0.5 * (near + far + bend)
    root, root_middle = np.sqrt(near), np.sqrt(middle)
    inverse = 1.0 / (root + root_middle)
    y = -0.5 * bend * inverse * inverse
    g, first, second = bend_factor(y)
    square, cube = inverse * inverse, inverse * inverse * inverse
    by_sum = -(g + 2.0 * y * first) * square
    sum_sum = (2.0 * g + 10.0 * y * first + 4.0 * y * y * second) * cube
    sum_bend = 0.5 * (3.0 * first + 2.0 * y * second) * square * square
    bend_bend = 0.25 * second * square * cube
    of_middle = 0.5 / root_middle
    mm = sum_sum * of_middle * of_middle - by_sum * 0.25 / (middle * root_middle)
    mk = sum_bend * of_middle
    nn, nm, nk = 0.0, 0.0, 0.0
    if near > 0.0:
        of_near = 0.5 / root
        nn = sum_sum * of_near * of_near - by_sum * 0.25 / (near * root)
        nm = sum_sum * of_near * of_middle
        nk = sum_bend * of_near
    quarter = 0.25 * mm
    return (
        width * (nn + nm + quarter),
        width * (0.5 * nm + quarter),
        width * quarter,
        width * (nk + 0.5 * nm + 0.5 * mk + quarter),
        width * (0.5 * mk + quarter),
        width * (bend_bend + mk + quarter),
    )


@kernel
def times_kernel(
    p: TimingArrays, b: np.ndarray, bends: np.ndarray, waits: np.ndarray, extra: np.ndarray, times: np.ndarray
) -> None:
    """Writes the times at start, middle and end of each segment, [N, 3]; the start after the wait there."""
    now = 0.0
    for i in range(len(p.widths)):
        now += waits[i]
        times[i, 0] = now
        first, _ = half_time(p.widths[i], b[i], b[i + 1], bends[i])
        now += first + extra[i, 0]
        times[i, 1] = now
        second, _ = half_time(p.widths[i], b[i + 1], b[i], bends[i])
        now += second + extra[i, 1]
        times[i, 2] = now


@kernel
def objective_kernel(p: TimingArrays, times: np.ndarray) -> float:
    """Gamma t_N + the weighted squares of timing errors."""
    end = times[-1, 2]
    scale = end if p.mode == RELATIVE else 1.0
    total = p.gamma * end
    for i in range(len(p.widths)):
        for k in range(3):
            error = times[i, k] - scale * p.drawn[i, k]
            total += p.weights[i, k] * error * error
    return total


@kernel
def costates_kernel(p: TimingArrays, times: np.ndarray, nu: float, costates: np.ndarray) -> float:
    """Writes the change of the objective with a delay at start, middle and end of each segment, [N, 3].

    Args:
        p: The problem.
        times: As from `times_kernel`.
        nu: Multiplier of t_N = duration, for the mode FIXED_DURATION.
        costates: Written.

    Returns:
        The multiplier of t_N = r, which is nu itself in the mode FIXED_DURATION.
    """
    end = times[-1, 2]
    scale = end if p.mode == RELATIVE else 1.0
    multiplier = p.gamma
    if p.mode == RELATIVE:
        for i in range(len(p.widths)):
            for k in range(3):
                error = times[i, k] - scale * p.drawn[i, k]
                multiplier -= 2.0 * p.weights[i, k] * p.drawn[i, k] * error
        now = multiplier
    elif p.mode == FIXED_DURATION:
        multiplier, now = nu, nu + p.gamma
    else:
        multiplier, now = 0.0, p.gamma
    for i in range(len(p.widths) - 1, -1, -1):
        for k in range(2, -1, -1):
            now += 2.0 * p.weights[i, k] * (times[i, k] - scale * p.drawn[i, k])
            costates[i, k] = now
    return multiplier
