"""Where to listen, and how that is called."""

from __future__ import annotations

import socket
import sys

from animato.errors import AnimatoError
from animato.view.browser import check_port

FIRST_PORT, TRIED = 8130, 100
"""Ports that are tried where none is asked for."""

ANYWHERE = ("0.0.0.0", "::", "")
"""Hosts that mean all networks of this machine."""

_UNREAD_MS = 30_000  # a connection that has taken nothing for this long is cut


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Args:
        host: Who may connect: 127.0.0.1 is this machine only.
        port: 0 for the first that is free from 8130.

    Raises:
        OptionError: The host is not this machine's, or the port not allowed.
        AnimatoError: The port is taken.
    """
    check_port(host, port)
    wanted = [port] if port else [*range(FIRST_PORT, FIRST_PORT + TRIED), 0]
    for one in wanted:
        try:
            return _bound(host, one)
        except OSError:
            continue  # taken, perhaps since it was looked at
    raise AnimatoError(f"Port {port} of {host} is taken. Choose another one with `port`, or 0 for any.")


def local_address(host: str, port: int) -> str:
    """How this machine's own browser calls it."""
    name = "127.0.0.1" if host in ANYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def network_address(port: int) -> str | None:
    """How others in the network call it; None where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.254.254.254", 9))  # sends nothing: asks only which way it would go
            number = probe.getsockname()[0]
        except OSError:
            return None
    return None if number.startswith("127.") or number == "0.0.0.0" else f"http://{number}:{port}"


def _bound(host: str, port: int) -> socket.socket:
    family, kind, protocol, _, address = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM)[0]
    made = socket.socket(family, kind, protocol)
    try:
        if sys.platform == "win32":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNREAD_MS)
        made.bind(address)
        made.listen(128)
    except OSError:
        made.close()
        raise
    return made
