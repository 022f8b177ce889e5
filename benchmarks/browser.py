"""Pages in a real browser, for figures about them; what drives it is that of the tests in a browser."""

from __future__ import annotations

import time
from pathlib import Path

from tests.browser.chromium import lacking, running_chromium
from tests.browser.player import Player

__all__ = ["lacking", "page_kb", "player_fps"]


def page_kb(page: str | Path) -> float:
    """How heavy a page is, with everything that it needs [kB of 1000 bytes]."""
    return Path(page).stat().st_size / 1000.0


def player_fps(page: str | Path, *, seconds: float = 3.0, width: int = 1100, height: int = 800) -> float:
    """Frames that the first player of a page draws in a second while it plays, in a browser without a graphics card.

    Args:
        page: Of which kind is the same; it has a player.
        seconds: How long is counted, after half a second to get going [s].
        width: Of the window [pixels].
        height: Of the window [pixels].

    Raises:
        BrowserError: There is no browser (`lacking` says why), or nothing plays on the page.
    """
    with running_chromium() as browser, browser.tab() as tab:
        tab.open(Path(page), width=width, height=height, reduced_motion=True)
        player = Player(tab)
        player.wait()
        player.go_to_share(0.0)
        player.toggle()
        tab.wait_until("window.framesDrawn > 3")
        tab.rest(0.5)
        first, began = tab.frames_drawn, time.perf_counter()
        tab.rest(seconds)
        last, ended = tab.frames_drawn, time.perf_counter()
    return (last - first) / (ended - began)
