"""Targets and postures that come from a page in the browser, beside those from elsewhere."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from typing import Any, Protocol

from animato.express import Target
from animato.express.problem import Said
from animato.express.sources import Losses


class OtherSource(Protocol):
    """Where targets come from besides the page."""

    def poll(self, time_s: float) -> Sequence[Target | Said | str]:
        """What is new by a time since the loop began [s]."""


class PageTargets:
    """A source of what another source has, what is chosen in the page, and where the handle in it is.

    Args:
        hand: Handle of the page; it counts while it is seen.
        other: Another source; where it can tell what it lost, so can this one.

    Attributes:
        ended: Whether nothing will come any more; only closing the page's view ends it.
        losses: Of the other source.
    """

    def __init__(self, hand: Any, other: OtherSource | None) -> None:
        self._hand, self._other = hand, other
        self._lines: deque[str] = deque(maxlen=8)
        self._place: tuple[float, ...] | None = None
        self.ended = False
        losses = getattr(other, "losses", None)
        self.losses = losses if isinstance(losses, Losses) else Losses()

    def hold(self, posture: str) -> None:
        """Says that a posture is to be held, as a line of the input would."""
        self._lines.append(json.dumps({"posture": posture}))

    def poll(self, time_s: float) -> list[Target | Said | str]:
        """What is new; the hand comes last and so counts, if it moved or something else would take its place."""
        news: list[Target | Said | str] = [] if self._other is None else list(self._other.poll(time_s))
        while self._lines:
            news.append(self._lines.popleft())
        if not self._hand.visible:
            self._place = None
            return news
        place = tuple(float(value) for value in self._hand.position)
        if news or place != self._place:
            news.append(Target(point=place))
            self._place = place
        return news
