"""Commands as datagrams, for programs that drive the joints elsewhere."""

from __future__ import annotations

import socket
from types import TracebackType
from typing import Self

from animato.errors import AnimatoError, OptionError
from animato.express.loop.command import Command
from animato.express.loop.command_sinks import command_text
from animato.express.sources import Losses


class UdpCommands:
    """Sends each command as one datagram of JSON, as `command_text` says it, and never waits.

    A datagram that the machine does not take is lost, and so is one that the other machine sends back because nobody
    listens there. One that is lost on the way is not known of.

    Args:
        host: Name or address of who listens.
        port: Where, 1 to 65535.

    Raises:
        OptionError: The port is none.
        AnimatoError: There is no such host.
    """

    def __init__(self, host: str, port: int) -> None:
        if not 1 <= port <= 65535:
            raise OptionError(f"A UDP port to send to is 1 to 65535, not {port}.")
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
            self._socket = socket.socket(family, kind, protocol)
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
            self._socket.connect(address)  # so that the machine tells when nobody listens
        except (OSError, UnicodeError) as error:
            raise AnimatoError(f"Cannot send to {host} port {port}: {error}. Name another host or port.") from None
        self._socket.setblocking(False)
        self._place = f"{host} port {port}"
        self.losses = Losses()

    def __call__(self, command: Command) -> None:
        """Sends one command now."""
        data = command_text(command).encode()
        try:
            self._send(data)
        except OSError as error:
            self.losses.add(f"{self._place} took no command: {error}")

    def _send(self, data: bytes) -> None:
        """Sends; an answer to the datagram before that nobody listens is that one's loss, not this one's."""
        try:
            self._socket.send(data)
        except ConnectionError:
            self.losses.add(f"nobody listens at {self._place}")
            self._socket.send(data)

    def close(self) -> None:
        """Frees the socket; nothing is waiting in it."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
