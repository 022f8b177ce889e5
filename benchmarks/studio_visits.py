"""A real `animato studio` and a real browser before it. A part of the benchmark `studio`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.browser.chromium import find_chromium
from tests.studio.running import running
from tests.studio.visit import LAUNCH_FLAGS, Visit

_SCRIPTS = [(Path(__file__).parent / f"studio_{name}.js").read_text(encoding="utf-8") for name in ("probe", "gestures")]
WIDTH, HEIGHT = 1280, 800
"""Of the window [pixels]."""

_LONGEST_START_S, _LOOK_S = 30.0, 0.5
_AT_REST = 0.25  # of one processor


@contextmanager
def browsing() -> Iterator[Any]:
    """The system's browser, without a window and without a graphics card."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=LAUNCH_FLAGS)
        yield browser
        browser.close()


@contextmanager
def visiting(browser: Any, folder: Path, *words: str) -> Iterator[Visit]:
    """A page of a studio that was started for it, with the probe in it.

    Args:
        browser: Of `browsing`.
        folder: Of the project, a new one.
        *words: Of the command line besides: a character, a clip.
    """
    with running(folder, *words) as studio, paging(browser) as visit:
        visit.go(studio.address)
        for script in _SCRIPTS:
            visit.page.evaluate(script)
        yield visit


@contextmanager
def paging(browser: Any) -> Iterator[Visit]:
    """A page that is not open yet."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="no-preference")
    try:
        yield Visit(context.new_page())
    finally:
        context.close()


def quiet(visit: Visit) -> None:
    """Stops what plays and what is worked on, so that what is measured next has the machine to itself.

    Processes of the studio that still start, for which a page does not wait, are waited for: what they cost is told by
    the figures of the moments after opening.
    """
    visit.stop()
    for _ in range(20):
        stops = visit.page.locator(".job button")
        if not stops.count():
            break
        visit.page.evaluate("() => document.querySelectorAll('.job button').forEach((one) => one.click())")
        visit.page.wait_for_timeout(200)
    idle = 0
    for _ in range(round(_LONGEST_START_S / _LOOK_S)):
        before = _busy_s()
        visit.page.wait_for_timeout(1000 * _LOOK_S)
        idle = idle + 1 if _busy_s() - before < _AT_REST * _LOOK_S else 0
        if idle == 2:
            return


def _busy_s() -> float:
    """For how long processors of this machine have worked, all together [s]; 0 where the system does not say."""
    said = Path("/proc/stat")
    if not said.exists():
        return 0.0
    user, nice, system = said.read_text(encoding="ascii").split(maxsplit=4)[1:4]
    return sum(map(int, (user, nice, system))) / os.sysconf("SC_CLK_TCK")
