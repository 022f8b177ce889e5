"""A page that looks at the desk."""

from __future__ import annotations

from typing import Protocol


class Page(Protocol):
    """A tab of a browser.

    Attributes:
        name: Tells it from others.
    """

    name: str

    def send(self, message: str | bytes, *, newest_of: str = "") -> None:
        """Sends without waiting and without raising; from any thread.

        Args:
            message: Text is JSON, bytes are as `packed` makes them.
            newest_of: Where a page is slow, a message that is still waiting is left out for a later one of this name.
        """
        ...
