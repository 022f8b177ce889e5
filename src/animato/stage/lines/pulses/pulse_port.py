"""Bytes to and from a controller of pulses, over a serial port or a network, without ever waiting for long."""

from __future__ import annotations

import select
import socket
import time
from contextlib import suppress
from typing import Protocol
from urllib.parse import parse_qsl

from animato.character import Bus
from animato.errors import OptionError, did_you_mean
from animato.stage.lines.contract import LineError, SerialLink

_SLICE_S = 0.002
"""The longest that one look at the port takes [s]: short, so that deadlines are kept on every system."""
_CHUNK = 4096


class PulsePort(Protocol):
    """A way to bytes and back. Every trouble is a `LineError` that names the port."""

    def write(self, data: bytes) -> None:
        """Writes all of it.

        Raises:
            LineError: The other side does not take it within the port's patience, or the port is gone.
        """
        ...

    def read(self) -> bytes:
        """What came in, perhaps nothing; takes a few milliseconds at most."""
        ...

    def drain(self) -> bytes:
        """What came in, without any waiting."""
        ...

    def close(self) -> None:
        """Gives the port back; may be called twice."""
        ...


class TcpPort:
    """One controller that calls us over a network: we listen, it connects.

    Args:
        host: On which address of this machine to listen; empty or 0.0.0.0 is all of them.
        port: Number.
        name: What messages call the bus.
        patience_s: The longest that a write takes [s].
        wait_s: How long to wait for the controller [s].
    """

    def __init__(self, host: str, port: int, name: str, patience_s: float, wait_s: float) -> None:
        self._patience_s = patience_s
        self._name = f"Bus '{name}' (tcp://{host}:{port})"
        try:
            with socket.create_server((host, port), backlog=1) as server:
                server.settimeout(wait_s)
                self._socket, _ = server.accept()
        except TimeoutError:
            raise LineError(
                f"{self._name}: no driver connected within {wait_s:g} s. A Bottango driver on a network calls this "
                f"machine: set its server address to this machine's and its port to {port}."
            ) from None
        except (OSError, OverflowError) as error:
            raise LineError(
                f"{self._name} cannot be opened: {error}. The address is one of this machine's, at which the driver "
                f"calls; 0.0.0.0 is all of them."
            ) from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.settimeout(_SLICE_S)

    def write(self, data: bytes) -> None:
        """See `PulsePort.write`."""
        until = time.monotonic() + self._patience_s
        left = memoryview(data)
        while left:
            try:
                left = left[self._socket.send(left) :]
            except TimeoutError:
                if time.monotonic() > until:
                    raise LineError(
                        f"{self._name} does not take what is written: the other side does not read."
                    ) from None
            except OSError as error:
                raise self._gone(error) from None

    def read(self) -> bytes:
        """See `PulsePort.read`."""
        try:
            data = self._socket.recv(_CHUNK)
        except TimeoutError:
            return b""
        except OSError as error:
            raise self._gone(error) from None
        if not data:
            raise self._gone("the other side hung up")
        return data

    def drain(self) -> bytes:
        """See `PulsePort.drain`."""
        ready, _, _ = select.select([self._socket], [], [], 0.0)
        return self.read() if ready else b""

    def close(self) -> None:
        """See `PulsePort.close`."""
        with suppress(OSError):
            self._socket.close()

    def _gone(self, error: object) -> LineError:
        return LineError(f"{self._name} is gone ({error}): was the cable pulled or the power cut?")


def open_port(bus: Bus, baud: int, patience_s: float, wait_s: float = 15.0) -> PulsePort:
    """Opens the port of a bus: a serial device, or tcp://host:port on which we wait to be called.

    Args:
        bus: Its `port` without options after a question mark counts.
        baud: Bits a second where the bus says nothing.
        patience_s: The longest that a write takes [s].
        wait_s: How long to wait for a driver that calls over a network [s].

    Raises:
        LineError: It cannot be opened, or nobody called.
    """
    address = bus.port.partition("?")[0]
    if not address.startswith("tcp://"):
        return SerialLink(bus, bus.baud or baud, patience_s)
    host, _, port = address.removeprefix("tcp://").rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise LineError(f"The port of bus '{bus.name}' is {bus.port!r}; over a network it is tcp://host:port.")
    return TcpPort(host.strip("[]"), int(port), bus.name, patience_s, wait_s)


def port_options(bus: Bus, allowed: tuple[str, ...]) -> dict[str, str]:
    """What stands after a question mark in the port of a bus: `/dev/ttyUSB0?board=uno&pca9685=64`.

    Raises:
        OptionError: An option that this kind of bus does not have.
    """
    options = dict(parse_qsl(bus.port.partition("?")[2], keep_blank_values=True))
    for name in options:
        if name not in allowed:
            raise OptionError(
                f"The port of bus '{bus.name}' has the option '{name}', which a {bus.kind} bus does not know."
                f"{did_you_mean(name, allowed)} Options: {', '.join(allowed)}."
            )
    return options
