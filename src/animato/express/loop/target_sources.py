"""Where targets come from while a loop runs: a file, standard input, or a UDP port.

A source is asked once a frame and never waits. What waits for input is a thread behind it, which ends when the source
is closed; sources are context managers.
"""

from __future__ import annotations

import os
import queue
import select
import socket
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from animato.errors import AnimatoError, FileFormatError, MotionError, OptionError
from animato.express.problem import Target, parse_target

_LOOK_UP_S = 0.05  # how often a waiting thread looks whether it is to end
_LONGEST_LINE = 65536
_NO_TARGET = "holds no target; a line is 3 numbers (a point [m]), 4 (wxyz) or JSON."
_MOST_WAITING = 10_000  # lines; only the newest count, so older ones may go


def open_targets(
    name: str | None,
    port: int | None,
    host: str = "127.0.0.1",
    *,
    rate_hz: float,
    whole: bool = False,
    until_s: float | None = None,
) -> FileTargets | LiveTargets:
    """The source that options name.

    Args:
        name: A file, or - for standard input, which is also meant where nothing is named.
        port: UDP port, instead of a file.
        host: Address to listen on.
        rate_hz: Of lines without a time [Hz].
        whole: Whether to read standard input to its end first and play it like a file.
        until_s: What a file says after it is left out [s]; nothing where not given.
    """
    if port is not None:
        if name is not None or whole:
            raise OptionError("Targets from a UDP port come live: they go with neither a file nor `fast`.")
        return UdpTargets(port, host)
    if name not in (None, "-"):
        return FileTargets.of_file(str(name), rate_hz, until_s)
    return FileTargets(sys.stdin, rate_hz, until_s) if whole else StreamTargets()


def load_targets(path: str | Path) -> tuple[Target, ...]:
    """The targets of a text file, one a line, for `build`; empty lines and those that begin with # are left out.

    Raises:
        FileFormatError: It cannot be read, holds no target, or a line says something else; the message says which.
    """
    found = []
    for number, line in enumerate(_lines(path), start=1):
        if line.strip() and not line.strip().startswith("#"):
            try:
                found.append(parse_target(line))
            except MotionError as error:
                raise FileFormatError(path, str(error), number) from None
    if not found:
        raise FileFormatError(path, _NO_TARGET)
    return tuple(found)


def _lines(path: str | Path) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(path, f"cannot be read as targets: {error}.") from None


def _target_or_line(said: Target | str) -> Target | str:
    """What a line says; itself where that is no target."""
    try:
        return parse_target(said) if isinstance(said, str) else said
    except MotionError:
        return said


class FileTargets:
    """Targets of a recording, each at its time; those without a time follow the one before.

    Args:
        recorded: Targets, or lines as `parse_target` reads them; empty ones and those that begin with # are left out.
        rate_hz: Of those without a time [Hz].
        until_s: Those after it are left out [s]; none where not given.

    Attributes:
        last_s: Time of the last one [s].
    """

    def __init__(self, recorded: Iterable[Target | str], rate_hz: float, until_s: float | None = None) -> None:
        if not rate_hz > 0.0:
            raise OptionError(f"`target_rate_hz` must be greater than 0, not {rate_hz}.")
        timed: list[tuple[float, Target | str]] = []
        next_s = 0.0
        for one in recorded:
            said = one.strip() if isinstance(one, str) else one
            if isinstance(said, str) and (not said or said.startswith("#")):
                continue
            target = _target_or_line(said)
            stamp = target.time_s if isinstance(target, Target) else None
            now_s = next_s if stamp is None else stamp
            timed.append((now_s, target))
            next_s = now_s + 1.0 / rate_hz
        kept = [one for one in timed if until_s is None or one[0] <= until_s]
        self._timed = sorted(kept, key=lambda one: one[0])
        self.last_s = self._timed[-1][0] if self._timed else 0.0
        self._next = 0

    @classmethod
    def of_file(cls, path: str | Path, rate_hz: float, until_s: float | None = None) -> FileTargets:
        """The targets of a text file, one a line; what is wrong with a line, the loop says when its time has come.

        Raises:
            FileFormatError: It cannot be read, or holds no line that is a target.
        """
        source = cls(_lines(path), rate_hz, until_s)
        if not any(isinstance(target, Target) for _, target in source._timed):
            raise FileFormatError(path, _NO_TARGET)
        return source

    @property
    def ended(self) -> bool:
        """Whether all targets have been given."""
        return self._next == len(self._timed)

    def poll(self, time_s: float) -> list[Target | str]:
        """Targets whose time has come by now [s] and that were not given before."""
        first = self._next
        while self._next < len(self._timed) and self._timed[self._next][0] <= time_s:
            self._next += 1
        return [target for _, target in self._timed[first : self._next]]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""


class LiveTargets:
    """Lines that a thread of its own receives; `poll` gives what came since it was last asked."""

    def __init__(self) -> None:
        self._lines: queue.Queue[str] = queue.Queue(_MOST_WAITING)
        self._closing = threading.Event()
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._live, name="animato express targets", daemon=True)

    @property
    def ended(self) -> bool:
        """Whether the input has ended and all of it was given."""
        return self._finished.is_set() and self._lines.empty()

    def poll(self, time_s: float) -> list[Target | str]:
        """What came since the last time; a live source looks at no clock."""
        news: list[Target | str] = []
        while len(news) < _MOST_WAITING:
            try:
                news.append(self._lines.get_nowait())
            except queue.Empty:
                break
        return news

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

    def _take(self, text: str) -> None:
        """Keeps lines; the oldest go where nobody asks for them."""
        for line in (line.strip() for line in text.splitlines()):
            if not line or line.startswith("#"):
                continue
            if self._lines.full():
                self._lines.get_nowait()
            self._lines.put_nowait(line)

    def _live(self) -> None:
        try:
            self._receive()
        except (OSError, ValueError):
            pass  # the input was closed under us, which is an end like any other
        finally:
            self._finished.set()

    def _receive(self) -> None:
        """Takes lines until the input ends or the source is closed."""
        raise NotImplementedError


class StreamTargets(LiveTargets):
    """Lines from standard input or another open file, as they come.

    Args:
        descriptor: Of the file; standard input where not given.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        super().__init__()
        try:
            self._descriptor = sys.stdin.fileno() if descriptor is None else descriptor
        except (AttributeError, OSError, ValueError):
            raise AnimatoError("There is no standard input to read targets from; name a file or a port.") from None

    def _receive(self) -> None:
        waiting = b""
        while not self._closing.is_set():
            # Windows can only wait for sockets; there the read itself waits, and the daemon thread is left behind.
            if os.name == "posix" and not select.select([self._descriptor], [], [], _LOOK_UP_S)[0]:
                continue
            # Not through sys.stdin: a thread that waits inside its buffer would hold its lock at exit.
            data = os.read(self._descriptor, _LONGEST_LINE)
            if not data:
                break
            *whole, waiting = (waiting + data).split(b"\n")
            for line in whole:
                self._take(line.decode("utf-8", "replace"))
            if len(waiting) > _LONGEST_LINE:
                self._take(waiting[:80].decode("utf-8", "replace"))  # no target; the loop will say so
                waiting = b""
        self._take(waiting.decode("utf-8", "replace"))


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
            raise AnimatoError(f"Cannot listen on {host} port {port}: {error}. Choose another `udp_port`.") from None
        self._socket.settimeout(_LOOK_UP_S)
        self.port = int(self._socket.getsockname()[1])

    def close(self) -> None:
        """Ends the thread and frees the port."""
        super().close()
        self._socket.close()

    def _receive(self) -> None:
        while not self._closing.is_set():
            try:
                data = self._socket.recv(_LONGEST_LINE)
            except TimeoutError:
                continue
            except ConnectionError:
                continue  # Windows reports here that an answer of somebody else's was refused
            self._take(data.decode("utf-8", "replace"))
