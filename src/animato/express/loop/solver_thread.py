"""A thread that does one piece of work at a time, whenever it is told to and is not still busy."""

from __future__ import annotations

import threading
from collections.abc import Callable

_PATIENCE_S = 5.0  # for the work at hand when the thread is closed; a daemon thread is left behind after that


class SolverThread:
    """Runs `work` once for each `trigger` that finds it idle.

    Args:
        work: What to do; must not raise.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._wake = threading.Event()
        self._busy = False
        self._closed = False
        self._thread = threading.Thread(target=self._live, name="animato express solver", daemon=True)
        self._thread.start()

    def trigger(self) -> bool:
        """Starts the work; False where it is still at the work before."""
        if self._busy:
            return False
        self._busy = True
        self._wake.set()
        return True

    def close(self) -> None:
        """Ends the thread after the work at hand."""
        self._closed = True
        self._wake.set()
        self._thread.join(_PATIENCE_S)

    def _live(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            if self._closed:
                return
            try:
                self._work()
            finally:
                self._busy = False
