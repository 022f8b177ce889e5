"""Listens at a serial port in a thread of its own, so that whoever sends frames never waits there."""

from __future__ import annotations

import contextlib
import os
import select
import threading

_CHUNK = 4096
_EMPTY = 3
"""A port that says so often that something came, and gives nothing, is gone."""


class Ear:
    """Takes what comes in at a port.

    On Linux a look at a serial port waits until the kernel has moved what came in there, and the kernel does that with
    ordinary priority: on a busy computer `select` was seen to take 60 ms where 1 ms was asked for. A frame that is due
    cannot wait for that, so only this thread looks.

    Args:
        handle: Of the open port; it is read without blocking.
    """

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._heard = bytearray()
        self._gone: Exception | None = None
        self._news = threading.Condition()
        wake, self._waker = os.pipe()
        self._thread = threading.Thread(target=self._listen, args=(wake,), name="serial port", daemon=True)
        self._thread.start()

    def take(self, wait_s: float = 0.0) -> bytes:
        """What came in since the last call; where nothing did, waits for something.

        Args:
            wait_s: The longest that is waited [s].

        Raises:
            OSError: The port is gone, and all that came before was taken.
        """
        with self._news:
            if not self._heard and self._gone is None and wait_s > 0.0:
                self._news.wait(wait_s)
            data = bytes(self._heard)
            self._heard.clear()
        if not data and self._gone is not None:
            raise self._gone
        return data

    def close(self) -> None:
        """Ends the thread; the port can be closed then. May be called twice."""
        if self._waker < 0:
            return
        waker, self._waker = self._waker, -1
        with contextlib.suppress(OSError):
            os.write(waker, b"x")
        self._thread.join(timeout=1.0)
        os.close(waker)

    def _listen(self, wake: int) -> None:
        _go_first()
        empty = 0
        try:
            while True:
                ready, _, _ = select.select([self._handle, wake], [], [])
                if wake in ready or self._waker < 0:  # the port's number may be somebody else's by now
                    return
                data = b""
                with contextlib.suppress(BlockingIOError):
                    data = os.read(self._handle, _CHUNK)
                empty = 0 if data else empty + 1
                if empty >= _EMPTY:
                    raise OSError("it is ready to be read and gives nothing")
                with self._news:
                    self._heard += data
                    self._news.notify_all()
        except (OSError, ValueError) as error:
            with self._news:
                self._gone = error
                self._news.notify_all()
        finally:
            os.close(wake)


def _go_first() -> None:
    """The lowest real-time priority, where the system allows it.

    This thread has next to nothing to do, and must not be halted while it keeps Python from running the thread that
    sends frames.
    """
    if hasattr(os, "sched_setscheduler"):
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
