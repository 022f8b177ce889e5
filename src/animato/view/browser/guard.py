"""Who may look at a page that is served, and steer what it shows.

Any site that a browser has open can reach a port of this machine: by a web socket, which no browser forbids to other
sites, or by a name of its own that suddenly means 127.0.0.1 (DNS rebinding). So a page has a token, a random word in
its address. Whoever opens the address gets a cookie, and nothing is served without one of the two. Requests whose Host
is not this server's, and web sockets whose Origin is another site, are refused even so.
"""

from __future__ import annotations

import contextlib
import http
import ipaddress
import secrets
import socket
import threading
from collections.abc import Callable, Iterator
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

_PATCHING = threading.Lock()


class Guard:
    """The check of every request, made before anything is served.

    Attributes:
        token: The word in the address of the page.
        installed: Whether a server asks it.
    """

    def __init__(self, host: str) -> None:
        """Makes a token.

        Args:
            host: The address that the server listens to.
        """
        self.token = secrets.token_urlsafe(18)
        self.installed = False
        self._cookie = f"animato_{secrets.token_hex(4)}"  # browsers keep one cookie of a name for all ports
        self._names = {"localhost", host.lower().strip("[]")}
        # who listens to the whole network is called by names that only the network knows
        self._any_address = host in ("", "0.0.0.0", "::")
        if self._any_address:
            self._names |= {socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}

    def refusal(self, headers: Any, path: str) -> str | None:
        """Why a request is not answered; None where it is.

        Args:
            headers: Of the request; asked by `get_all`.
            path: With what follows the question mark.
        """
        host, origins = headers.get_all("Host"), headers.get_all("Origin")
        if len(host) != 1 or not self._is_ours(f"//{host[0]}"):
            return "This page is not served under that name."
        if len(origins) > 1 or (origins and not _same(origins[0], host[0])):
            return "Another site may not use this page."
        if not self._knows_token(headers, path):
            return "The address of this page ends in a token; copy all of it."
        return None

    def cookie(self, path: str) -> str | None:
        """What a browser that has shown the token is given to keep; None where it has one already."""
        if "token" not in parse_qs(urlsplit(path).query):
            return None
        return f"{self._cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"

    def _is_ours(self, address: str) -> bool:
        try:
            name = (urlsplit(address).hostname or "").lower()
        except ValueError:
            return False
        if name in self._names:
            return True
        try:
            number = ipaddress.ip_address(name)
        except ValueError:
            return False  # a name, perhaps one that was made to mean this machine
        return self._any_address or number.is_loopback

    def _knows_token(self, headers: Any, path: str) -> bool:
        try:
            given = parse_qs(urlsplit(path).query).get("token", [])
            for line in headers.get_all("Cookie"):
                kept = SimpleCookie(line).get(self._cookie)
                given += [kept.value] if kept is not None else []
        except (CookieError, ValueError):
            return False
        return any(secrets.compare_digest(one.encode(), self.token.encode()) for one in given)

    def around(self, answer: Callable[[Any, Any], Any] | None) -> Callable[[Any, Any], Any]:
        """A `process_request` of websockets that asks this guard before it asks the server's own."""

        def guarded(connection: Any, request: Any) -> Any:
            reason = self.refusal(request.headers, request.path)
            if reason is not None:
                return connection.respond(http.HTTPStatus.FORBIDDEN, f"{reason}\n")
            response = None if answer is None else answer(connection, request)
            cookie = self.cookie(request.path)
            if response is not None:
                response.headers["Referrer-Policy"] = "no-referrer"
                response.headers["X-Frame-Options"] = "DENY"
                if cookie is not None:
                    response.headers["Set-Cookie"] = cookie
            return response

        self.installed = True
        return guarded


def _same(origin: str, host: str) -> bool:
    """Whether a page of that origin was served by that host, port included."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


@contextlib.contextmanager
def guarding(guard: Guard) -> Iterator[None]:
    """While a server is started in here, the guard is put before it.

    viser has no place for a check of its own, but asks websockets to serve by name; so that name is another one for as
    long as it starts.
    """
    from websockets.asyncio import server

    with _PATCHING:
        serve: Any = server.serve

        def guarded_serve(*arguments: object, process_request: Any = None, **options: object) -> object:
            return serve(*arguments, process_request=guard.around(process_request), **options)

        server.serve = guarded_serve  # type: ignore[assignment,misc]
        try:
            yield
        finally:
            server.serve = serve  # type: ignore[misc]
