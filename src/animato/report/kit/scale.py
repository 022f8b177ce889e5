"""Where numbers stand on a chart: values to pixels, ticks at round numbers, long curves thinned with their peaks."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Scale:
    """A straight map from values to pixels.

    Attributes:
        low, high: Values at the two ends.
        start, end: Pixels at the two ends.
    """

    low: float
    high: float
    start: float
    end: float

    def __call__(self, values: np.ndarray | float) -> np.ndarray:
        """Pixels of the values; infinite values land a little beyond the ends."""
        span = self.high - self.low
        part = (np.asarray(values, dtype=np.float64) - self.low) / span if span > 0.0 else np.full_like(values, 0.5)
        return self.start + np.clip(part, -0.05, 1.05) * (self.end - self.start)


def round_ticks(low: float, high: float, count: int = 5) -> list[float]:
    """About `count` multiples of 1, 2 or 5 times a power of ten that lie in a range, at least 2."""
    if not high > low:
        return [low]
    rough = (high - low) / max(1, count)
    power = 10.0 ** math.floor(math.log10(rough))
    steps = [factor * power for factor in (10.0, 5.0, 2.0, 1.0)]
    step = min(one for one in steps if one >= rough * (1.0 - 1e-9))
    for step in (one for one in steps if one <= step):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first >= 2:
            break
    return [index * step for index in range(first, last + 1)]


def tick_text(value: float, ticks: list[float]) -> str:
    """A tick's number with no more decimals than its neighbours need; thousands and millions as k and M."""
    largest = max(abs(tick) for tick in ticks)
    if largest >= 10_000.0:
        size, letter = (1e6, "M") if largest >= 1e6 else (1e3, "k")
        return tick_text(value / size, [tick / size for tick in ticks]) + (letter if value else "")
    step = min((b - a for a, b in itertools.pairwise(ticks)), default=abs(value) or 1.0)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    text = f"{value:.{min(digits, 6)}f}"
    return text[1:] if text.startswith("-") and float(text) == 0.0 else text


def peak_keeping(values: np.ndarray, max_count: int, keep: tuple[int, ...] = ()) -> np.ndarray:
    """Indices of samples that draw the same picture as all of them: the extremes of each short stretch.

    Args:
        values: Shape [sample].
        max_count: About so many indices at most.
        keep: Indices that must be among them.
    """
    count = len(values)
    if count <= max_count:
        return np.arange(count)
    size = math.ceil(count / max(1, max_count // 2))
    padded = np.concatenate([values, np.full(-count % size, values[-1])]).reshape(-1, size)
    starts = np.arange(len(padded)) * size
    chosen = np.concatenate([starts + padded.argmin(axis=1), starts + padded.argmax(axis=1), [0, count - 1], keep])
    return np.unique(np.minimum(chosen.astype(np.int64), count - 1))
