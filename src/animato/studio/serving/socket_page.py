"""A page of a browser behind its web socket."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect

from animato.studio.serving.allowance import Allowance
from animato.studio.serving.outbox import Outbox

if TYPE_CHECKING:
    from animato.studio.desk import Desk

TOO_MUCH, NOT_TEXT, TOO_SLOW = 1008, 1003, 1013
"""Why a connection is closed, in the numbers of RFC 6455."""

_MOST_UNANSWERED = 256  # messages of a page that wait for the desk; then no more is read until it has gone on


class SocketPage:
    """One connection: what it says goes to the desk, what the desk says goes to it.

    Lives in the server's event loop; `send` alone is called from other threads.

    Attributes:
        name: Tells it from others.
    """

    def __init__(
        self, name: str, socket: WebSocket, desk: Desk, allowance: Allowance | None = None, outbox: Outbox | None = None
    ) -> None:
        """Of a socket that was accepted."""
        self.name = name
        self._socket, self._desk = socket, desk
        self._allowance, self._outbox = allowance or Allowance(), outbox or Outbox()
        self._loop = asyncio.get_running_loop()
        self._filled, self._answered, self._overfull = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._counting = threading.Lock()
        self._unanswered = 0

    def send(self, message: str | bytes, *, newest_of: str = "") -> None:
        """Sends without waiting and without raising; from any thread."""
        if not self._overfull.is_set():
            self._wake(self._filled if self._outbox.put(message, newest_of) else self._overfull)

    async def run(self) -> None:
        """Until the page goes, or is sent away."""
        self._desk.join(self)
        sides = [asyncio.create_task(side) for side in (self._read(), self._write(), self._not_read())]
        try:
            done, _ = await asyncio.wait(sides, return_when=asyncio.FIRST_COMPLETED)
            code, reason = done.pop().result()
        finally:
            self._desk.leave(self)
            for side in sides:
                side.cancel()
            await asyncio.gather(*sides, return_exceptions=True)
        if code:
            await self._send_away(code, reason)

    async def _read(self) -> tuple[int, str]:
        """Takes messages until there is a reason not to: its number (0 where the page went itself) and its words."""
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return 0, ""
            text = message.get("text")
            if text is None:
                return NOT_TEXT, "A page sends text alone."
            if not self._allowance.takes(len(text)):
                return TOO_MUCH, "This page sends too much; reload it."
            await self._room_at_the_desk()
            with self._counting:
                self._unanswered += 1
            self._desk.post(lambda text=text: self._answer(text))  # type: ignore[misc]

    def _answer(self, text: str) -> None:
        """In the desk's thread."""
        try:
            self._desk.answer(self, text)
        finally:
            with self._counting:
                self._unanswered -= 1
            self._wake(self._answered)

    async def _room_at_the_desk(self) -> None:
        while self._unanswered >= _MOST_UNANSWERED:
            self._answered.clear()
            if self._unanswered >= _MOST_UNANSWERED:  # it may have gone on before the line above
                await self._answered.wait()

    async def _write(self) -> tuple[int, str]:
        """Sends what waits until the page has gone."""
        while True:
            self._filled.clear()
            while (message := self._outbox.take()) is not None:
                try:
                    if isinstance(message, str):
                        await self._socket.send_text(message)
                    else:
                        await self._socket.send_bytes(message)
                except (WebSocketDisconnect, RuntimeError):
                    return 0, ""
            await self._filled.wait()

    async def _not_read(self) -> tuple[int, str]:
        """Waits until too much waits: beside `_write`, which waits for the page."""
        await self._overfull.wait()
        return TOO_SLOW, "This page did not read what it was sent; reload it."

    async def _send_away(self, code: int, reason: str) -> None:
        # a page that does not read does not read this either, and must not keep the server waiting
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            await asyncio.wait_for(self._socket.close(code, reason), timeout=1.0)

    def _wake(self, event: asyncio.Event) -> None:
        with contextlib.suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(event.set)
