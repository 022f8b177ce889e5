"""Connections that say in time what they want; those that do not are closed."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 300
"""At the same time, web sockets not counted: a page has some six; what is saved needs room for open files, too."""

PATIENCE_S = 10.0
"""Until the first request of a connection has come whole, its body not counted."""


class PromptProtocol(H11Protocol):
    """HTTP for anybody who can reach the port: who knows no token must not be able to hold what others need."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
            return
        self._impatience = self.loop.call_later(PATIENCE_S, self._end_unless_asked)

    def connection_lost(self, exc: Exception | None) -> None:
        """Somebody has gone."""
        super().connection_lost(exc)
        if hasattr(self, "_impatience"):
            self._impatience.cancel()

    def _end_unless_asked(self) -> None:
        # one that has become a web socket has another protocol, which is asked from now on
        if self.cycle is None and self.transport.get_protocol() is self:
            self.transport.abort()
