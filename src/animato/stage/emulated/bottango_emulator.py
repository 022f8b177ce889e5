"""The other side of a Bottango driver, on a pty or calling over a network."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import time
from collections.abc import Iterable, Mapping

from animato.stage.emulated.bottango_board import BottangoBoard
from animato.stage.emulated.serial_emulator import SerialEmulator
from animato.stage.emulated.servo_body import ServoBody

_FASTEST = 1e9
"""Shafts are where the pulse says [microseconds/s]: what is judged is what the board sends."""
_BYTES_EVERY_S = 0.0005
_CALL_EVERY_S = 0.05
_BOARD = -1
"""Who answers: the board, not a servo."""


class BottangoEmulator(SerialEmulator):
    """A board with Bottango's driver. Bodies stand at the pulses that its pins send [microseconds].

    Args:
        ids: Of the pins, or of the channels of PCA9685 boards, whose bodies are kept.
        positions: Not used: a driver does not know where shafts stand.
        latency_s: How long answers take on their way [s].
        kind: "usual" or "uno".
        address: host:port to call, as a driver on a network does; empty waits on a pty.
        pca9685: Address of the first PCA9685 where ids are channels; None where they are pins.
        drift: By how much its clock is fast: 0.005 is half a percent.
        baud: Bits a second at which bytes arrive; None is at once, which no serial line is.

    Attributes:
        board: What it knows.
    """

    def __init__(
        self,
        ids: Iterable[int] = range(16),
        positions: Mapping[int, float] | None = None,
        latency_s: float = 0.0,
        kind: str = "usual",
        address: str = "",
        pca9685: int | None = None,
        drift: float = 0.0,
        baud: int | None = None,
    ) -> None:
        super().__init__(ids, latency_s)
        self.bodies = {id: ServoBody(0.0, _FASTEST) for id in self.bodies}
        self.board = BottangoBoard(kind, drift=drift)
        self._names = {id: str(id) if pca9685 is None else f"{pca9685 + id // 16}{id % 16}" for id in self.bodies}
        self._address = address
        self._called_at = 0.0
        self._baud = baud
        self._due, self._due_at = 0.0, time.monotonic()
        if address:
            self._close()
            self.port = f"tcp://{address}"

    def reboot(self) -> None:
        """Its power sags: it starts anew, without its servos."""
        with self._lock:
            self._outbox.append((time.monotonic(), self.board.restart().encode()))

    def press_stop(self) -> None:
        """Somebody presses the stop button of the board."""
        with self._lock:
            self._outbox.append((time.monotonic(), b"reqStop\n"))

    def _hear(self, data: bytes, now: float) -> list[tuple[int, bytes]]:
        said = self.board.hear(data, now)
        return [(_BOARD, said.encode("latin-1"))] if said else []

    def _take(self) -> tuple[float, bytes]:
        if self._baud is None:
            return super()._take()
        before = time.monotonic()
        ready, _, _ = select.select([self._master], [], [], 0.002)
        now = time.monotonic()
        if not ready:
            self._due, self._due_at = 0.0, now  # what comes next takes its time from now on
            return before, b""
        self._due += (now - self._due_at) * self._baud / 10.0
        self._due_at = now
        if self._due < 1.0:
            time.sleep(_BYTES_EVERY_S)
            return now, b""
        data = os.read(self._master, int(self._due))
        self._due -= len(data)
        return now, data

    def _tick(self, now: float) -> None:
        if self._address and self._master < 0 and self._plugged and now - self._called_at > _CALL_EVERY_S:
            self._call(now)
        said = self.board.tick(now)
        if said and self._muted is not None:
            self._outbox.append((now, said.encode()))
        changed: dict[int, float] = {}
        for id, body in self.bodies.items():
            motor = self.board.motors.get(self._names[id])
            body.torque = motor is not None
            if motor is not None and body.position != motor.pulse:
                body.tell(float(motor.pulse), now)
                body.position = float(motor.pulse)
                changed[id] = float(motor.pulse)
                body.record.append((now, body.position, body.goal))
        if changed:
            self.frames.append((now, changed))

    def _call(self, now: float) -> None:
        self._called_at = now
        host, _, port = self._address.rpartition(":")
        with contextlib.suppress(OSError):
            caller = socket.create_connection((host, int(port)), timeout=0.5)
            caller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._master = caller.detach()
            os.set_blocking(self._master, False)
            self._outbox.append((now, self.board.restart().encode()))

    def _on_trouble(self, id: int) -> None:
        """A driver knows nothing of temperature or current."""
