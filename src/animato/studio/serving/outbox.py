"""What waits to be sent to a page: bounded, and without what a newer message has made old."""

from __future__ import annotations

import itertools
import threading

MOST_BYTES = 64_000_000
"""That wait for a page which does not read."""


class Outbox:
    """Messages in the order in which they are sent; filled and emptied by different threads."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Empty.

        Args:
            most_bytes: That may wait. One message alone may be longer.
        """
        self._most_bytes = most_bytes
        self._lock = threading.Lock()
        self._waiting: dict[int, tuple[str | bytes, str]] = {}
        self._newest: dict[str, int] = {}
        self._numbers = itertools.count()
        self._size = 0

    def put(self, message: str | bytes, newest_of: str = "") -> bool:
        """Adds a message; whether there was room.

        Args:
            message: Text or bytes.
            newest_of: A message of this name that still waits is left out.
        """
        with self._lock:
            if newest_of and newest_of in self._newest:
                self._remove(self._newest[newest_of])
            if self._waiting and self._size + len(message) > self._most_bytes:
                return False
            number = next(self._numbers)
            self._waiting[number] = (message, newest_of)
            self._size += len(message)
            if newest_of:
                self._newest[newest_of] = number
            return True

    def take(self) -> str | bytes | None:
        """The message that has waited longest; None where there is none."""
        with self._lock:
            return self._remove(next(iter(self._waiting))) if self._waiting else None

    @property
    def size(self) -> int:
        """What waits [bytes; characters of texts]."""
        return self._size

    def __len__(self) -> int:
        return len(self._waiting)

    def _remove(self, number: int) -> str | bytes:
        message, newest_of = self._waiting.pop(number)
        self._size -= len(message)
        if newest_of and self._newest.get(newest_of) == number:
            del self._newest[newest_of]
        return message
