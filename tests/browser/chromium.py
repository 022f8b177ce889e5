"""Chromium without a window, driven over the DevTools protocol.

Why the bare protocol and not Playwright or Selenium: Playwright is a wheel of 50 MB with a Node.js of its own, made for
the one build of Chromium that it downloads; Selenium needs a chromedriver of exactly the browser's version. The
protocol needs `websockets`, which `viser` brings anyway, works with whatever Chromium a distribution ships, and the
part of it that these tests use has not changed in years.
"""

from __future__ import annotations

import os
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import IO

from tests.browser.devtools import PATIENCE_S, BrowserError, Connection
from tests.browser.tab import Tab, open_tab

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
"""How the browser is called on the systems we know."""

FLAGS = (
    "--headless",
    "--remote-debugging-port=0",  # one that is free; the browser says which
    "--no-sandbox",  # containers forbid what it needs, and all pages are ours
    "--disable-dev-shm-usage",  # containers have little of it
    "--disable-gpu",  # every machine draws the same: pages as without a graphics card, WebGL on the processor
    "--enable-unsafe-swiftshader",
    "--hide-scrollbars",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-backgrounding-occluded-windows",  # pages play although nobody looks
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--force-color-profile=srgb",
    "--mute-audio",
    "--password-store=basic",
)


def find_chromium() -> str | None:
    """Path of the browser: what `ANIMATO_BROWSER` names, else the first of `NAMES` that is installed."""
    named = os.environ.get("ANIMATO_BROWSER")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


def lacking() -> str:
    """What the tests in a browser lack on this machine, in words; "" where nothing is lacking."""
    if find_spec("websockets") is None:
        return "the package websockets is not installed (`pip install websockets`, or `make setup`)"
    if find_chromium() is not None:
        return ""
    named = os.environ.get("ANIMATO_BROWSER")
    if named:
        return f"ANIMATO_BROWSER names {named!r}, which is no program on this machine"
    return (
        f"no Chromium on this machine (looked for {', '.join(NAMES)} in PATH); "
        "`apt install chromium` on Debian, or name a browser in ANIMATO_BROWSER"
    )


class BrowserStartError(BrowserError):
    """There is no browser, or what is called so does not run here."""


class Chromium:
    """A running browser."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @contextmanager
    def tab(self) -> Iterator[Tab]:
        """A page of its own, without memory of others; closed at the end."""
        context = self._connection.call("Target.createBrowserContext")["browserContextId"]
        try:
            yield open_tab(self._connection, context)
        finally:
            self._connection.call("Target.disposeBrowserContext", browserContextId=context)


@contextmanager
def running_chromium(*flags: str) -> Iterator[Chromium]:
    """Starts a browser with a profile of its own, and ends it with everything it started.

    Args:
        flags: On top of `FLAGS`.

    Raises:
        BrowserStartError: There is none, or it does not come up.
    """
    program = find_chromium()
    if program is None:
        raise BrowserStartError(f"Cannot start a browser: {lacking()}.")
    with tempfile.TemporaryDirectory(prefix="animato-browser-", ignore_cleanup_errors=True) as profile:
        command = [program, *FLAGS, *flags, f"--user-data-dir={profile}", "about:blank"]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        assert process.stderr is not None
        try:
            connection = Connection(_address(process.stderr))
            try:
                yield Chromium(connection)
                connection.call("Browser.close")
                process.wait(PATIENCE_S)
            finally:
                connection.close()
        finally:
            _end(process)
            process.stderr.close()


def _address(stderr: IO[str]) -> str:
    """Where the browser listens, as it says itself; a thread reads on, since a full pipe would stop the browser."""
    found: queue.Queue[str | None] = queue.Queue()
    said: list[str] = []

    def read() -> None:
        for line in stderr:
            said.append(line)
            if match := re.search(r"DevTools listening on (ws://\S+)", line):
                found.put(match[1])
        found.put(None)

    threading.Thread(target=read, daemon=True).start()
    try:
        address = found.get(timeout=PATIENCE_S)
    except queue.Empty:
        address = None
    if address is None:
        raise BrowserStartError(f"The browser did not come up; it said: {''.join(said)[-2000:].strip()}")
    return address


def _end(process: subprocess.Popen[str]) -> None:
    """Ends what still runs of the browser: it and its helpers are a group of their own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
