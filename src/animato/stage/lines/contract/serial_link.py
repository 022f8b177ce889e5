"""A serial port whose calls end in time: what goes wrong there is a `LineError` that names the bus."""

from __future__ import annotations

import contextlib
import errno
import os
import select
import time

from animato.character import Bus
from animato.errors import missing_dependency
from animato.stage.lines.contract.ear import Ear
from animato.stage.lines.contract.line import LineError

_SLICE_S = 0.001
"""The longest that one look at the port takes [s], so that deadlines are kept on every system."""

_MOST_WAITING_S = 0.1
"""Something may wait in the computer for so long [s]; longer, and goals would be old when they arrive."""

BITS_PER_BYTE = 10
"""On the wire, with start and stop bit."""


class SerialLink:
    """A serial device such as /dev/ttyUSB0 or COM3, by pyserial.

    Args:
        bus: Whose port it is; what stands after a question mark there are options of the line.
        baud: Bits a second.
        patience_s: The longest that a write takes [s].
    """

    def __init__(self, bus: Bus, baud: int, patience_s: float) -> None:
        try:
            import serial
        except ImportError as error:
            raise missing_dependency("pyserial", "servos", "Talking to servos") from error
        self.baud = baud
        self._patience_s = patience_s
        self._empty_s = time.monotonic()
        device = bus.port.partition("?")[0]
        self._name = f"Bus '{bus.name}' ({device})"
        self._errors: tuple[type[Exception], ...] = (OSError, TypeError, AttributeError, ValueError)
        if os.name == "posix":  # of what pyserial raises when a port is gone, this one is no OSError
            import termios

            self._errors += (termios.error,)
        try:
            self._port = serial.Serial(device, baud, timeout=_SLICE_S, write_timeout=patience_s, exclusive=True)
        except (OSError, ValueError, OverflowError) as error:
            raise LineError(f"{self._name} cannot be opened at {baud} baud: {_why(error)}") from None
        with contextlib.suppress(*self._errors, NotImplementedError):
            self._port.set_low_latency_mode(True)  # else a USB adapter keeps answers for 16 ms
        self._ear = Ear(self._port.fileno()) if os.name == "posix" else None

    def seconds(self, count: int) -> float:
        """How long so many bytes are on the wire [s]."""
        return count * BITS_PER_BYTE / self.baud

    def write(self, data: bytes) -> None:
        """Writes all of it.

        Raises:
            LineError: It is not taken in time, or what was written before still waits, or the port is gone.
        """
        now = time.monotonic()
        try:
            if self._port.out_waiting == 0:
                self._empty_s = now
            if now - self._empty_s <= _MOST_WAITING_S and self._write(data, now + self._patience_s):
                return
        except self._errors as error:
            raise self._gone(error) from None
        raise LineError(f"{self._name} does not take what is written: the other side does not read.")

    def _write(self, data: bytes, until: float) -> bool:
        """Whether all of it was taken in time."""
        if os.name != "posix":
            import serial

            try:
                self._port.write(data)
            except serial.SerialTimeoutException:
                return False
            return True
        handle = self._port.fileno()  # pyserial itself waits until the port could take more, with all of it written
        while True:
            with contextlib.suppress(BlockingIOError):
                data = data[os.write(handle, data) :]
            left = until - time.monotonic()
            if not data or left <= 0.0:
                return not data
            select.select([], [handle], [], left)

    def read(self) -> bytes:
        """What came in; waits about a millisecond where nothing did."""
        try:
            if self._ear is not None:
                return self._ear.take(_SLICE_S)
            return bytes(self._port.read(max(1, self._port.in_waiting)))
        except self._errors as error:
            raise self._gone(error) from None

    def drain(self) -> bytes:
        """What came in, without any waiting."""
        try:
            if self._ear is not None:
                return self._ear.take()
            waiting = self._port.in_waiting
            return bytes(self._port.read(waiting)) if waiting else b""
        except self._errors as error:
            raise self._gone(error) from None

    def drop(self) -> None:
        """Throws away what is still to go out, so that what is written next is heard at once."""
        with contextlib.suppress(*self._errors):
            self._port.reset_output_buffer()
            self._empty_s = time.monotonic()

    def close(self) -> None:
        """Gives the port back; may be called twice."""
        if self._ear is not None:
            self._ear.close()
        with contextlib.suppress(*self._errors):
            self._port.close()

    def quiet(self, patience_s: float = 0.005) -> None:
        """Reads and forgets until nothing comes any more, for at most `patience_s` [s]."""
        until = time.monotonic() + patience_s
        while self.drain() and time.monotonic() < until:
            pass

    def _gone(self, error: Exception) -> LineError:
        return LineError(f"{self._name} is gone ({error}): was the cable pulled or the power cut?")


def _why(error: Exception) -> str:
    """Why a port cannot be opened, and what to do."""
    number = getattr(error, "errno", None)
    if number == errno.ENOENT:
        from serial.tools import list_ports

        there = ", ".join(sorted(one.device for one in list_ports.comports()))
        return f"there is no such port. Is the cable in? Ports here: {there or 'none'}."
    if number in (errno.EACCES, errno.EPERM):
        return "you may not use it. On Linux, add yourself to the group that has it (often dialout) and log in again."
    if number in (errno.EBUSY, errno.EAGAIN):
        return "another program has it. End that one first."
    return f"{error}. Is it a serial port, and does it know this baud rate?"
