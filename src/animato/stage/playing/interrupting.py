"""Ctrl-C and the like while servos move: the first stops softly, the second holds at once."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any

from animato.stage.playing.streaming import Stream

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class Interrupts:
    """How often a person, or the system, asked for an end.

    Attributes:
        count: How often.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream, self.count = stream, 0

    def __call__(self, *_: Any) -> None:
        """Asks once: a soft stop. Asks again: hold at once."""
        self.count += 1
        if self.count == 1:
            self._stream.stop()
        else:
            self._stream.hold_now()


@contextlib.contextmanager
def interruptible(stream: Stream) -> Iterator[Interrupts]:
    """Signals stop the stream instead of the program, where this is the main thread; no other may take them."""
    interrupts = Interrupts(stream)
    if threading.current_thread() is not threading.main_thread():
        yield interrupts
        return
    known = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    before = {one: signal.signal(one, interrupts) for one in known}
    try:
        yield interrupts
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
