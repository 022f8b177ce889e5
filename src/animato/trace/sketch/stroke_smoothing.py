"""Takes the shaking out of a stroke before its length is measured.

Noise makes a path longer: samples that follow one another closely jump to and fro between them, most where the hand is
slow. The share of the path that is behind, by which drawn and performed motion are compared, would then follow the
noise instead of the hand.
"""

from __future__ import annotations

import math

import numpy as np

from animato.errors import MotionError, OptionError
from animato.motion import Stroke
from animato.spatial import cubic_spline

HAND_HZ = 10.0
"""Faster than this hardly anything in a drawing is meant."""

_LONGER = 0.005  # noise that makes the path longer by this share matters


def noise_of(stroke: Stroke) -> float:
    """Standard deviation of the shaking of each coordinate from sample to sample [m].

    From third differences, in which a smooth motion is almost nothing and white noise of deviation d has the
    deviation sqrt(20) d. The median keeps corners and halts out of it.
    """
    if len(stroke.points) < 8:
        return 0.0
    third = np.abs(np.diff(stroke.points, n=3, axis=0))
    # the median of |x| of a normal distribution is 0.6745 deviations
    return float(np.median(third, axis=0).max() / (0.6745 * math.sqrt(20.0)))


def is_noisy(stroke: Stroke) -> bool:
    """Whether noise makes the path notably longer than what the hand drew."""
    steps = np.linalg.norm(np.diff(stroke.points, axis=0), axis=1)
    noise = noise_of(stroke)
    # a step of length l across which noise of deviation d shakes is longer by about d^2 / l
    return noise**2 * len(steps) > _LONGER * float(steps.mean()) * float(steps.sum())


def smoothed_stroke(stroke: Stroke, frequency_hz: float = HAND_HZ) -> Stroke:
    """The stroke without what is faster than a frequency, sampled at the same times; no lag.

    A cubic spline with pieces of 1 / (2 f) is fitted by least squares; see `motion.smoothing`.

    Args:
        stroke: With times.
        frequency_hz: f.

    Raises:
        MotionError: The stroke has no times.
        OptionError: The frequency is not a number above 0.
    """
    if not (math.isfinite(frequency_hz) and frequency_hz > 0.0):
        raise OptionError(f"A smoothing frequency is a number above 0 Hz, given {frequency_hz}.")
    if stroke.times is None:
        raise MotionError("A stroke without times has no frequencies to smooth; give it times first, with `timed`.")
    duration = float(stroke.times[-1] - stroke.times[0])
    pieces = math.ceil(duration * 2.0 * frequency_hz)
    if pieces + 3 >= len(stroke.times):
        return stroke  # the samples are too coarse to hold anything faster
    breaks = np.linspace(stroke.times[0], stroke.times[-1], max(pieces, 1) + 1)
    least = 1e-9 * duration**3  # decides pieces in which there happen to be no samples
    points = cubic_spline.fit(stroke.times, stroke.points, breaks, smoothing=least)(stroke.times)
    return Stroke(points, stroke.times, stroke.pressure, stroke.source)
