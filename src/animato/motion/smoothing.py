"""Takes the shaking out of a clip.

Captures carry measuring noise. It is small in position and huge in acceleration, because a
derivative multiplies each frequency by itself: 0.1 mm at 30 Hz are 3.6 m/s^2.
"""

from __future__ import annotations

import math

import numpy as np

from animato.errors import OptionError
from animato.motion.clip import Clip
from animato.spatial import cubic_spline, quaternions


def smoothed(clip: Clip, frequency_hz: float) -> Clip:
    """The clip without what is faster than a frequency, by least squares with a coarser spline.

    A cubic spline with pieces of 1 / (2 f) can follow what is slower than f and nothing else; unlike
    a filter it has no lag and needs no evenly spaced frames.

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
    breaks = np.linspace(clip.times[0], clip.times[-1], max(pieces, 1) + 1)
    least = 1e-9 * clip.duration**3  # decides pieces in which there happen to be no frames

    def fitted(values: np.ndarray) -> np.ndarray:
        if values.shape[1] == 0:
            return values
        return cubic_spline.fit(clip.times, values, breaks, smoothing=least)(clip.times)

    positions = fitted(clip.positions)
    for column, name in enumerate(clip.names):
        if name.endswith(".qw"):  # a spherical joint
            turns = slice(column, column + 4)
            positions[:, turns] = quaternions.normalized(fitted(quaternions.continuous(clip.positions[:, turns])))
    base, turn = clip.base_positions, clip.base_quaternions_wxyz
    return Clip(
        clip.times,
        clip.names,
        positions,
        None if base is None else fitted(base),
        None if turn is None else quaternions.normalized(fitted(quaternions.continuous(turn))),
        f"{clip.source}, smoothed at {frequency_hz:g} Hz",
    )
