"""A thread that does one thing after the other, some of them at a time."""

from __future__ import annotations

import heapq
import itertools
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

Errand = Callable[[], object]

_PATIENCE_S = 0.5  # of somebody who ends the studio: what takes longer than an errand may is left behind


@dataclass
class Timer:
    """An errand at a time.

    Attributes:
        errand: What is done.
        period: Until it is done again [s]; 0 for once.
        cancelled: Whether it is left out.
    """

    errand: Errand
    period: float = 0.0
    cancelled: bool = field(default=False)

    def cancel(self) -> None:
        """Leaves it out from now on."""
        self.cancelled = True


class Errands:
    """A queue of errands and a thread that does them; what goes wrong in one does not stop the others."""

    def __init__(self, trouble: Errand, clock: Callable[[], float] = time.monotonic) -> None:
        """Without a thread yet.

        Args:
            trouble: Called while an exception of an errand is being handled.
            clock: [s].
        """
        self._trouble, self._clock = trouble, clock
        self._queue: queue.SimpleQueue[Errand | None] = queue.SimpleQueue()
        self._timers: list[tuple[float, int, Timer]] = []
        self._numbers = itertools.count()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begins to work."""
        self._thread = threading.Thread(target=self._work, name="animato-desk", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Does what is in the queue, then ends; in the background where that takes long, as while all gets warm."""
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join(timeout=_PATIENCE_S)

    def post(self, errand: Errand) -> None:
        """Puts an errand at the end of the queue; from any thread."""
        self._queue.put(errand)

    def later(self, seconds: float, errand: Errand) -> Timer:
        """Once, after a while."""
        return self._timed(Timer(errand), seconds)

    def every(self, seconds: float, errand: Errand) -> Timer:
        """Again and again."""
        return self._timed(Timer(errand, seconds), seconds)

    def run_due(self) -> None:
        """Does all that is due, in the caller's thread."""
        while True:
            self._run_timers()
            try:
                errand = self._queue.get_nowait()
            except queue.Empty:
                return
            self._run(errand)

    def _timed(self, timer: Timer, seconds: float) -> Timer:
        with self._lock:
            heapq.heappush(self._timers, (self._clock() + seconds, next(self._numbers), timer))
        self._queue.put(_nothing)  # the thread may be waiting for something later
        return timer

    def _work(self) -> None:
        while True:
            wait = self._run_timers()
            try:
                errand = self._queue.get(timeout=wait)
            except queue.Empty:
                continue
            if errand is None:
                return
            self._run(errand)

    def _run_timers(self) -> float | None:
        """Does what is due; how long it is until the next [s]."""
        while True:
            with self._lock:
                if not self._timers:
                    return None
                due, _, timer = self._timers[0]
                now = self._clock()
                if not timer.cancelled and due > now:
                    return due - now
                heapq.heappop(self._timers)
                if timer.cancelled:
                    continue
                if timer.period > 0.0:
                    # what was late is not made up for: the next one comes a period after this or after now
                    heapq.heappush(self._timers, (max(due + timer.period, now), next(self._numbers), timer))
            self._run(timer.errand)
            if not self._queue.empty():
                return 0.0

    def _run(self, errand: Errand | None) -> None:
        if errand is None:
            return
        try:
            errand()
        except Exception:
            self._trouble()


def _nothing() -> None:
    """Wakes the thread."""
