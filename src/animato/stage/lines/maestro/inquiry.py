"""Asks a Maestro while it plays: what pulses it sends, and what went wrong. Its answers have no check sum."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from animato.stage.lines.contract import Feedback, LineError
from animato.stage.lines.maestro.maestro_words import MOST_ERRORS, MOST_TARGET, QUARTERS, MaestroWords, error_words
from animato.stage.lines.pulses import PulsePort

_SILENCE_S = 0.03
"""An answer takes a millisecond or two; after this long without one nobody is there [s]."""
_TIMES, _SLACK_S, _FADING = 3.0, 0.004, 0.9
"""An answer is asked for again after three times what answers took of late, and some slack [s]."""
_FIRST_S = 0.002
SURPRISE = 100 * QUARTERS
"""A pulse that is so far from what was told is believed only when it is said twice [quarter microseconds]."""
_SURELY = 3
"""So often in a row the error register says the same before that is believed without other signs."""
_REGISTER = -1
_TRIES = 4


class Inquiry:
    """Questions to a Maestro, one after the other: its error register, then the pulse of each channel.

    An answer is two bytes that nothing protects. So one that is lost or cannot be is asked for again, a pulse that
    surprises must be said twice, and a bit of the error register, which a reading clears, counts where pulses are not
    what they should be, or when the next two readings have the same. All of these are counted in `lost`.

    Args:
        port: To the Maestro.
        words: How it is spoken to.
        channels: Whom to ask for.
        told: Gives what they were told last [quarter microseconds], in the same order.
        silent: Makes the error for a Maestro that does not answer.

    Attributes:
        lost: Answers that did not come or were spoiled.
        polls_a_round: Polls in which every channel is heard once, as long as all is well.
    """

    def __init__(
        self,
        port: PulsePort,
        words: MaestroWords,
        channels: Sequence[int],
        told: Callable[[], Sequence[int]],
        silent: Callable[[], LineError],
    ) -> None:
        self._port, self._words, self._channels, self._told, self._silent = port, words, tuple(channels), told, silent
        self.lost = 0
        self.polls_a_round = len(self._channels) + 1
        self._polls = 0
        self._asked = _REGISTER - 1
        self._asked_at: float | None = None
        self._quiet_since: float | None = None
        self._latency_s = _FIRST_S
        self._heard = b""
        self._doubt: int | None = None
        self._blamed = self._times = 0

    def forget(self) -> None:
        """Nobody waits for an answer any more."""
        self._asked_at = self._quiet_since = self._doubt = None

    def poll(self, budget_s: float) -> tuple[Feedback, ...]:
        """See `Line.poll`."""
        until = time.monotonic() + budget_s
        found: list[Feedback] = []
        asked = 0
        self._polls += 1
        while True:
            if self._asked_at is not None:
                found += self._take()
            elif asked > len(self._channels):
                return tuple(found)  # everybody was asked once
            else:
                self._go_on()
                asked += 1
            if time.monotonic() >= until:
                return tuple(found)

    def _go_on(self) -> None:
        """Asks the next question."""
        self._asked += 1
        if self._asked >= len(self._channels):
            self._asked = _REGISTER
            self.polls_a_round, self._polls = max(1, self._polls), 0
        self._doubt = None
        self._ask()

    def _ask(self) -> None:
        self._port.drain()  # what nobody asked for would be taken for the answer
        asked = self._words.errors() if self._asked < 0 else self._words.position(self._channels[self._asked])
        self._port.write(asked)
        self._asked_at, self._heard = time.monotonic(), b""
        self._quiet_since = self._asked_at if self._quiet_since is None else self._quiet_since

    def _again(self) -> None:
        self.lost += 1
        self._ask()

    def _take(self) -> list[Feedback]:
        assert self._asked_at is not None and self._quiet_since is not None
        self._heard += self._port.read()
        now = time.monotonic()
        if len(self._heard) < 2:
            again_s = _TIMES * self._latency_s + _SLACK_S
            if now - self._asked_at > again_s:
                self._again()
            elif now - self._quiet_since > max(_SILENCE_S, 2.0 * again_s):
                raise self._silent()
            return []
        self._latency_s = min(max(now - self._asked_at, _FADING * self._latency_s), _SILENCE_S)
        value = int.from_bytes(self._heard[:2], "little")
        if value > (MOST_ERRORS if self._asked < 0 else MOST_TARGET):
            self._again()
            return []
        return self._take_errors(value) if self._asked < 0 else self._take_pulse(value)

    def _take_errors(self, bits: int) -> list[Feedback]:
        """Of the error register; reading it has cleared it."""
        self._times = self._times + 1 if bits == self._blamed else 1
        self._blamed = bits
        self.lost += bits != 0
        self._asked_at = self._quiet_since = None
        if not bits or self._times < _SURELY:
            return []
        return [Feedback(channel, fault=error_words(bits)) for channel in self._channels]

    def _take_pulse(self, value: int) -> list[Feedback]:
        told = self._told()[self._asked]
        surprises, doubt = abs(value - told) > SURPRISE, self._doubt
        if surprises and (doubt is None or abs(value - doubt) > SURPRISE):
            self._doubt = value
            self._again()
            return []
        self._asked_at = self._quiet_since = None
        fault = error_words(self._blamed) if surprises else ""
        if not fault and value == 0 and told > 0:
            fault = "it sends no pulses any more"
        return [Feedback(self._channels[self._asked], position=value / QUARTERS, fault=fault)]


def asked(port: PulsePort, request: bytes, most: int, until: float, garbled: Callable[[int], LineError]) -> int | None:
    """Asks for two bytes, again where they do not come or cannot be; None where nothing came in time.

    Args:
        port: To the Maestro.
        request: What to write.
        most: What two bytes can be.
        until: On the clock of `time.monotonic` [s].
        garbled: Makes the error for an answer that cannot be.

    Raises:
        LineError: Only answers came that cannot be.
    """
    start = now = time.monotonic()
    each_s = max(_SILENCE_S / 2.0, (until - start) / _TRIES)
    bad: int | None = None
    while now < until or now == start:
        port.drain()
        port.write(request)
        heard, sent_at = b"", now
        while len(heard) < 2 and now - sent_at <= each_s:
            heard += port.read()
            now = time.monotonic()
        if len(heard) >= 2:
            value = int.from_bytes(heard[:2], "little")
            if value <= most:
                return value
            bad = value
    if bad is not None:
        raise garbled(bad)
    return None
