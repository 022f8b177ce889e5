"""One process that works for the studio, as the studio sees it."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from animato.studio.workers.messages import Receiver, Sender

Heard = Callable[["Helper", str, int, Any], None]
"""What a process said: who, which kind of word, about which call, and what; from a thread of its own."""

ENDED = "ended"
"""Said for a process that is no more."""


class Helper:
    """A process that does one call after the other. It ends when the studio does, however that ends."""

    def __init__(self, heard: Heard, *, nice: int = 0, modules: Sequence[str] = ()) -> None:
        """Starts it.

        Args:
            heard: Told of all it says.
            nice: How much it leaves the processor to others, from 0 to 19.
            modules: What it has at hand before the first call.
        """
        # a plain program, no fork: threads and compiled code of the studio stay the studio's; it finds modules where
        # the studio does, set after its start, as a stray file of a script's folder must not stand in for Python's own
        code = f"import sys; sys.path[:] = {sys.path!r}; from animato.studio.workers.worker import main; main()"
        command = [sys.executable, "-P", "-c", code, str(nice), *modules]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=-1)
        self._heard = heard
        self._sender = Sender()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.ready = False
        for work in (self._write, self._read):
            threading.Thread(target=work, name="animato-helper", daemon=True).start()

    def call(self, number: int, function: Callable[..., Any], arguments: tuple[Any, ...], *, tells: bool) -> None:
        """Asks for a call; in the desk's thread.

        Args:
            number: That answers carry.
            function: Of a module.
            arguments: For it.
            tells: Whether it takes `progress`.
        """
        self._outgoing.put(self._sender.packed((number, function, arguments, tells)))

    def leave(self, number: int) -> None:
        """Asks it to leave a call, which it does when that next tells of its progress; in the desk's thread."""
        self._outgoing.put(self._sender.packed(number))

    def kill(self) -> None:
        """Ends it at once."""
        self._outgoing.put(None)
        with suppress(OSError):
            self._process.kill()

    @property
    def code(self) -> int | None:
        """How it ended; None while it works."""
        return self._process.poll()

    def _write(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        with suppress(OSError, ValueError):
            while (data := self._outgoing.get()) is not None:
                stream.write(data)
                stream.flush()
        with suppress(OSError):
            stream.close()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        receiver = Receiver(stream)
        with suppress(OSError, EOFError):
            while (parts := receiver.read_bytes()) is not None:
                self._heard(self, *receiver.opened(parts))
        self._process.wait()
        self._outgoing.put(None)
        stream.close()
        self._heard(self, ENDED, 0, None)
