"""What the studio's page could be served by: our own page on Starlette, or NiceGUI. A part of the benchmark `studio`.

NiceGUI is not installed beside animato: NICEGUI_PYTHON names an interpreter that has it; its figures are left out where
there is none. Both sides serve a page with a canvas and a slider and are measured in the same browser.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.row import Row

HERE = Path(__file__).parent
BROWSERS = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"]
_SIZES = """
import json, re, sys
from importlib import metadata
found, waiting = {}, sys.argv[1:]
while waiting:
    name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
    if name in found:
        continue
    try:
        dist = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        continue
    places = (dist.locate_file(file) for file in dist.files or () if not str(file).endswith(".pyc"))
    found[name] = sum(place.stat().st_size for place in places if place.is_file())
    for one in dist.requires or ():
        if "extra ==" not in one:
            waiting.append(re.match(r"[\\w.-]+", one).group())
print(json.dumps(found))
"""


@dataclass(frozen=True)
class Frame:
    """Something that serves a page.

    Attributes:
        name: For people.
        python: That has it.
        packages: What is installed for it.
        imports: What a program imports.
        program: That serves the page.
        ready: True in the page once it can be used, as JavaScript.
    """

    name: str
    python: str
    packages: tuple[str, ...]
    imports: str
    program: Path
    ready: str


OURS = Frame(
    "our own page on Starlette",
    sys.executable,
    ("starlette", "uvicorn", "websockets"),
    "import starlette.applications, starlette.staticfiles, starlette.websockets, uvicorn",
    HERE / "studio_frame_ours.py",
    "window.ready === true",
)
PEER = Frame(
    "NiceGUI",
    os.environ.get("NICEGUI_PYTHON", sys.executable),
    ("nicegui",),
    "from nicegui import ui",
    HERE / "studio_frame_nicegui.py",
    "window.did_handshake === true",
)
UNITS = {
    "frame.installed_mb": "MB",
    "frame.packages": "count",
    "frame.import_s": "s",
    "frame.answers_s": "s",
    "frame.page_kb": "kB",
    "frame.round_trip_ms.p50": "ms",
    "frame.round_trip_ms.p99": "ms",
    "frame.poses_hz": "1/s",
}


def rows(*, quick: bool) -> list[Row]:
    """All figures of both."""
    ours = measured(OURS, quick=quick)
    has_peer = not subprocess.run([PEER.python, "-c", PEER.imports], capture_output=True, check=False).returncode
    theirs = measured(PEER, quick=quick) if has_peer else {}
    peer = PEER.name if has_peer else f"{PEER.name}: not installed, NICEGUI_PYTHON names a Python that has it"
    return [
        Row(name, ours[name], unit, "higher" if name.endswith("_hz") else "lower", peer, theirs.get(name))
        for name, unit in UNITS.items()
        if name in ours
    ]


def measured(frame: Frame, *, quick: bool) -> dict[str, float]:
    """Its figures by name; those in a browser are left out where there is none."""
    told = subprocess.run([frame.python, "-c", _SIZES, *frame.packages], capture_output=True, check=True, text=True)
    sizes = json.loads(told.stdout)
    found = {
        "frame.installed_mb": sum(sizes.values()) / 1e6,
        "frame.packages": float(len(sizes)),
        "frame.import_s": min(_import_s(frame) for _ in range(1 if quick else 5)),
    }
    answered = []
    for _ in range(0 if quick else 2):
        with serving(frame) as (_, seconds):
            answered.append(seconds)
    with serving(frame) as (address, seconds):
        found["frame.answers_s"] = min([*answered, seconds])
        found |= _in_browser(frame, address, quick=quick)
    return found


@contextlib.contextmanager
def serving(frame: Frame) -> Iterator[tuple[str, float]]:
    """While it serves: its address, and how long it was until its page answered [s]."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    began = time.perf_counter()
    process = subprocess.Popen(
        [frame.python, str(frame.program), str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while not _answers(port):
            if process.poll() is not None or time.perf_counter() - began > 60.0:
                raise RuntimeError(f"{frame.name} does not serve its page.")
            time.sleep(0.005)
        yield f"http://127.0.0.1:{port}/", time.perf_counter() - began
    finally:
        process.terminate()
        process.wait(10)


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def _import_s(frame: Frame) -> float:
    program = f"import time; t = time.perf_counter(); {frame.imports}; print(time.perf_counter() - t)"
    return float(subprocess.run([frame.python, "-c", program], capture_output=True, check=True, text=True).stdout)


def _in_browser(frame: Frame, address: str, *, quick: bool) -> dict[str, float]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return {}
    browser_path = next((path for path in BROWSERS if Path(path).exists()), None)
    if browser_path is None:
        return {}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=browser_path, args=FLAGS)
        page = browser.new_page()
        received: list[float] = []
        line = page.context.new_cdp_session(page)
        line.send("Network.enable")
        line.on("Network.loadingFinished", lambda event: received.append(event["encodedDataLength"]))
        page.goto(address)
        page.wait_for_function(frame.ready)
        page.wait_for_timeout(500)
        page.evaluate("async () => { for (let n = 0; n < 20; n++) await window.ping(n); }")
        found = {"frame.page_kb": sum(received) / 1000.0, **_round_trips(page, 100 if quick else 500)}
        count = 500 if quick else 3000
        seconds = page.evaluate(_timed(f"await window.poses({count});"))
        found["frame.poses_hz"] = count / seconds
        browser.close()
    return found


def _round_trips(page: Any, count: int) -> dict[str, float]:
    times = page.evaluate(
        "async (count) => { const all = []; for (let n = 0; n < count; n++) {"
        " const t = performance.now(); await window.ping(n); all.push(performance.now() - t); } return all; }",
        count,
    )
    quantiles = statistics.quantiles(times, n=100)
    return {"frame.round_trip_ms.p50": statistics.median(times), "frame.round_trip_ms.p99": quantiles[98]}


def _timed(what: str) -> str:
    """JavaScript that does something and gives how long it took [s]."""
    return f"async () => {{ const t = performance.now(); {what} return (performance.now() - t) / 1000; }}"


if __name__ == "__main__":
    from rich.console import Console

    from benchmarks.__main__ import table

    Console(width=140).print(table(rows(quick="--quick" in sys.argv)))
