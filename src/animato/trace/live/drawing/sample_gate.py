"""Lets samples in one by one: a sample that jumps waits for the next one, which tells whether the hand went there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

HARDEST = 400.0
"""Acceleration that a hand does not have [m/s^2], where the robot reaches a metre far."""

_ABOVE_USUAL = 8.0  # times the acceleration of the samples before
_LAST = 0.9  # of what is known of that after each sample
_LONGEST_GAP_S = 60.0  # a clock that leaps further waits for the next sample, too


class Sample(NamedTuple):
    """Where the hand is.

    Attributes:
        place: [m], [size].
        moment: [s].
        down: Whether the pen draws.
    """

    place: np.ndarray
    moment: float
    down: bool


class SampleGate:
    """Leaves out single samples that the hand cannot have drawn; costs a sample of delay where one is in doubt.

    A sample is in doubt if going there from the last one takes an acceleration above what a hand has and far above
    that of the samples before. The next sample decides: if it comes back, the one in doubt was none of the hand's.

    Args:
        reach: Size of what is drawn, by which accelerations are judged [m].

    Attributes:
        outliers: Samples that were left out.
    """

    def __init__(self, reach: float) -> None:
        self.outliers = 0
        self._hardest = HARDEST * max(reach, 1e-9) if np.isfinite(reach) else HARDEST
        self._usual = 0.0
        self._last: Sample | None = None
        self._velocity: np.ndarray | None = None
        self._doubtful: Sample | None = None

    def let_in(self, sample: Sample) -> tuple[Sample, ...]:
        """Takes a sample; those that are now known to be good, in their order."""
        if self._doubtful is not None:
            return self._decided(sample)
        if self._is_doubtful(sample):
            self._doubtful = sample
            return ()
        self._accept(sample)
        return (sample,)

    def close(self) -> None:
        """Nothing comes any more: what is in doubt stays out."""
        if self._doubtful is not None:
            self._doubtful = None
            self.outliers += 1

    def _is_doubtful(self, sample: Sample) -> bool:
        last = self._last
        if last is None or sample.down != last.down:
            return False
        if sample.moment - last.moment > _LONGEST_GAP_S:
            return True
        needed = self._acceleration(last, sample)
        return needed > self._hardest and needed > _ABOVE_USUAL * self._usual

    def _decided(self, sample: Sample) -> tuple[Sample, ...]:
        """The sample after one in doubt tells."""
        doubtful, last = self._doubtful, self._last
        assert doubtful is not None and last is not None
        self._doubtful = None
        if doubtful.moment - last.moment > _LONGEST_GAP_S:
            confirmed = sample.moment > doubtful.moment and sample.moment - doubtful.moment <= _LONGEST_GAP_S
        else:
            out = float(np.linalg.norm(doubtful.place - last.place))
            confirmed = float(np.linalg.norm(sample.place - last.place)) >= 0.5 * out
        if not confirmed:
            self.outliers += 1
            if sample.moment <= last.moment or self._is_doubtful(sample):
                self._doubtful = sample if sample.moment > last.moment else None
                return ()
            self._accept(sample)
            return (sample,)
        self._velocity = None  # from here on anew
        self._accept(doubtful)
        if sample.moment <= doubtful.moment:
            return (doubtful,)
        self._accept(sample)
        return doubtful, sample

    def _acceleration(self, last: Sample, sample: Sample) -> float:
        """To get from one sample to the next [m/s^2], from the velocity before."""
        seconds = max(sample.moment - last.moment, 1e-4)
        before = np.zeros_like(last.place) if self._velocity is None else self._velocity
        with np.errstate(over="ignore"):
            return float(np.linalg.norm((sample.place - last.place) / seconds - before) / seconds)

    def _accept(self, sample: Sample) -> None:
        last = self._last
        if last is not None:
            if self._velocity is not None:
                self._usual = max(_LAST * self._usual, min(self._acceleration(last, sample), self._hardest))
            with np.errstate(over="ignore"):
                self._velocity = (sample.place - last.place) / max(sample.moment - last.moment, 1e-4)
        self._last = sample
