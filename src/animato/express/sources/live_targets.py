"""Lines that come in while a loop runs: from standard input, from a pipe, or from a UDP port.

A source is asked once a frame and never waits. What waits for input is a thread behind it, which ends when the source
is closed; sources are context managers. Whatever is sent, and however much of it, memory and the time of a frame stay
bounded: what is too much is lost, counted, and said.
"""

from __future__ import annotations

import os
import re
import select
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable
from types import TracebackType
from typing import Self, TypeVar

from animato.errors import AnimatoError, OptionError
from animato.express.problem import TARGET_WORDS, Said, Target
from animato.express.sources.losses import Losses

Heard = TypeVar("Heard", bound=Target | Said | str)

_LOOK_UP_S = 0.05  # how often a waiting thread looks whether it is to end
_AT_ONCE = 65536  # bytes; no datagram has more
_LONGEST_LINE = 16384  # bytes; the joints of a whole posture have room
_MOST_WAITING = 400  # lines
MOST_A_FRAME = 50
"""Lines that a frame has the time for."""

_MOST_BYTES_A_FRAME = 32768
_NAP_S = 5e-3  # after losing some: the loop needs the interpreter, too
_TOO_LONG = f"a line had more than {_LONGEST_LINE} bytes"
_LONGEST_TARGET = 500  # characters; whatever is longer says more
_OF_A_TARGET = frozenset(TARGET_WORDS) - {"end_point"}
_NAMES = re.compile(r'"(\w+)"\s*:')


class LiveTargets:
    """Lines that a thread of its own receives; `poll` gives the oldest of those that wait.

    A frame takes all that waits, but of more than 50 lines no target that a newer one makes up for, and then no more
    than 50 lines or 32 kB; the others wait. Of more than 400 lines that wait, the oldest are lost, targets first.

    Attributes:
        losses: Lines that were lost.
    """

    def __init__(self) -> None:
        self.losses = Losses()
        self._lines: deque[str] = deque()
        self._lock = threading.Lock()
        self._lost_lately = False
        self._closing = threading.Event()
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._live, name="animato express targets", daemon=True)

    @property
    def ended(self) -> bool:
        """Whether the input has ended and all of it was given."""
        return self._finished.is_set() and not self._lines

    def poll(self, time_s: float) -> list[str]:
        """What came since the last time; a live source looks at no clock."""
        if not self._lines:
            return []
        with self._lock:
            waiting, self._lines = without_outdone(self._lines), deque()
        news, room = 0, _MOST_BYTES_A_FRAME
        for line in waiting[:MOST_A_FRAME]:
            room -= len(line)
            if room < 0:
                break
            news += 1
        if news < len(waiting):
            with self._lock:
                self._lines.extendleft(reversed(waiting[news:]))
        return waiting[:news]

    def close(self) -> None:
        """Ends the thread."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(1.0)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take(self, data: bytes) -> None:
        """Keeps whole lines; some go where more come than anybody asks for."""
        lines = [line for one in data.splitlines() if (line := one.strip())]
        if len(lines) > _MOST_WAITING:  # at once: not worth a look, when the loop needs the interpreter too
            self._lose(f"more than {_MOST_WAITING} lines came at once", len(lines) - _MOST_WAITING)
        for line in lines[-_MOST_WAITING:]:
            if line.startswith(b"#"):
                continue
            if len(line) > _LONGEST_LINE:
                self._lose(_TOO_LONG)
                continue
            with self._lock:
                self._lines.append(line.decode("utf-8", "replace"))
                if len(self._lines) > _MOST_WAITING:
                    self._make_room()

    def _make_room(self) -> None:
        """Loses half of what waits, or all of it that a newer target makes up for."""
        kept = without_outdone(self._lines)[-_MOST_WAITING // 2 :]
        lost = len(self._lines) - len(kept)
        self._lines = deque(kept)
        self._lose(f"more than {_MOST_WAITING} lines came in a frame", lost)

    def _lose(self, why: str, count: int = 1) -> None:
        self._lost_lately = True
        self.losses.add(why, count)

    def _live(self) -> None:
        try:
            while not self._closing.is_set() and self._receive():
                if self._lost_lately:
                    self._lost_lately = False
                    time.sleep(_NAP_S)
        except (OSError, ValueError):
            pass  # the input was closed under us, which is an end like any other
        finally:
            self._finished.set()

    def _receive(self) -> bool:
        """Takes what there is, or nothing after a while; whether there may be more."""
        raise NotImplementedError


class StreamTargets(LiveTargets):
    """Lines from standard input or another open file, as they come.

    Args:
        descriptor: Of the file; standard input where not given.
        own: Whether the file is closed with the source.
    """

    def __init__(self, descriptor: int | None = None, *, own: bool = False) -> None:
        super().__init__()
        self._own = own
        self._begun = b""  # of a line whose end has not come
        self._skipping = False  # what is left of a line that is too long
        try:
            self._descriptor = sys.stdin.fileno() if descriptor is None else descriptor
        except (AttributeError, OSError, ValueError):
            raise AnimatoError("There is no standard input to read targets from; name a file or a port.") from None

    @classmethod
    def of_pipe(cls, path: str) -> StreamTargets:
        """Lines of a named pipe or a device, which have no end that could be waited for.

        Raises:
            AnimatoError: It cannot be opened.
        """
        try:
            # A pipe that nobody writes to yet would have the program wait here.
            return cls(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), own=True)
        except OSError as error:
            raise AnimatoError(f"{path} cannot be read as targets: {error}.") from None

    def close(self) -> None:
        """Ends the thread."""
        super().close()
        if self._own and not self._thread.is_alive():
            os.close(self._descriptor)
            self._own = False

    def _receive(self) -> bool:
        # Windows can only wait for sockets; there the read itself waits, and the daemon thread is left behind.
        if os.name == "posix" and not select.select([self._descriptor], [], [], _LOOK_UP_S)[0]:
            return True
        try:
            # Not through sys.stdin: a thread that waits inside its buffer would hold its lock at exit.
            data = os.read(self._descriptor, _AT_ONCE)
        except BlockingIOError:
            return True
        whole, newline, rest = data.rpartition(b"\n")
        if newline:
            if self._skipping:
                whole = whole.partition(b"\n")[2]
            self._take(self._begun + whole)
            self._begun, self._skipping = rest, False
        elif not self._skipping:
            self._begun += rest
        if len(self._begun) > _LONGEST_LINE:
            self._lose(_TOO_LONG)
            self._begun, self._skipping = b"", True
        if not data:
            self._take(self._begun)
        self._lost_lately = self._lost_lately or self._skipping
        return bool(data)


class UdpTargets(LiveTargets):
    """Lines from a UDP port, one or more a datagram.

    Args:
        port: 0 takes a free one.
        host: Address to listen on; only this machine can reach the default.

    Attributes:
        port: The one that is listened on.
    """

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        super().__init__()
        if not 0 <= port <= 65535:
            raise OptionError(f"A UDP port is 0 to 65535, not {port}.")
        self._socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.bind((host, port))
        except (OSError, UnicodeError) as error:
            self._socket.close()
            raise AnimatoError(f"Cannot listen on {host} port {port}: {error}. Choose another `udp` port.") from None
        self._socket.settimeout(_LOOK_UP_S)
        self.port = int(self._socket.getsockname()[1])

    def close(self) -> None:
        """Ends the thread and frees the port."""
        super().close()
        self._socket.close()

    def _receive(self) -> bool:
        try:
            self._take(self._socket.recv(_AT_ONCE))
        except TimeoutError:
            pass
        except ConnectionError:
            pass  # Windows reports here that an answer of somebody else's was refused
        return True


def without_outdone(said: Iterable[Heard]) -> list[Heard]:
    """Of many lines or targets, those that count, in their order: no target that is outdone by a newer one.

    All of a few count, and so do the newest of many: a bad line does not outdo a good one.
    """
    all_said = list(said)
    old = len(all_said) - MOST_A_FRAME // 2
    if len(all_said) <= MOST_A_FRAME:
        return all_said
    return [one for n, one in enumerate(all_said) if n >= old or _says_more(one)]


def _says_more(said: Target | Said | str) -> bool:
    """Whether it says something that the next target does not make up for."""
    if isinstance(said, str):
        longer = len(said) > _LONGEST_TARGET
        return said.startswith("{") and (longer or not _OF_A_TARGET.issuperset(_NAMES.findall(said)))
    return isinstance(said, Said) or said.end_point is not None
