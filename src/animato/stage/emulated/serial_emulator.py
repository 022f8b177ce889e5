"""The other end of a serial line: a pty, a thread that listens there, and the faults that a real line has."""

from __future__ import annotations

import contextlib
import os
import random
import select
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Collection, Iterable, Mapping
from types import TracebackType
from typing import Self

from animato.stage.emulated.servo_body import ServoBody

Frame = tuple[float, dict[int, float]]
"""When goals arrived [s, of time.monotonic], and the goal of each id [counts or microseconds]."""

_TICK_S = 0.002


class SerialEmulator(ABC):
    """Servos on a pty. Use it with `with`; then `port` can be opened like a serial device.

    Attributes:
        port: The path of the pty.
        frames: Goals as they arrived, one entry a packet.
        bodies: The shaft of each id.
        heard: How many bytes arrived.
    """

    def __init__(
        self, ids: Iterable[int], latency_s: float = 0.0, positions: Mapping[int, float] | None = None
    ) -> None:
        """Makes the pty; nobody listens there before `start`.

        Args:
            ids: Of the servos.
            latency_s: How long answers take on their way, as those of an USB adapter do [s].
            positions: Where shafts stand at first [counts]; 2048 where not said.
        """
        self.frames: list[Frame] = []
        self.bodies: dict[int, ServoBody] = {id: ServoBody((positions or {}).get(id, 2048.0)) for id in ids}
        self.heard = 0
        self.port, self._master, self._slave = _new_pty()
        self._lock = threading.RLock()
        self._latency_s = latency_s
        self._outbox: deque[tuple[float, bytes]] = deque()
        self._muted: frozenset[int] | None = frozenset()  # None is all
        self._noise = self._garble = 0.0
        self._dice = random.Random(0)
        self._pause_s = 0.0
        self._deaf_until = 0.0
        self._plugged = True
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> Self:
        """Begins to listen, in a thread of its own."""
        self._thread = threading.Thread(target=self._listen, name="emulated bus", daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """Ends the thread and closes the pty. May be called twice."""
        self._stopping.set()
        if self._thread is None:
            self._close()
            return
        self._thread.join(timeout=5.0)
        if not self._thread.is_alive():
            self._thread = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    # Faults: what a test switches on while the line is in use.

    def unplug(self) -> None:
        """Pulls the cable: the port is gone for whoever had it open; servos keep their power and their clocks."""
        self._plugged = False  # the thread closes it: nobody else may, while it waits there
        deadline = time.monotonic() + 2.0
        while self._thread is not None and self._master >= 0 and time.monotonic() < deadline:
            time.sleep(0.0005)

    def mute(self, ids: Collection[int] | None = None) -> None:
        """These servos, or all, do not answer any more; they still listen. An empty collection ends it."""
        self._muted = None if ids is None else frozenset(ids)

    def noise(self, share: float, seed: int = 0) -> None:
        """This share of the bytes of answers is changed, lost or doubled; 0 ends it."""
        with self._lock:
            self._noise, self._dice = share, random.Random(seed)

    def garble(self, share: float, seed: int = 0) -> None:
        """This share of the bytes that servos hear is changed, lost or doubled; 0 ends it."""
        with self._lock:
            self._garble, self._dice = share, random.Random(seed)

    def slow(self, pause_s: float) -> None:
        """What is sent is taken only every `pause_s` seconds, as by an adapter that is stuck; 0 ends it."""
        with self._lock:
            self._pause_s = pause_s
            self._deaf_until = time.monotonic() + pause_s if pause_s > 0.0 else 0.0

    def overheat(self, id: int, temperature: float = 85.0) -> None:
        """The servo is this hot [degrees Celsius], and says and does what its kind does then."""
        with self._lock:
            self.bodies[id].temperature = temperature
            self._on_trouble(id)

    def overload(self, id: int, current: float = 2.0) -> None:
        """The servo draws this much more [A], and says and does what its kind does then."""
        with self._lock:
            self.bodies[id].strain = current
            self._on_trouble(id)

    def slip(self, id: int, counts: float = 0.0) -> None:
        """Something turns the shaft by so many counts and holds it: it follows no more."""
        with self._lock:
            self.bodies[id].push(counts, time.monotonic())

    def shafts(self) -> dict[int, list[tuple[float, float, float]]]:
        """What each shaft did: (time [s], position, goal)."""
        with self._lock:
            return {id: list(body.record) for id, body in self.bodies.items()}

    # What a kind of servo adds.

    @abstractmethod
    def _hear(self, data: bytes, now: float) -> list[tuple[int, bytes]]:
        """Takes what arrived; returns who answers what, in order."""

    @abstractmethod
    def _tick(self, now: float) -> None:
        """Lets the servos' own clocks run."""

    @abstractmethod
    def _on_trouble(self, id: int) -> None:
        """Temperature or current of a servo is over what it bears."""

    # The thread.

    def _listen(self) -> None:
        try:
            while not self._stopping.is_set():
                self._look()
        finally:  # nobody else may, while this thread uses it: its number would soon be another file's
            self._close()

    def _look(self) -> None:
        now, data = self._taken()
        with self._lock:
            if data:
                self.heard += len(data)
                for id, answer in self._hear(self._spoil(data, self._garble), now):
                    if self._muted is not None and id not in self._muted:
                        self._outbox.append((now + self._latency_s, self._spoil(answer, self._noise)))
            self._tick(now)
            self._give(now)

    def _taken(self) -> tuple[float, bytes]:
        """What was sent since the last look, and the time of this one."""
        if self._plugged and time.monotonic() >= self._deaf_until:
            try:
                now, data = self._take()
            except (OSError, ValueError):  # unplugged in between
                pass
            else:
                if data and self._pause_s > 0.0:
                    self._deaf_until = now + self._pause_s
                return now, data
        if not self._plugged:
            self._close()
        time.sleep(_TICK_S)
        return time.monotonic(), b""

    def _take(self) -> tuple[float, bytes]:
        """Waits a moment for bytes.

        A thread that waits for the processor must not take its own lateness for silence on the line: where nothing
        came, the time is from before the look.
        """
        select.select([self._master], [], [], _TICK_S)
        before = time.monotonic()
        if before < self._deaf_until:  # it may have begun while this waited
            return before, b""
        try:
            data = os.read(self._master, 4096)
        except BlockingIOError:
            return before, b""
        if not data:  # a connection that the other side has closed can always be read, and would be without a pause
            raise ConnectionResetError("the other side has hung up")
        return time.monotonic(), data

    def _give(self, now: float) -> None:
        due = []
        while self._outbox and self._outbox[0][0] <= now:
            due.append(self._outbox.popleft()[1])
        if due and self._plugged:
            with contextlib.suppress(OSError):  # nobody reads: an answer is lost, as on a wire
                os.write(self._master, b"".join(due))

    def _spoil(self, data: bytes, share: float) -> bytes:
        if share <= 0.0:
            return data
        spoiled = bytearray()
        for byte in data:
            if self._dice.random() >= share:
                spoiled.append(byte)
                continue
            kind = self._dice.randrange(3)
            if kind == 0:
                spoiled.append(byte ^ (1 << self._dice.randrange(8)))
            elif kind == 1:
                spoiled.extend((byte, self._dice.randrange(256)))
        return bytes(spoiled)

    def _close(self) -> None:
        for end in (self._master, self._slave):
            if end >= 0:
                with contextlib.suppress(OSError):
                    os.close(end)
        self._master = self._slave = -1


def _new_pty() -> tuple[str, int, int]:
    import pty
    import tty

    master, slave = pty.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    return os.ttyname(slave), master, slave
