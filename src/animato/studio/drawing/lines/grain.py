"""Takes out the steps of a screen: a mouse tells whole pixels alone."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.interpolate import UnivariateSpline

_DEVIATION = 0.3
"""Of rounding to whole pixels, in pixels: 1 / sqrt(12), and a little more."""

_FEWEST, _MOST = 8, 5000  # samples; more of them would hold up who waits


def without_grain(times: np.ndarray, places: np.ndarray, grain: np.ndarray) -> np.ndarray:
    """Places on a smooth line that is off the samples by no more than rounding makes them, [sample, 2].

    A cubic spline over time with as few knots as keep the mean square of what is left to that of rounding.

    Args:
        times: Rising [s], [sample].
        places: Rounded [m], [sample, 2].
        grain: Length of a pixel on the board along each axis [m], [2]; 0 leaves places as they are.
    """
    if not _FEWEST <= len(times) <= _MOST:
        return places
    smooth = np.array(places)
    for axis in range(2):
        if grain[axis] <= 0.0:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # where it does not converge, its last line is as good
            spline = UnivariateSpline(times, places[:, axis], k=3, s=len(times) * (_DEVIATION * grain[axis]) ** 2)
        found = spline(times)
        if np.isfinite(found).all() and np.abs(found - places[:, axis]).max() <= 3.0 * grain[axis]:
            smooth[:, axis] = found
    return smooth
