"""A studio that is about to be open: pages come before it is."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from animato.errors import AnimatoError

if TYPE_CHECKING:
    from animato.studio.desk import Desk


@dataclass(frozen=True, eq=False)
class Opened:
    """What is served.

    Attributes:
        desk: Where messages go.
        folder: Of the project.
    """

    desk: Desk
    folder: Path


class Opening:
    """The studio as soon as it is there; settled by one thread, awaited in another."""

    def __init__(self) -> None:
        """Not settled."""
        self._future: Future[Opened] = Future()
        self._told = threading.Event()

    def settle(self, desk: Desk, folder: Path) -> None:
        """It is open."""
        self._future.set_result(Opened(desk, folder))

    def fail(self, words: str) -> None:
        """It cannot be opened, and why; nothing where it was settled already."""
        if not self._future.done():
            self._future.set_exception(AnimatoError(words))

    async def opened(self) -> Opened:
        """Waits for it.

        Raises:
            AnimatoError: It could not be opened.
        """
        # one that goes away while it waits must not take the future with it
        return await asyncio.shield(asyncio.wrap_future(self._future))

    def told(self) -> None:
        """A page knows that it failed."""
        self._told.set()

    def wait_until_told(self, seconds: float) -> None:
        """Until a page knows, or for a while [s]."""
        self._told.wait(seconds)
