"""Where the knots of a path go: close together where the stroke bends, by equation 6 of Luo and Hauser (2012).

    g(s) = (1 - epsilon) |x(s + h) + x(s - h) - 2 x(s)| / h^2 + epsilon

Knots divide the integral of g into equal parts. As printed the first term grows with the size of the drawing and the
second does not; here both are divided by their mean, so that epsilon is the share of knots that go by distance alone
and the result does not depend on the unit of length.
"""

from __future__ import annotations

import numpy as np

from animato.algebra.banded import factor_band, solve_band
from animato.errors import OptionError
from animato.kernels.compiled import kernel
from animato.spatial.basis import ORDER, basis_rows, clamped_knots, combine_rows
from animato.trace.sketch import Sketch

FEWEST_CONTROL_POINTS = 6
MOST_CONTROL_POINTS = 160
MOST_UNKNOWNS = 1400
"""Control points times joints up to which the number of control points grows by itself: about 0.1 s to solve for."""

LOOK = 1001
"""Places along the stroke at which its curvature is looked at."""

DENSEST = 16.0
"""Times the mean curvature beyond which it draws no more knots: closer than places of comparison they are idle."""

SMALLEST_DETAIL = 5e-4
"""Detail of the stroke that a path of automatic length need not follow, as a share of the size of the drawing."""

_SPARE = 1.15  # a path in joint space needs a few more pieces than one in the drawing's own space


def stroke_noise(sketch: Sketch) -> float:
    """Standard deviation of the jitter of one coordinate [m], from third differences of neighbouring samples.

    A smooth motion leaves next to nothing in third differences at the rate of a tablet, whereas independent jitter
    of deviation sigma leaves sqrt(20) sigma. The median is taken, which corners do not move.
    """
    x = sketch.positions.reshape(len(sketch.times), -1)
    if len(x) < 8:
        return 0.0
    third = np.abs(np.diff(x, n=3, axis=0))
    moving = third.max(axis=0) > 0.0
    return float(np.median(third[:, moving], axis=0).max() / (0.6745 * np.sqrt(20.0))) if moving.any() else 0.0


def curvature_step(sketch: Sketch, noise: float) -> float:
    """The step h of equation 6, as a share of the stroke.

    The paper takes about twice the noise. Its second difference then still sees mostly noise: independent jitter
    sigma gives sqrt(6) sigma / (h l)^2 on a stroke of length l. With h l = 2 sqrt(sigma r), r = l / (2 pi), that is
    about half the curvature of a circle as long as the stroke, well below that of its letters and corners.
    """
    length = sketch.length
    wide = 2.0 * np.sqrt(noise * length / (2.0 * np.pi)) / length
    return float(np.clip(max(wide, 2.0 * noise / length, 1.5 / LOOK), 0.0, 0.1))


def knot_density(sketch: Sketch, *, epsilon: float, step: float) -> tuple[np.ndarray, np.ndarray]:
    """The density g of equation 6 with mean 1.

    Args:
        sketch: What is followed.
        epsilon: 0 for knots by curvature alone, 1 for knots at equal distances.
        step: h.

    Returns:
        Places s, [LOOK], and g there.
    """
    if not 0.0 <= epsilon <= 1.0:
        raise OptionError(f"epsilon must be between 0 (knots by curvature) and 1 (evenly), not {epsilon}.")
    s = np.linspace(0.0, 1.0, LOOK)
    middle = np.clip(s, step, 1.0 - step)  # at the ends the nearest place with two neighbours stands in
    x = [sketch.x_of_s(middle + shift) * np.sqrt(sketch.weights)[:, None] for shift in (-step, 0.0, step)]
    bend = np.sqrt(np.sum((x[0] + x[2] - 2.0 * x[1]) ** 2, axis=(1, 2))) / step**2
    mean = np.trapezoid(bend, s)
    if mean <= 1e-9 * sketch.length / step**2:  # a straight line
        return s, np.ones(LOOK)
    # a cusp is one place, however much it bends
    bend = np.minimum(bend / mean, DENSEST)
    return s, (1.0 - epsilon) * bend / np.trapezoid(bend, s) + epsilon


def curvature_knots(density: tuple[np.ndarray, np.ndarray], control_point_count: int) -> np.ndarray:
    """Clamped knots on [0, 1] that divide the integral of the density into equal parts, [c + 4].

    Args:
        density: Places s and g there, from `knot_density`.
        control_point_count: c, at least 4.
    """
    if control_point_count < ORDER:
        raise OptionError(f"A path needs at least {ORDER} control points, not {control_point_count}.")
    s, g = density
    cumulated = np.concatenate([[0.0], np.cumsum(0.5 * (g[1:] + g[:-1]) * np.diff(s))])
    parts = control_point_count - 3
    levels = np.linspace(0.0, cumulated[-1], parts + 1)
    # g may vanish on straight pieces; a slope of its own keeps the places unique
    rising = cumulated + 1e-9 * cumulated[-1] * s
    breaks = np.interp(levels * (1.0 + 1e-9), rising, s)
    breaks[0], breaks[-1] = 0.0, 1.0
    return clamped_knots(breaks)


def most_control_points(joint_count: int) -> int:
    """Number of control points beyond which a path of so many joints does not grow by itself."""
    return int(np.clip(MOST_UNKNOWNS // joint_count, 40, MOST_CONTROL_POINTS))


def sufficient_count(
    sketch: Sketch, density: tuple[np.ndarray, np.ndarray], noise: float, places: np.ndarray, most: int
) -> int:
    """Number of control points with which a spline follows the stroke down to its noise.

    Counts grow by a quarter until the least-squares spline in the drawing's own space is within the noise, or
    within the smallest detail that matters.

    Args:
        sketch: What is followed.
        density: From `knot_density`.
        noise: Of one coordinate [m].
        places: Where the path will be compared with the stroke, [m].
        most: Number at which to stop.
    """
    x = sketch.x_of_s(places).reshape(len(places), -1)
    size = float(np.linalg.norm(np.ptp(sketch.positions.reshape(len(sketch.times), -1), axis=0)))
    enough = max(0.9 * noise, SMALLEST_DETAIL * size)  # between two samples jitter averages to 0.82 of it
    most = min(most, max(FEWEST_CONTROL_POINTS, len(places) // 4))
    count = FEWEST_CONTROL_POINTS
    while count < most and _misfit(curvature_knots(density, count), places, x) > enough:
        count = min(most, int(np.ceil(1.25 * count)))
    return int(min(most, np.ceil(_SPARE * count)))


def _misfit(knots: np.ndarray, places: np.ndarray, x: np.ndarray) -> float:
    """Root mean square distance per coordinate of values x [m, d] from their least-squares spline.

    A tenth of the largest distance counts instead where it is more: a cusp is a small part of a stroke, and is seen.
    """
    first, values = basis_rows(knots, places)
    square, largest = _square_misfit(first, values, x, len(knots) - ORDER)
    moving = max(int(np.count_nonzero(np.ptp(x, axis=0) > 0.0)), 1)
    return float(max(np.sqrt(square / (len(places) * moving)), 0.1 * np.sqrt(largest)))


@kernel
def _square_misfit(first: np.ndarray, values: np.ndarray, x: np.ndarray, count: int) -> tuple[float, float]:
    """Sum and largest of the squared distances that a least-squares spline of `count` control points leaves of x."""
    band, points, curve = np.zeros((count, ORDER)), np.zeros((count, x.shape[1])), np.empty(x.shape)
    for j in range(len(first)):
        for a in range(ORDER):
            row = first[j] + a
            for d in range(x.shape[1]):
                points[row, d] += values[j, a] * x[j, d]
            for b in range(a + 1):
                band[row, ORDER - 1 - a + b] += values[j, a] * values[j, b]
    for row in range(count):
        band[row, ORDER - 1] += 1e-9 * len(first) / count  # pieces without a place of their own
    factor_band(band)
    solve_band(band, points)
    combine_rows(first, values, points, curve)
    total, largest = 0.0, 0.0
    for j in range(len(first)):
        square = 0.0
        for d in range(x.shape[1]):
            square += (curve[j, d] - x[j, d]) ** 2
        total, largest = total + square, max(largest, square)
    return total, largest
