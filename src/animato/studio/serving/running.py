"""The studio until somebody ends it: where it is said to be, the browser that opens, the end."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Protocol

from animato.errors import AnimatoError, missing_dependency
from animato.studio.serving.ports import ANYWHERE, network_address

if TYPE_CHECKING:
    from animato.studio.desk import Desk

_PATIENCE_S = 3.0  # a browser that was opened gets to hear within this time why there is nothing


class Studio(Protocol):
    """What is served."""

    @property
    def desk(self) -> Desk:
        """Where messages go; it works already."""
        ...

    @property
    def folder(self) -> Path:
        """Of the project."""
        ...

    def close(self) -> None:
        """Ends its work and saves."""
        ...


def serve(
    opening: Callable[[], Studio],
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    open_browser: bool = True,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Opens a studio and serves it until it is interrupted (Ctrl-C, or the terminal is closed), then closes it.

    The browser starts and fetches the page while the studio is still being opened.

    Args:
        opening: Opens the studio.
        host: Who may look: 127.0.0.1 is this machine only, 0.0.0.0 all that its networks reach.
        port: 0 for the first that is free from 8130.
        open_browser: Whether to open the page.
        ready: Called with the address of the page once it is served, in the place of what is printed to stderr.

    Raises:
        MissingDependencyError: The extra "studio" is not installed.
        AnimatoError: The port is taken.
    """
    check_installed()
    from animato.studio.serving.server import Server

    with contextlib.suppress(KeyboardInterrupt), _ended_by_signals(), Server(host=host, port=port) as server:
        shown = open_browser and has_screen()
        if ready is None:
            print(f"The studio is at {server.address}", file=sys.stderr, flush=True)  # at once: it can be pressed
        if shown:
            # some browsers keep whoever opens them waiting
            threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        try:
            studio = opening()
        except AnimatoError as error:
            server.refuse(str(error), _PATIENCE_S if shown else 0.0)
            raise
        try:
            server.open(studio.desk, studio.folder)
            if ready is not None:
                ready(server.address)
            else:
                for line in advice(server.address, host, server.port, opens=shown, wanted=open_browser):
                    print(line, file=sys.stderr, flush=True)
            while server.running:
                server.wait(0.2)
        finally:
            studio.close()


def check_installed() -> None:
    """Raises a `MissingDependencyError` unless the extra "studio" is installed."""
    for package in ("starlette", "uvicorn", "websockets"):
        if find_spec(package) is None:
            raise missing_dependency(package, "studio", "The studio")


def advice(address: str, host: str, port: int, *, opens: bool, wanted: bool = True) -> list[str]:
    """What is said once the studio is open, a sentence a line.

    Args:
        address: Of the page on this machine.
        host: That was asked for.
        port: Where it is served.
        opens: Whether a browser opens by itself.
        wanted: Whether it was to.
    """
    said = ["It is open. Work is kept as you go; Ctrl-C ends it."]
    if wanted and not opens:
        said.append("This machine has no screen: open that address in a browser of this machine.")
        if os.environ.get("SSH_CONNECTION") and host not in ANYWHERE:
            said.append(
                f"From where you sit: ssh -L {port}:127.0.0.1:{port} and this machine's name, then open it there."
            )
    if host in ANYWHERE:
        other = network_address(port)
        if other is not None:
            said.append(f"From a phone or another machine: {other}/?{address.partition('?')[2]}")
        said.append(
            "Everybody in the network who has that whole address can look and edit, and what is sent is not encrypted."
        )
    return said


def has_screen() -> bool:
    """Whether a browser would be seen; without a screen some open inside the terminal."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "BROWSER"))


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Inside, a terminal that is closed and a polite end are the same as Ctrl-C, so that all is put away.

    Ctrl-C is asked for, too: libraries in C, such as a mesher, may have taken it from Python, and then it would end the
    program at once.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    names = ("SIGINT", "SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
