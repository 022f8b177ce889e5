"""A studio in a process of its own, as it is started from a command line."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PATIENCE_S = 120.0


class Running:
    """One that runs.

    Attributes:
        folder: Of the project.
        process: That was started.
        address: Of the page, with its token.
    """

    def __init__(self, folder: Path, *words: str, port: int = 0) -> None:
        """Starts it and waits until it says that it is open.

        Args:
            folder: Of the project; made where it is not there.
            words: Of the command line besides: a character, a clip.
            port: 0 for any that is free.
        """
        self.folder = folder
        command = [sys.executable, "-m", "animato.cli", "studio", *words, f"{folder}/", "--no-browser"]
        self.process = subprocess.Popen(
            [*command, "--port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            cwd=folder.parent,
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.address = self._said(r"(http://\S+)")
        self._said("(It is open)")

    @property
    def port(self) -> int:
        """Where it is served."""
        return int(self.address.partition("127.0.0.1:")[2].partition("/")[0])

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._lines.put(line)
        self._lines.put(None)

    def _said(self, pattern: str) -> str:
        said: list[str] = []
        while True:
            line = self._lines.get(timeout=_PATIENCE_S)
            if line is None:
                raise AssertionError(f"The studio did not open; it said: {''.join(said)}")
            said.append(line)
            if found := re.search(pattern, line):
                return found[1]

    def kill(self) -> None:
        """At once, without a chance to save anything."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        """As by Ctrl-C; what does not end is ended."""
        with suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(30.0)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert self.process.stderr is not None
        self.process.stderr.close()


@contextmanager
def running(folder: Path, *words: str, port: int = 0) -> Iterator[Running]:
    """A studio for as long as it is needed."""
    one = Running(folder, *words, port=port)
    try:
        yield one
    finally:
        one.close()
