"""The process that works: reads calls, does one after the other, writes what came out; ends with the studio."""

from __future__ import annotations

import importlib
import os
import queue
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from typing import IO, Any

from animato.errors import AnimatoError
from animato.outcome import Iteration
from animato.studio.workers.messages import Receiver, packed_plain

READY, PROGRESS, DONE, FAILED = "ready", "progress", "done", "failed"
"""What a process says."""

_PERIOD_S = 0.05  # between two words about progress


def main() -> None:
    """Works until the studio is gone. Arguments: how nice it is to other processes, and modules to have at hand."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl+C in the terminal is for the studio, which ends this
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints shall not get between the messages
    calls: queue.SimpleQueue[Any] = queue.SimpleQueue()
    unwanted: set[int] = set()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, calls, unwanted), daemon=True).start()
    with suppress(AttributeError, OSError):
        os.nice(int(sys.argv[1]))
    for name in sys.argv[2:]:
        with suppress(ImportError):  # whoever calls for it is told
            importlib.import_module(name)
    _write(out, (READY, 0, None))
    while True:
        number, function, arguments, tells = calls.get()
        told = _Teller(out, number, unwanted)
        _write(out, _done(told, number, function, arguments, tells=tells))


def _listen(stream: IO[bytes], calls: queue.SimpleQueue[Any], unwanted: set[int]) -> None:
    """Puts calls into the queue, and numbers of calls among those that nobody wants any more.

    The studio that is gone, killed even, has closed the stream.
    """
    receiver = Receiver(stream)
    with suppress(OSError):
        while (parts := receiver.read_bytes()) is not None:
            try:
                message = receiver.opened(parts)
                if isinstance(message, int):
                    unwanted.add(message)
                else:
                    calls.put(message)
            except Exception:
                traceback.print_exc()
                break
    os._exit(0)


class _UnwantedError(BaseException):
    """Ends a call that nobody wants any more; no solver takes it for a failure of its own."""


def _done(told: _Teller, number: int, function: Any, arguments: Any, *, tells: bool) -> tuple[str, int, Any]:
    try:
        told.go_on()
        return DONE, number, function(*arguments, progress=told) if tells else function(*arguments)
    except _UnwantedError:
        return FAILED, number, ""
    except AnimatoError as error:
        return FAILED, number, str(error)
    except MemoryError:
        return FAILED, number, "There is not enough memory for this; try a shorter motion, or end other programs."
    except Exception as error:
        traceback.print_exc()
        return FAILED, number, f"Something is wrong in the studio itself ({type(error).__name__}: {error})."


class _Teller:
    """Tells of steps, not of all where they come thick and fast; solvers may call it from several threads."""

    def __init__(self, out: IO[bytes], number: int, unwanted: set[int]) -> None:
        self._out, self._number, self._unwanted = out, number, unwanted
        self._last, self._stage, self._lock = 0.0, "", threading.Lock()

    def go_on(self) -> None:
        """Raises where nobody wants the call any more."""
        if self._number in self._unwanted:
            raise _UnwantedError

    def __call__(self, step: Iteration) -> None:
        self.go_on()
        with self._lock:
            now = time.monotonic()
            if step.stage != self._stage or now - self._last >= _PERIOD_S:
                self._last, self._stage = now, step.stage
                _write(self._out, (PROGRESS, self._number, step))


def _write(out: IO[bytes], message: Any) -> None:
    try:
        try:
            data = packed_plain(message)
        except Exception as error:
            traceback.print_exc()
            data = packed_plain((FAILED, message[1], f"The result cannot be brought back ({error})."))
        out.write(data)
        out.flush()
    except OSError:
        os._exit(0)  # nobody listens
