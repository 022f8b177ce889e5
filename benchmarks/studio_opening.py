"""From the command to the page, what the browser fetches, and the end. A part of the benchmark `studio`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.studio_visits import paging
from tests.studio.running import Running


@dataclass(frozen=True)
class Opened:
    """How a studio opened.

    Attributes:
        open_s: From the command to a page that is complete and drawn.
        said_s: From the command to its word that it is open.
        checked_s: From the command to the first check on the page.
        close_s: From Ctrl-C, when all is warm, to the end of the process.
        page_kb: What the browser fetched.
        told_kb: What it was told besides, over its web socket, until the first check was there.
    """

    open_s: float
    said_s: float
    checked_s: float
    close_s: float
    page_kb: float
    told_kb: float


def measured_opening(browser: Any, folder: Path, character: str) -> Opened:
    """Opens a new project of a character, in a browser that runs already and has never seen the studio."""
    fetched, told = list[float](), list[float]()
    began = time.perf_counter()
    studio = Running(folder, character)
    said = time.perf_counter() - began
    with paging(browser) as visit:
        line = visit.page.context.new_cdp_session(visit.page)
        line.send("Network.enable")
        line.on("Network.loadingFinished", lambda event: fetched.append(event["encodedDataLength"]))
        line.on("Network.webSocketFrameReceived", lambda event: told.append(_size(event["response"])))
        visit.go(studio.address)
        opened = time.perf_counter() - began
        visit.until("animato.studio.store.usage && animato.studio.store.usage.kinds.length")
        checked = time.perf_counter() - began
        visit.page.wait_for_timeout(2500)
    ending = time.perf_counter()
    studio.close()
    closed = time.perf_counter() - ending
    return Opened(opened, said, checked, closed, sum(fetched) / 1e3, sum(told) / 1e3)


def _size(frame: dict[str, Any]) -> float:
    """Of a message [bytes]; those of numbers are told of in base 64."""
    text: str = frame["payloadData"]
    return len(text) if frame["opcode"] == 1 else 0.75 * len(text)
