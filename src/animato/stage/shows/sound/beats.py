"""The beat of a sound: how fast it is, and where the first one falls.

The energy of the sound rises where something is struck. With e the rises of the logarithm of the energy in windows of
10 ms, the time between beats is the lag at which e is most like itself, weighed towards two beats a second as people
hear it; the first beat is the shift at which a comb of that lag gathers most of e.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from animato.errors import OptionError
from animato.stage.shows.sound.wave_file import Wave

_HOP_S = 0.01
_SLOWEST_S, _FASTEST_S = 1.5, 0.25  # between beats
_USUAL_S, _SPREAD = 0.5, 0.9  # what people tap to, and its spread in octaves
_CLEAR = 4.0  # times the median of its likeness that a beat stands out


class Beats(NamedTuple):
    """A steady beat.

    Attributes:
        first_s: The first beat [s].
        every_s: Time between two [s].
        clarity: How far it stands out from what is not the beat, as a multiple.
    """

    first_s: float
    every_s: float
    clarity: float

    @property
    def bpm(self) -> float:
        """Beats a minute."""
        return 60.0 / self.every_s


def beats_of(sound: Wave) -> Beats:
    """Finds the steady beat of a sound.

    Raises:
        OptionError: There is none that stands out.
    """
    rises = _rises(sound.mono(), sound.rate_hz)
    if len(rises) * _HOP_S < 4.0 * _SLOWEST_S or not np.any(rises > 0.0):
        raise OptionError("The sound is too short or too even to find its beat; give 'bpm' and 'offset'.")
    like = np.correlate(rises, rises, "full")[len(rises) - 1 :] if len(rises) < 4000 else _likeness(rises)
    lags = np.arange(int(_FASTEST_S / _HOP_S), int(_SLOWEST_S / _HOP_S) + 1)
    usual = np.exp(-0.5 * (np.log2(lags * _HOP_S / _USUAL_S) / _SPREAD) ** 2)
    smooth = np.convolve(like, (0.5, 1.0, 0.5), "same")
    best = int(lags[np.argmax(smooth[lags] * usual)])
    clarity = float(smooth[best] / max(np.median(np.abs(smooth[lags])), 1e-12))
    if clarity < _CLEAR:
        raise OptionError(f"No steady beat stands out in {sound.path.name}; give 'bpm' and 'offset'.")
    return _combed(rises, best, clarity)


def _combed(rises: np.ndarray, lag: int, clarity: float) -> Beats:
    """Period and first beat to a part of a window: the comb that gathers most over the whole sound."""
    count = int((len(rises) - 1) / lag)
    width = 1.0 / count  # of the period, in windows: one that is off by this is off by a window at the end
    periods = lag + np.arange(-1.0, 1.0 + width, width / 2.0)
    grid = np.arange(len(rises))
    thick = np.convolve(rises, (0.5, 1.0, 0.5), "same")
    best = (-1.0, 0.0, float(lag))
    for period in periods:
        shifts = np.arange(0.0, period, 0.5)
        teeth = shifts[:, None] + period * np.arange(int((len(rises) - 1 - period) / period))
        gathered = np.interp(teeth, grid, thick).sum(axis=1)
        top = int(np.argmax(gathered))
        if gathered[top] > best[0]:
            best = (float(gathered[top]), float(shifts[top]), float(period))
    _, shift, period = best
    return Beats(shift * _HOP_S, period * _HOP_S, clarity)


def _rises(samples: np.ndarray, rate_hz: int) -> np.ndarray:
    """How much the loudness grows in each window, not below 0."""
    hop = max(1, round(_HOP_S * rate_hz))
    edges = (np.arange(int(len(samples) / rate_hz / _HOP_S) + 1) * _HOP_S * rate_hz).astype(np.intp)
    if len(edges) < 3:
        return np.zeros(0)
    energy = np.add.reduceat(np.square(samples), edges[:-1]) / hop
    loud = np.log1p(energy / max(float(np.mean(energy)), 1e-12))
    rises = np.maximum(np.diff(loud, prepend=loud[:1] * 0.0), 0.0)
    shape: np.ndarray = rises - rises.mean()
    return shape


def _likeness(values: np.ndarray) -> np.ndarray:
    """The correlation of values with themselves at all lags, by Fourier transforms."""
    size = 1 << (2 * len(values) - 1).bit_length()
    spectrum = np.fft.rfft(values, size)
    like: np.ndarray = np.fft.irfft(spectrum * np.conj(spectrum), size)[: len(values)]
    return like
