"""When a hand was quick: peaks of its speed."""

from __future__ import annotations

import numpy as np

_STEP_S = 0.01
_SMOOTH_S = 0.05  # of the speed: shaking is no accent
_HIGHER = 1.3  # than the mean speed
_APART_S = 0.25


def quick_moments(times: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Moments at which the speed has a peak well above its mean [s], rising, [moment].

    Args:
        times: Rising [s], [sample].
        places: [m], [sample, 2 or 3].
    """
    steps = max(int((times[-1] - times[0]) / _STEP_S), 1)
    if steps < 8:
        return np.zeros(0)
    grid = np.linspace(times[0], times[-1], steps + 1)
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))])
    speed = np.diff(np.interp(grid, times, along))
    step = grid[1] - grid[0]
    side = min(int(3.0 * _SMOOTH_S / step), (len(speed) - 1) // 2)  # no wider than a short line
    kernel = np.exp(-0.5 * (step * np.arange(-side, side + 1) / _SMOOTH_S) ** 2)
    # shares of what lies inside, so that the ends are no lower than they were
    smooth = np.convolve(speed, kernel, "same") / np.convolve(np.ones_like(speed), kernel, "same")
    middle = 0.5 * (grid[1:] + grid[:-1])
    inner = smooth[1:-1]
    peaks = 1 + np.flatnonzero((inner > smooth[:-2]) & (inner >= smooth[2:]) & (inner > _HIGHER * smooth.mean()))
    kept: list[float] = []
    for peak in peaks[np.argsort(-smooth[peaks], kind="stable")]:
        if all(abs(middle[peak] - other) >= _APART_S for other in kept):
            kept.append(float(middle[peak]))
    return np.array(sorted(kept))
