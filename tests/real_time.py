"""Tests that watch the clock, on a machine that others use as well.

An emulated servo's watchdog, a board that waits 50 ms for the rest of a word, a browser that draws: whoever does not
get the processor for a tenth of a second sees them fail without a fault of theirs. A bystander, a thread that only
sleeps, says whether that was so: then, and only then, the test is tried again. What fails on a machine that has time
has failed.

Threads that outlive a test may disturb a later one in one more way: connections that stay open, such as the one to the
browser, take a number from Python's own `random` every 20 s. Hypothesis takes that for a strategy that does so, and
says that the test is unreliable.
"""

from __future__ import annotations

import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from _pytest.runner import runtestprotocol

ROOT = Path(__file__).parent
PLACES = (
    "unit/stage",
    "unit/cli/test_servos_command.py",
    "unit/cli/test_show_command.py",
    "unit/studio/serving",
    "unit/studio/workers",
    "agreement/test_bottango_driver.py",
    "agreement/test_servo_clients.py",
    "laws/test_pulse_line_noise.py",
    "laws/test_show_laws.py",
    "examples/test_play_example.py",
    "examples/test_show_example.py",
    "test_docs.py",  # pages about servos play on emulated ones
    "browser",
    "studio",
)
TRIES = 3
LATE_S = 0.03  # a third of the shortest time that something here waits
_NAP_S = 0.005


class Bystander:
    """Sleeps, and notes how much longer than it wanted to.

    Attributes:
        late_s: The latest that it woke [s].
    """

    def __init__(self) -> None:
        self.late_s = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._doze, name="bystander", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()

    def _doze(self) -> None:
        while not self._over.is_set():
            before = time.monotonic()
            self._over.wait(_NAP_S)
            self.late_s = max(self.late_s, time.monotonic() - before - _NAP_S)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("filterwarnings", "ignore:Do not use the `random` module inside strategies")


def watches_the_clock(path: Path) -> bool:
    """Whether a file of tests is one of those."""
    return any(path == ROOT / place or ROOT / place in path.parents for place in PLACES)


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if not watches_the_clock(item.path):
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for left in reversed(range(TRIES)):
        with Bystander() as bystander:
            reports = runtestprotocol(item, log=False, nextitem=nextitem)
        if left == 0 or bystander.late_s < LATE_S or not any(report.failed for report in reports):
            break
    for report in reports:
        if report.failed:
            report.sections.append(
                ("Bystander", f"woke up to {1e3 * bystander.late_s:.0f} ms late; try {TRIES - left}")
            )
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
