"""What is done when something is heard."""

from __future__ import annotations

import math
from collections.abc import Callable

from animato.stage.shows.clocks import FollowedClock, TimeCode
from animato.stage.shows.file import AnswerSection, ClockKind, PortKind, Show
from animato.stage.shows.ports.listeners import Heard


class Answering:
    """Turns messages into orders and readings of the clock.

    A message of OSC whose first argument is 0 or false, a note of velocity 0 and a control of value 0 are the release
    of a button, and give no cue.

    Args:
        show: Whose cues they are.
        order: Given the orders.
        clock: Given the times of a clock that is heard; None where there is none.
    """

    def __init__(self, show: Show, order: Callable[[str], None], clock: FollowedClock | None = None) -> None:
        self._show, self._order, self._clock = show, order, clock
        self._code = TimeCode()

    def ear(self, name: str) -> Callable[[Heard], None]:
        """What hears the input of a name."""
        return lambda heard: self.hear(name, heard)

    def hear(self, name: str, heard: Heard) -> None:
        """Takes a message of an input."""
        section = self._show.clock
        if self._clock is not None and section.input == name:
            if section.kind is ClockKind.MTC and heard.what in ("quarter", "exclusive"):
                self._time_code(heard, self._clock)
                return
            if section.kind is ClockKind.OSC and heard.what == section.address:
                self._osc_time(heard, self._clock)
                return
        if heard.kind is PortKind.KEYBOARD:
            self._typed(heard.what)
            return
        for answer in self._show.said.cues:
            if _fits(answer, heard):
                self._order(answer.does)

    def _typed(self, word: str) -> None:
        """A word that is typed is a key of the cues, or itself an order."""
        for answer in self._show.said.cues:
            if answer.key == word:
                self._order(answer.does)
                return
        self._order(word)

    def _time_code(self, heard: Heard, clock: FollowedClock) -> None:
        numbers = tuple(int(str(one)) for one in heard.values)
        if heard.what == "quarter":
            at = self._code.quarter(*numbers[:2])
            if at is not None:
                clock.hear(at)
        else:
            at = self._code.full(numbers)
            if at is not None:
                clock.hear(at, running=False)

    @staticmethod
    def _osc_time(heard: Heard, clock: FollowedClock) -> None:
        if heard.values and isinstance(heard.values[0], int | float) and math.isfinite(heard.values[0]):
            clock.hear(float(heard.values[0]))


def _fits(answer: AnswerSection, heard: Heard) -> bool:
    if heard.kind is PortKind.OSC:
        released = bool(heard.values) and isinstance(heard.values[0], int | float) and heard.values[0] == 0
        return answer.osc == heard.what and not released
    number = {"note": answer.note, "control": answer.control}.get(heard.what)
    if number is None or len(heard.values) < 2 or number != heard.values[0] or heard.values[1] == 0:
        return False
    return answer.channel in (None, heard.channel)
