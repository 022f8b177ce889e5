"""How much is lost where a studio is killed. A part of the benchmark `studio`."""

from __future__ import annotations

import contextlib
import json
import random
import time
from pathlib import Path

from tests.studio.running import Running

_PAUSE_S = 0.02  # between two edits
_SECONDS = (0.6, 2.2)  # of editing until it is killed


def measured_kills(folder: Path, rounds: int) -> list[float]:
    """Kills a studio in the middle of edits, and opens its project again.

    Args:
        folder: For projects.
        rounds: How often.

    Returns:
        For each time, how long before its end the last edit was made that came back [s]; edits follow each other every
        20 ms.
    """
    chance = random.Random(15)
    return [_killed(folder / f"kill {number}", chance.uniform(*_SECONDS)) for number in range(rounds)]


def _killed(folder: Path, seconds: float) -> float:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    studio = Running(folder, "pico")
    made: list[float] = []
    address = studio.address.replace("http:", "ws:").replace("/?", "/ws?")
    with contextlib.suppress(ConnectionClosed), connect(address, proxy=None, close_timeout=0.1, max_size=None) as page:
        for _ in range(3):
            page.recv()
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            edit = {"do": "fix.set", "time": 1.0 - 1e-6 * len(made)}
            made.append(time.monotonic())
            page.send(json.dumps(edit))
            time.sleep(_PAUSE_S)
        studio.kill()
    ended = time.monotonic()
    studio.close()
    return ended - made[min(_kept(folder), len(made) - 1)]


def _kept(folder: Path) -> int:
    """The number of the last edit that was saved; the project opens whole."""
    from animato.studio.opening import SOURCES
    from animato.studio.project import load_project

    told: list[str] = []
    document = load_project(folder, SOURCES, told.append)
    if told:
        raise RuntimeError(f"A project that was killed does not open whole: {told}")
    value = document.settings.get("fix", {}).get("time")
    return 0 if value is None else round((1.0 - float(value)) / 1e-6)
