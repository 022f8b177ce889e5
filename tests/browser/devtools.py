"""The DevTools protocol of a browser over one web socket: calls that wait for their answer, events that are kept."""

from __future__ import annotations

import json
import time
from collections import defaultdict, deque
from typing import Any

PATIENCE_S = 60.0
"""How long anything may take before it counts as stuck [s]; machines that test are often busy with other things."""


class BrowserError(Exception):
    """The browser refused a call, or did not do in time what was waited for."""


class Connection:
    """Calls to a browser and what it reports.

    Attributes:
        events: What each session reported and nobody took yet, by session; "" is the browser itself.
    """

    def __init__(self, address: str) -> None:
        from websockets.sync.client import connect

        # Pictures come in one message; they have no size that could be known before. No pings: nobody looks at the
        # browser for minutes, and a ping that is not answered meanwhile would end the conversation.
        self._socket = connect(address, max_size=None, compression=None, open_timeout=PATIENCE_S, ping_interval=None)
        self._last = 0
        self.events: defaultdict[str, deque[dict[str, Any]]] = defaultdict(deque)

    def call(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:
        """What the browser answers to `method`; parameters that are None are left out."""
        self._last += 1
        number = self._last
        given = {name: value for name, value in parameters.items() if value is not None}
        message: dict[str, Any] = {"id": number, "method": method, "params": given}
        if session:
            message["sessionId"] = session
        self._socket.send(json.dumps(message))
        end = time.monotonic() + PATIENCE_S
        while True:
            answer = self._next(end, method)
            if answer.get("id") != number:
                continue
            if "error" in answer:
                raise BrowserError(f"{method}: {answer['error'].get('message')}")
            result: dict[str, Any] = answer.get("result", {})
            return result

    def hear(self, seconds: float) -> None:
        """Keeps what is reported within some time [s]."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                self._take(self._socket.recv(timeout=left))
            except TimeoutError:
                return

    def close(self) -> None:
        """Ends the conversation, not the browser."""
        self._socket.close()

    def _next(self, end: float, waiting_for: str) -> dict[str, Any]:
        try:
            return self._take(self._socket.recv(timeout=max(end - time.monotonic(), 0.0)))
        except TimeoutError:
            raise BrowserError(f"No answer to {waiting_for} within {PATIENCE_S:g} s.") from None

    def _take(self, text: str | bytes) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(text)
        if "method" in message:
            self.events[message.get("sessionId", "")].append(message)
        return message
