"""One motor of a driver: gathers positions into curves that fit what its board keeps."""

from __future__ import annotations

import math
from collections import deque

from animato.stage.lines.bottango.commands import UNITS
from animato.stage.lines.bottango.curve import Curve, fitted
from animato.stage.lines.contract import Slot

_DUE_MS = 40.0
"""What is pending goes out this long before it begins, whether it is a whole curve or not."""
_GAP_MS = 100.0
"""After such a gap motion begins anew."""
_APPROACH_MS = 80.0
_STILL = 1.0
"""What moves by no more than this from one position to the next is at rest [units of 8192]."""
_EXACT = 0.5
"""A curve may pass its samples at this distance [units of 8192]."""
_CATCHING_UP_MS = 20
"""How long a curve is whose time is over; a driver's speed limit makes it longer where it must."""
_KEPT = 3
"""Curves that the smallest board keeps for a motor, the one that it plays among them."""
_OFF_MS = 10.0
_RECORD = 8


class Motor:
    """Positions in, curves out.

    Args:
        name: What the driver calls it.
        slot: Of the servo.
        span_ms: How long a curve is.
        share: Of a curve's length by which this motor's curves are shifted, so that not all motors send at once.

    Attributes:
        delivered: The height at which the last curve ends that the driver has [units].
        ends: The least and the most pulse that the driver is told [whole microseconds], inside the slot's range.
    """

    def __init__(self, name: str, slot: Slot, span_ms: float, share: float) -> None:
        self.name = name
        self.ends = math.ceil(slot.lowest - 1e-6), math.floor(slot.highest + 1e-6)
        self._span_ms, self._shift_ms = span_ms, span_ms * share
        span = self.ends[1] - self.ends[0]
        self._ms_a_unit = 0.0 if slot.speed is None else 1000.0 * span / (slot.speed * UNITS)
        self._times: list[float] = []
        self._heights: list[float] = []
        self._sent: deque[Curve] = deque(maxlen=_RECORD)
        self._stands = self.delivered = 0
        self._still_ms: float | None = None

    def stand(self, pulse: float) -> None:
        """It stands here [microseconds]; nothing is pending."""
        self._times, self._heights = [], []
        self._sent.clear()
        self._stands = self.delivered = round(self._height_of(pulse))
        self._still_ms = None

    @property
    def rests_at_ms(self) -> float | None:
        """When it is at rest by what it was told last; None where that is still in motion, or nothing was told."""
        return self._still_ms

    def pulse(self, height: float) -> float:
        """The pulse [microseconds] of a height [units]."""
        return self.ends[0] + (self.ends[1] - self.ends[0]) * height / UNITS

    def height(self, now_ms: float) -> float:
        """Where it is told to be at a time [units]."""
        begun = [curve for curve in self._sent if curve.start_ms <= now_ms]
        return begun[-1].at(now_ms) if begun else float(self._stands)

    def add(self, at_ms: float, pulse: float, now_ms: float = math.inf) -> Curve | None:
        """Takes where to be at a time; gives a curve when one is whole and the board has room for it."""
        height = self._height_of(pulse)
        if self._times and at_ms - self._times[-1] > _GAP_MS:
            self._begin(at_ms - _DUE_MS, self._heights[-1])
        if not self._times:  # from where it stands, which after a sudden stop is not where the motion goes on
            self._begin(at_ms - _APPROACH_MS, float(self._stands))
        if at_ms <= self._times[-1] + 0.5:  # the same millisecond: the later word counts
            self._heights[-1] = height
            return None
        self._still_ms = at_ms if abs(height - self._heights[-1]) <= _STILL else None
        self._times.append(at_ms)
        self._heights.append(height)
        turn = math.floor((at_ms + self._shift_ms) / self._span_ms)
        begun = math.floor((self._times[0] + self._shift_ms) / self._span_ms)
        return self._closed() if turn > begun and self._has_room(now_ms) else None

    def due(self, now_ms: float) -> Curve | None:
        """What is pending and about to begin, at a time, where the board has room for it."""
        is_due = len(self._times) > 1 and self._times[0] - now_ms < _DUE_MS
        return self._closed() if is_due and self._has_room(now_ms) else None

    def _has_room(self, now_ms: float) -> bool:
        """Whether the board keeps one more without throwing one out that is not over; its clock is a little off."""
        return sum(curve.end_ms > now_ms - _OFF_MS for curve in self._sent) < _KEPT

    def is_last(self, curve: Curve) -> bool:
        """Whether nothing is wanted after this curve, as far as is known."""
        return bool(self._sent) and self._sent[-1] is curve

    def joined(self, curve: Curve, stands: int, now_ms: float) -> Curve:
        """The curve as it must be sent now: from where the motor stands before it, and not from the past.

        The driver's speed limit allows any jump after a rest; so where a curve was lost or is late, the next one leads
        from where the motor stands to where it should be by its end, or later where that would be too fast.
        """
        if curve.y0 == stands and curve.start_ms >= now_ms - 1.0:
            return curve
        start = max(curve.start_ms, math.ceil(now_ms))
        end = curve.end_ms if curve.end_ms > start else start + _CATCHING_UP_MS
        end = max(end, start + math.ceil(abs(curve.y1 - stands) * self._ms_a_unit))
        return fitted([start, end], [stands, curve.y1])

    def _begin(self, at_ms: float, height: float) -> None:
        self._times, self._heights = [at_ms], [height]

    def _closed(self) -> Curve | None:
        """The curve through what is pending; None where it stands still, which needs no word."""
        curve = fitted(self._times, self._heights)
        self._begin(self._times[-1], self._heights[-1])
        stands = self._sent[-1].y1 if self._sent else self._stands
        if curve.y0 == curve.y1 == stands and max(abs(curve.cy0), abs(curve.cy1)) <= _EXACT:
            return None
        self._sent.append(curve)
        return curve

    def _height_of(self, pulse: float) -> float:
        low, high = self.ends
        return min(max((pulse - low) / (high - low) * UNITS, 0.0), float(UNITS))
