"""The clock of a page beside that of the desk."""

from __future__ import annotations

import math

_LEAP_S = 1.0  # by which a page's clock must be off to count as another one: a page that was loaded anew


class PageClock:
    """Says when something happened on a page, on the desk's clock.

    A message is never early: of all differences between when it came and when the page says it was made, the smallest
    is the nearest to the difference of the clocks.
    """

    def __init__(self) -> None:
        """Not set yet."""
        self._offset = math.inf
        self._newest = -math.inf

    def hear(self, said: float, came: float) -> None:
        """A page said a time [s] in a message that came at a moment [s] of the desk's clock."""
        if said < self._newest - _LEAP_S or said + self._offset > came + _LEAP_S:
            self._offset = math.inf
        self._newest = said
        self._offset = min(self._offset, came - said)

    @property
    def offset(self) -> float:
        """What to add to a page's times [s]; 0 before it was heard."""
        return self._offset if math.isfinite(self._offset) else 0.0
