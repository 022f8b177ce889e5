"""Positions that come in live, from another thread."""

from __future__ import annotations

import threading
import time
from collections import deque

import numpy as np

_KEPT = 64  # commands that are looked back at


class Latest:
    """A source for whoever computes positions in a thread and at a rate of its own.

    It is a moment behind, so that it lies between two of those that came and runs smoothly whatever the two rates are.
    When nothing comes any more it stays at the last.

    Args:
        start: Until something comes [rad or m], shape [coordinate].
        behind_s: How far behind it is [s]: about one and a half times the time between two that come.
    """

    is_path = False

    def __init__(self, start: np.ndarray, behind_s: float) -> None:
        self._behind_s = behind_s
        self._kept: deque[tuple[float, np.ndarray]] = deque([(-np.inf, np.array(start, dtype=np.float64))], _KEPT)
        self._lock = threading.Lock()
        self._ended = False

    def give(self, positions: np.ndarray) -> None:
        """Takes what is wanted from now on [rad or m], shape [coordinate]; any thread may call it."""
        with self._lock:
            self._kept.append((time.monotonic(), np.array(positions, dtype=np.float64)))

    def end(self) -> None:
        """Nothing more will come; the stream then ends."""
        self._ended = True

    def __call__(self, time_s: float) -> np.ndarray | None:
        """Where to be now; the stream's time does not count."""
        if self._ended:
            return None
        moment = time.monotonic() - self._behind_s
        with self._lock:
            kept = list(self._kept)
        after = next((n for n, one in enumerate(kept) if one[0] > moment), len(kept))
        if after == len(kept):
            return kept[-1][1]
        if after == 0 or kept[after - 1][0] == -np.inf:
            return kept[max(after - 1, 0)][1]
        (before_s, before), (after_s, there) = kept[after - 1], kept[after]
        share = (moment - before_s) / (after_s - before_s)
        return before + share * (there - before)
