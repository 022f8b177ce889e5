"""Takes the shaking out of a clip.

Captures carry measuring noise. It is small in position and huge in acceleration, because a
derivative multiplies each frequency by itself: 0.1 mm at 30 Hz are 3.6 m/s^2.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import solveh_banded

from animato.errors import OptionError
from animato.motion.clip import Clip
from animato.spatial import quaternions
from animato.spatial.basis import DEGREE, ORDER, basis_rows, clamped_knots

_END_PIECES = 2  # of the spline at each end, which know of frames on one side only
_MEMORY = 4.0  # frames over which noise of captures goes together: so many fewer frames speak against it
_LEAST_NOISE = 1e-12  # of a column's own spread: below it there is nothing but rounding


def smoothed(clip: Clip, frequency_hz: float) -> Clip:
    """The clip without what is faster than a frequency, by least squares with a coarser spline.

    A cubic spline with pieces of 1 / (2 f) can follow what is slower than f and nothing else; unlike
    a filter it has no lag and needs no evenly spaced frames.

    At both ends frames are on one side only, and least squares alone would turn noise into
    acceleration there, several times that of the rest. So the motion is taken to be as calm at its ends
    as it is between them: the acceleration at the ends has the mean square a^2 and the jerk of the two end
    pieces the mean square j^2 of all others, and what is sought is the least of
    sum |f - y|^2 / s^2 + sum f''^2 / a^2 + sum f'''^2 / j^2. s^2 is what the first fit left over, four
    times, as noise of captures goes together over some frames. Without noise s is 0, and nothing is held back.

    Args:
        clip: What to smooth.
        frequency_hz: f; about 6 Hz keeps all that people do on purpose.

    Raises:
        OptionError: The frequency is not a positive number.
    """
    if not (math.isfinite(frequency_hz) and frequency_hz > 0.0):
        raise OptionError(f"A smoothing frequency is a number above 0 Hz, given {frequency_hz}.")
    pieces = math.ceil(clip.duration * 2.0 * frequency_hz)
    if pieces + 3 >= clip.frame_count:
        return clip  # the frames are too coarse to hold anything faster
    fit = _Fit(clip.times, max(pieces, 1))
    positions = fit(clip.positions)
    for column, name in enumerate(clip.names):
        if name.endswith(".qw"):  # a spherical joint
            turns = slice(column, column + 4)
            positions[:, turns] = quaternions.normalized(fit(quaternions.continuous(clip.positions[:, turns])))
    base, turn = clip.base_positions, clip.base_quaternions_wxyz
    return Clip(
        clip.times,
        clip.names,
        positions,
        None if base is None else fit(base),
        None if turn is None else quaternions.normalized(fit(quaternions.continuous(turn))),
        f"{clip.source}, smoothed at {frequency_hz:g} Hz",
    )


class _Fit:
    """Least squares with a cubic spline of so many pieces, its ends as calm as the rest of it.

    Args:
        times: Of the frames [s], [frame].
        pieces: Of equal length.
    """

    def __init__(self, times: np.ndarray, pieces: int) -> None:
        breaks = np.linspace(times[0], times[-1], pieces + 1)
        knots = clamped_knots(breaks)
        self._count = len(knots) - ORDER
        self._first, self._rows = basis_rows(knots, times)
        middles = 0.5 * (breaks[:-1] + breaks[1:])
        self._jerk_first, self._jerk_rows = basis_rows(knots, middles, derivative=DEGREE)
        self._band = _gram(self._count, self._first, self._rows)
        bend_first, bend_rows = basis_rows(knots, middles, derivative=2)
        # decides pieces in which there happen to be no frames
        least = 1e-9 * float(times[-1] - times[0]) ** 3 * float(breaks[1] - breaks[0])
        self._band += least * _gram(self._count, bend_first, bend_rows)
        self._ends = np.minimum(np.arange(pieces), np.arange(pieces)[::-1]) < _END_PIECES
        self._end_band = _gram(self._count, self._jerk_first[self._ends], self._jerk_rows[self._ends])
        self._bend_first, self._bend_rows = basis_rows(knots, breaks, derivative=2)
        self._tip_band = _gram(self._count, self._bend_first[[0, -1]], self._bend_rows[[0, -1]])

    def __call__(self, values: np.ndarray) -> np.ndarray:
        """Smoothed values at the frames, [frame, column]."""
        out = np.empty_like(values)
        for column in range(values.shape[1]):
            out[:, column] = self._column(values[:, column])
        return out

    def _column(self, values: np.ndarray) -> np.ndarray:
        middle = float(values.mean())
        wanted = values - middle
        right = np.bincount(
            (self._first[:, None] + np.arange(ORDER)).ravel(),
            weights=(self._rows * wanted[:, None]).ravel(),
            minlength=self._count,
        )
        free = solveh_banded(self._band, right, lower=True)
        left = self._of(free) - wanted
        spare = max(len(values) - self._count, 1)
        noise = float(left @ left) / spare
        if noise <= (_LEAST_NOISE * np.ptp(wanted)) ** 2:
            return middle + self._of(free)
        jerks, bends = _at(free, self._jerk_first, self._jerk_rows), _at(free, self._bend_first, self._bend_rows)
        inner = slice(_END_PIECES, -_END_PIECES) if not self._ends.all() else slice(None)
        jerk, bend = float(np.mean(jerks[inner] ** 2)), float(np.mean(bends[inner] ** 2))
        if min(jerk, bend) <= 0.0:
            return middle + self._of(free)
        held = _MEMORY * noise * (self._end_band / jerk + self._tip_band / bend)
        return middle + self._of(solveh_banded(self._band + held, right, lower=True))

    def _of(self, points: np.ndarray) -> np.ndarray:
        """The curve of control points at the frames."""
        return _at(points, self._first, self._rows)


def _at(points: np.ndarray, first: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Sums of control points with the rows of a basis, [row]."""
    return np.asarray(np.einsum("rk,rk->r", rows, points[first[:, None] + np.arange(ORDER)]))


def _gram(count: int, first: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """The lower bands of rows^T rows, [4, count]."""
    band = np.zeros((ORDER, count))
    for low in range(ORDER):
        for high in range(low, ORDER):
            np.add.at(band[high - low], first + low, rows[:, low] * rows[:, high])
    return band
