"""The guard before everything that is served, and what every answer tells a browser to keep to."""

from __future__ import annotations

import re
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from animato.view.browser import Guard

_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'{socket}; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",  # asked for again each time, so that a newer animato is seen
}
_PLAIN_HOST = re.compile(r"[\w.\-]+(:\d+)?|\[[0-9a-fA-F:.]+\](:\d+)?")
_HERE = re.compile(r"(127(\.\d+){3}|localhost|\[::1\])(:\d+)?")


class Guarded:
    """An application that answers only whom the guard lets in."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        """Around an application."""
        self._app, self._guard = app, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or one web socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = _Asked(Headers(scope=scope))
        query = scope["query_string"].decode("latin-1")
        address = f"/?{query}"  # the guard looks at the token alone
        reason = self._guard.refusal(headers, address)
        kept = _kept(headers.get_all("Host"), None if reason else self._guard.cookie(address))
        if reason is not None and scope["type"] == "http":
            refusal = PlainTextResponse(f"{reason}\n", 403, {**kept, "Connection": "close"})
            await refusal(scope, receive, send)
        elif reason is not None:
            await receive()  # the request to connect
            await send({"type": "websocket.close", "code": 1008, "reason": reason})
        else:
            await self._app(scope, receive, _with_headers(send, kept))


class _Asked:
    """Headers as the guard asks for them."""

    def __init__(self, headers: Headers) -> None:
        self._headers = headers

    def get_all(self, name: str) -> list[str]:
        return self._headers.getlist(name)


def _kept(hosts: Iterable[str], cookie: str | None) -> dict[str, str]:
    """What a browser is told with an answer to a request for some host."""
    host = next(iter(hosts), "")
    # older browsers do not take a web socket of the same host for the same origin
    socket = f" ws://{host}" if _PLAIN_HOST.fullmatch(host) else ""
    headers = {**_HEADERS, "Content-Security-Policy": _POLICY.format(socket=socket)}
    if not _HERE.fullmatch(host):
        del headers["Cross-Origin-Opener-Policy"]  # browsers complain about it where a page came by the network
    if cookie is not None:
        headers["Set-Cookie"] = cookie
    return headers


def _with_headers(send: Send, added: dict[str, str]) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            for name, value in added.items():
                headers[name] = value
        await send(message)

    return sending
