"""The server in a thread of its own."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Self

import uvicorn

from animato.errors import AnimatoError
from animato.studio.serving.app import make_app
from animato.studio.serving.opened import Opening
from animato.studio.serving.ports import listening, local_address
from animato.studio.serving.prompt_protocol import PromptProtocol
from animato.studio.serving.uploads import clear_parts
from animato.view.browser import Guard

if TYPE_CHECKING:
    from animato.studio.desk import Desk

LONGEST_MESSAGE = 8_000_000
"""Of a page [bytes]."""


class Server:
    """Serves a page until it is closed; those that come before the studio is open wait for it.

    Attributes:
        port: Where it listens.
        address: Of the page on this machine, with the token that opens it.
        token: The word that opens it.
    """

    def __init__(self, *, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listens from now on.

        Args:
            host: Who may look: 127.0.0.1 is this machine only, 0.0.0.0 the network.
            port: 0 for the first that is free from 8130.

        Raises:
            OptionError: The host is not this machine's, or the port not allowed.
            AnimatoError: The port is taken.
        """
        guard, self._opening = Guard(host), Opening()
        socket = listening(host, port)
        self.port, self.token = int(socket.getsockname()[1]), guard.token
        self.address = f"{local_address(host, self.port)}/?token={guard.token}"
        config = uvicorn.Config(
            make_app(self._opening, guard),
            http=PromptProtocol,
            ws="websockets-sansio",
            ws_max_size=LONGEST_MESSAGE,
            ws_per_message_deflate=False,  # floats do not get much smaller, and a hand waits for them
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [socket]}, name="animato-server", daemon=True
        )
        self._thread.start()

    def open(self, desk: Desk, folder: Path) -> None:
        """The studio is there: pages are answered.

        Args:
            desk: That is served; it works already.
            folder: Of the project.
        """
        clear_parts(folder)
        self._opening.settle(desk, folder)

    def refuse(self, words: str, patience_s: float) -> None:
        """The studio cannot be opened; a page that waits, or comes within a while [s], is told why."""
        self._opening.fail(words)
        self._opening.wait_until_told(patience_s)

    def wait(self, seconds: float | None = None) -> None:
        """Until it has ended, or for a while [s]."""
        self._thread.join(seconds)
        if seconds is None and not self._server.started:
            raise AnimatoError("The studio's server did not start.")

    @property
    def running(self) -> bool:
        """Whether it still serves."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Sends all pages away and ends. May be called twice."""
        self._opening.fail("The studio has ended.")
        self._server.should_exit = True
        self._thread.join(timeout=5.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
