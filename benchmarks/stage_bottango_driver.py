"""Bottango's own network driver in a process of its own, where it is on this machine: what it would send to servos."""

from __future__ import annotations

import importlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

VARIABLE = "ANIMATO_BOTTANGO"
"""Names a folder with BottangoNetworkedDriver, from Bottango's public repository of drivers (BSD 3-clause)."""


def driver_folder() -> Path | None:
    """Where the driver is: in the folder that the environment names, or beside the checkout; None where it is not."""
    beside = Path(__file__).resolve().parents[2] / "elsewhere" / "Bottango"
    for folder in (os.environ.get(VARIABLE), beside):
        if folder and (Path(folder) / "BottangoNetworkedDriver" / "src" / "MainLoop.py").is_file():
            return Path(folder) / "BottangoNetworkedDriver"
    return None


def lacking() -> str:
    """Why it cannot be run; empty where it can."""
    return "" if driver_folder() else f"Bottango's driver is not on this machine (a folder named by {VARIABLE})"


def free_port() -> int:
    """A port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class RunningDriver:
    """The driver, calling a port of this machine until it is stopped.

    Args:
        port: Number.
    """

    def __init__(self, port: int) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._record = Path(self._folder.name) / "signals.jsonl"
        words = [sys.executable, str(Path(__file__).resolve()), str(driver_folder()), str(port), str(self._record)]
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def signals(self) -> dict[str, list[tuple[float, float]]]:
        """What each motor was sent: (time [s, of time.monotonic], signal [microseconds])."""
        found: dict[str, list[tuple[float, float]]] = {}
        for line in self._record.read_text().splitlines() if self._record.exists() else []:
            at, name, signal = json.loads(line)
            found.setdefault(name, []).append((at, signal))
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()


def _run(folder: str, port: int, record: str) -> None:
    """In the process: their modules, with a record in place of servos, and a breath in place of a busy loop."""
    sys.path[0] = folder
    main: Any = importlib.import_module("src.MainLoop")
    settings: Any = importlib.import_module("src.CallbacksAndConfiguration")
    importlib.import_module("src.CommandParse").log = False  # type: ignore[attr-defined]
    settings.log, settings.port = False, port
    with Path(record).open("w", buffering=1) as file:

        def note(kind: str, name: str, signal: float) -> None:
            file.write(json.dumps([time.monotonic(), name, signal]) + "\n")

        settings.handleEffectorSetSignal = note
        settings.onMainLoop = lambda: time.sleep(0.0003)
        until = time.monotonic() + 30.0
        while time.monotonic() < until:
            try:
                main.startLoop()
            except SystemExit:  # nobody listens yet
                time.sleep(0.05)


if __name__ == "__main__":
    _run(sys.argv[1], int(sys.argv[2]), sys.argv[3])
