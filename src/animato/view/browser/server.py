"""The server behind a page in the browser, on a port of this machine."""

from __future__ import annotations

import contextlib
import io
import socket
import weakref
from collections.abc import Iterator
from typing import Any

from animato.errors import AnimatoError, OptionError, missing_dependency
from animato.view.browser.guard import Guard, guarding

_GUARDS: weakref.WeakKeyDictionary[Any, Guard] = weakref.WeakKeyDictionary()
"""Of each server that is open."""


def open_server(label: str, *, host: str, port: int, what: str) -> Any:
    """A viser server that listens, and answers only who has the token of its address (see `guard`).

    Args:
        label: Title of the page.
        host: Who may look: 127.0.0.1 is this machine only.
        port: Where the page is served; 0 takes any that is free.
        what: Needs it, for the message where it is not installed.

    Raises:
        MissingDependencyError: The extra "view" is not installed.
        AnimatoError: The port is taken.
    """
    try:
        import viser
    except ImportError:
        raise missing_dependency("viser", "view", what) from None
    check_port(host, port)
    guard = Guard(host)
    with _silence(), guarding(guard):
        server = viser.ViserServer(host=host, port=port, label=label, verbose=False)
    if not guard.installed:
        close_server(server)
        raise AnimatoError(
            "This version of viser cannot be kept from answering other sites, so nothing is served. Install the one "
            "that animato asks for: pip install 'animato[view]'."
        )
    _GUARDS[server] = guard
    if port and server.get_port() != port:
        close_server(server)
        raise _port_taken(host, port)
    return server


def close_server(server: Any) -> None:
    """Stops serving."""
    with _silence():
        server.stop()


def address_of(server: Any, host: str) -> str:
    """Address of the page, with the token that opens it."""
    name = "localhost" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{name}:{server.get_port()}/?token={_GUARDS[server].token}"


def check_port(host: str, port: int) -> None:
    """Raises unless something can be served there."""
    if not 0 <= port <= 65535:
        raise OptionError(f"A port is a number from 0 to 65535, given {port}.")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror:
        raise OptionError(f"'{host}' is not an address of this machine. 127.0.0.1 always is.") from None
    except PermissionError:
        raise OptionError(f"Port {port} needs special rights. Choose one above 1023 with `port`.") from None
    except OSError:
        raise _port_taken(host, port) from None


def _port_taken(host: str, port: int) -> AnimatoError:
    return AnimatoError(
        f"Port {port} of {host} is taken, perhaps by another player. Choose another one with `port`, or 0 for any."
    )


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Keeps a server's greetings off the terminal."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield
