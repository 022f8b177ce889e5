"""Commands as lines of JSON, for programs that drive the joints."""

from __future__ import annotations

import os
import select
import threading
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self, TextIO

from animato.express.loop.command import Command
from animato.express.loop.command_sinks import command_text
from animato.express.sources import Losses

_MOST_WAITING = 100  # commands; a joint has no use for older ones
_LOOK_UP_S = 0.05  # how often a thread whose reader pauses looks whether it is to end
_PATIENCE_S = 1.0  # for the reader to take what is waiting, in the end
_PIECE = getattr(select, "PIPE_BUF", 512)  # bytes that a pipe takes without waiting once it takes any


class CommandLines:
    """Writes each command as one line, as `command_text` says it, in a thread of its own.

    The loop hands a command over and goes on. Where the reader pauses, commands wait for it; where too many wait, the
    oldest are lost and counted.

    Args:
        stream: Where to. Lines go around its buffer where it is a file of the system.
        reader_left: Called once when nobody reads any more; what comes after that is not lost, nobody wants it.
    """

    def __init__(self, stream: TextIO, reader_left: Callable[[], None]) -> None:
        self.losses = Losses()
        self._stream, self._reader_left = stream, reader_left
        self._descriptor = _descriptor_of(stream)
        self._waiting: deque[Command] = deque()
        self._changed = threading.Condition()
        self._closing = self._given_up = self._unread = False
        self._thread = threading.Thread(target=self._live, name="animato express commands", daemon=True)
        self._thread.start()

    def __call__(self, command: Command) -> None:
        """Hands one command over."""
        with self._changed:
            if self._unread or self._closing:
                return
            if len(self._waiting) >= _MOST_WAITING:
                self._waiting.popleft()
                self.losses.add("the reader of the commands did not keep up")
            self._waiting.append(command)
            self._changed.notify()

    def close(self) -> None:
        """Waits a moment for the reader to take what is waiting; what it does not take is lost."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(_PATIENCE_S)
        if self._thread.is_alive():
            self._given_up = True
            self._thread.join(2.0 * _LOOK_UP_S)
        with self._changed:
            if self._waiting:
                self.losses.add("the reader of the commands did not take the last ones", len(self._waiting))
                self._waiting.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _live(self) -> None:
        while (command := self._next()) is not None:
            try:
                whole = self._write(command_text(command) + "\n")
            except (BrokenPipeError, ConnectionError):
                with self._changed:
                    self._unread = True
                    self._waiting.clear()
                self._reader_left()
                return
            except (OSError, ValueError) as error:
                self.losses.add(f"a command could not be written: {error}")
                continue
            if not whole:
                self.losses.add("the reader of the commands did not take the last ones")
                return

    def _next(self) -> Command | None:
        """The oldest command that waits, or the next one; None in the end."""
        with self._changed:
            while not (self._waiting or self._closing):
                self._changed.wait()
            return self._waiting.popleft() if self._waiting else None

    def _write(self, line: str) -> bool:
        """Writes a line; False where the reader did not take all of it before the end."""
        if self._descriptor is None:
            self._stream.write(line)
            self._stream.flush()
            return True
        left = memoryview(line.encode())
        while left:
            if not _takes_more(self._descriptor):
                if self._given_up:
                    return False
                continue
            left = left[os.write(self._descriptor, left[:_PIECE]) :]
        return True


def _descriptor_of(stream: TextIO) -> int | None:
    """Of a file of the system, whose buffer is then empty; None where a stream is something else.

    A thread that waits for a reader inside a buffer holds its lock, and a program that ends meanwhile cannot.
    """
    try:
        stream.flush()
        return stream.fileno()
    except (AttributeError, OSError, ValueError):
        return None


def _takes_more(descriptor: int) -> bool:
    """Whether something can be written without waiting; waits a little for it.

    Windows cannot tell; there it is the write that waits.
    """
    if not hasattr(select, "poll"):
        return True
    asked = select.poll()
    asked.register(descriptor, select.POLLOUT)
    return bool(asked.poll(1e3 * _LOOK_UP_S))
