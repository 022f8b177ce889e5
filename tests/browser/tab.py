"""One page in a browser: what a person does with it, and what it does."""

from __future__ import annotations

import base64
import io
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tests.browser.devtools import PATIENCE_S, BrowserError, Connection

_NO_WEBGL = """
{ const own = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return /webgl/.test(kind) ? null : own.call(this, kind, ...rest); }; }
"""
_NO_CANVAS = "HTMLCanvasElement.prototype.getContext = () => null;"
_COUNT_FRAMES = """
{ window.framesDrawn = 0; let last = null;
  const count = () => {
    const now = document.timeline.currentTime; // the same for all that happens in one frame
    if (now !== last) { last = now; window.framesDrawn += 1; } };
  for (const kind of [window.WebGLRenderingContext, window.WebGL2RenderingContext, window.CanvasRenderingContext2D]) {
    for (const name of kind ? ["clear", "clearRect", "drawArrays", "drawElements", "drawElementsInstanced"] : []) {
      const own = kind.prototype[name];
      if (own) kind.prototype[name] = function (...rest) { count(); return own.apply(this, rest); };
    } } }
"""
_KEYS = {" ": ("Space", 32), "ArrowLeft": ("ArrowLeft", 37), "ArrowRight": ("ArrowRight", 39), "Home": ("Home", 36),
         "End": ("End", 35), "Tab": ("Tab", 9), "Enter": ("Enter", 13), "Escape": ("Escape", 27)}  # fmt: skip
_SHIFT = 8


@dataclass(frozen=True)
class Box:
    """Where an element is seen, in pixels of the window."""

    left: float
    top: float
    width: float
    height: float

    def at(self, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
        """A point by its shares of the width and the height, its middle where not given."""
        return self.left + across * self.width, self.top + down * self.height


OF_DRAWING_IN_SOFTWARE = "GPU stall due to ReadPixels"
"""What a browser without a graphics card says of itself when it puts a picture of WebGL onto the page."""


class Tab:
    """A page.

    Attributes:
        complaints: Errors and warnings of the console and of scripts since the page was opened, in words.
        requests: Addresses that were asked for since then, the page's own included.
    """

    def __init__(self, connection: Connection, session: str) -> None:
        self._connection = connection
        self._session = session
        self._scripts: list[str] = []
        self._loaded = False
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def open(
        self,
        path: Path,
        *,
        dark: bool = False,
        reduced_motion: bool = False,
        width: int = 1100,
        height: int = 800,
        scale: float = 1.0,
        webgl: bool = True,
        canvas: bool = True,
        scripts: bool = True,
        touch: bool = False,
    ) -> None:
        """Loads a page from a file and waits until it is there.

        Args:
            path: Of the page.
            dark: The person likes dark pages.
            reduced_motion: The person does not like motion.
            width: Of the window [pixels].
            height: Of the window [pixels].
            scale: Dots of the screen to a pixel of the page; fewer are drawn more quickly.
            webgl: There is WebGL.
            canvas: There is any drawing on a canvas, with WebGL or without.
            scripts: Scripts run.
            touch: The window is touched, not pointed at.
        """
        self.size(width, height, scale)
        self.look(dark=dark, reduced_motion=reduced_motion)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)
        for identifier in self._scripts:
            self.call("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)
        before = [_COUNT_FRAMES, *([] if webgl else [_NO_WEBGL]), *([] if canvas else [_NO_CANVAS])]
        self._scripts = [self.call("Page.addScriptToEvaluateOnNewDocument", source=one)["identifier"] for one in before]
        self._hear()
        self.complaints, self.requests, self._loaded = [], [], False
        failed = self.call("Page.navigate", url=path.resolve().as_uri()).get("errorText")
        if failed:
            raise BrowserError(f"{path} does not load: {failed}.")
        end = time.monotonic() + PATIENCE_S
        while not self._loaded:
            if time.monotonic() > end:
                raise BrowserError(f"{path} did not finish loading within {PATIENCE_S:g} s.")
            self._hear(0.02)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A call of the DevTools protocol to this page."""
        return self._connection.call(method, self._session, **parameters)

    def size(self, width: int, height: int, scale: float = 1.0) -> None:
        """Sets the size of the window [pixels]; a narrow one is a phone's, as far as the page can tell."""
        phone = width < 600
        size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def look(self, *, dark: bool = False, reduced_motion: bool = False, printed: bool = False) -> None:
        """Sets what the person likes, and whether the page is seen on paper."""
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced_motion else "no-preference"},
        ]
        self.call("Emulation.setEmulatedMedia", media="print" if printed else "screen", features=features)

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {_said(answer['exceptionDetails'])}")
        return answer["result"].get("value")

    def wait_until(self, expression: str, *, seconds: float = PATIENCE_S) -> Any:
        """Waits until an expression is true in the page; its value. Fails after some time [s]."""
        end = time.monotonic() + seconds
        while not (value := self.evaluate(expression)):
            if time.monotonic() > end:
                raise BrowserError(f"Not within {seconds:g} s: {expression}. Complaints: {self.complaints}.")
            self._hear(0.03)
        return value

    def settle(self) -> None:
        """Waits until the page has drawn what it was told: two frames."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    @property
    def frames_drawn(self) -> int:
        """Frames in which anything was drawn on a canvas since the page was opened."""
        return int(self.evaluate("window.framesDrawn"))

    def rest(self, seconds: float) -> None:
        """Lets the page be for some time [s]."""
        self._hear(seconds)

    def box(self, selector: str, *, scroll: bool = True) -> Box:
        """Where the first element of a selector is seen, after scrolling to it."""
        scrolled = "one.scrollIntoView({ block: 'center', behavior: 'instant' });" if scroll else ""
        found = self.evaluate(
            f"(() => {{ const one = document.querySelector({selector!r}); if (!one) return null; {scrolled}"
            "const box = one.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })()"
        )
        if found is None:
            raise BrowserError(f"Nothing on the page is {selector!r}.")
        return Box(*found)

    def click(self, selector: str, across: float = 0.5, down: float = 0.5) -> None:
        """Clicks into an element, at shares of its width and height."""
        x, y = self.box(selector).at(across, down)
        wide, high = self.evaluate("[window.innerWidth, window.innerHeight]")
        if not (0 <= x <= wide and 0 <= y <= high):
            raise BrowserError(f"{selector!r} at {across:g}, {down:g} is out of the window of {wide} x {high} pixels.")
        self._mouse("mouseMoved", x, y)
        self._mouse("mousePressed", x, y, button="left", clickCount=1)
        self._mouse("mouseReleased", x, y, button="left", clickCount=1)

    def hover(self, selector: str, across: float = 0.5, down: float = 0.5) -> None:
        """Moves the pointer over an element, at shares of its width and height."""
        self._mouse("mouseMoved", *self.box(selector).at(across, down))

    def drag(self, selector: str, right: float, down: float, *, across: float = 0.5, at: float = 0.5) -> None:
        """Presses in an element, at shares of its size, and moves the pointer [pixels]."""
        x, y = self.box(selector).at(across, at)
        self._mouse("mouseMoved", x, y)
        self._mouse("mousePressed", x, y, button="left", clickCount=1)
        for step in range(1, 6):
            self._mouse("mouseMoved", x + right * step / 5, y + down * step / 5, button="left", buttons=1)
        self._mouse("mouseReleased", x + right, y + down, button="left", clickCount=1)

    def wheel(self, selector: str, down: float) -> None:
        """Turns the wheel over an element [pixels, to the reader is positive]."""
        x, y = self.box(selector).at()
        self._mouse("mouseWheel", x, y, deltaX=0, deltaY=down)

    def touch(self, selector: str, right: float = 0.0, down: float = 0.0) -> None:
        """Puts a finger on the part of an element that is seen and moves it [pixels]; without a way it is a tap."""
        box = self.box(selector)
        x, y = box.at(min(0.5, 180.0 / max(box.width, 1.0)))  # of what is wider than a phone the part that is seen
        self._touch("touchStart", [{"x": x, "y": y}])
        for step in range(1, 6) if right or down else ():
            self._touch("touchMove", [{"x": x + right * step / 5, "y": y + down * step / 5}])
        self._touch("touchEnd", [])

    def key(self, name: str, *, shift: bool = False) -> None:
        """Presses a key, as it is called in `KeyboardEvent.key`."""
        code, number = _KEYS.get(name, (f"Key{name.upper()}", ord(name.upper()[0])))
        what = {"key": name, "code": code, "windowsVirtualKeyCode": number, "modifiers": _SHIFT if shift else 0}
        text = name if len(name) == 1 else None
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **what)
        self.call("Input.dispatchKeyEvent", type="keyUp", **what)

    def picture(self, selector: str | None = None) -> np.ndarray:
        """What is seen of an element, or of the window; sRGB bytes, [row, column, 3]."""
        clip = None
        if selector is not None:
            box = self.box(selector)
            left, top = self.evaluate("[window.scrollX, window.scrollY]")
            clip = {"x": left + box.left, "y": top + box.top, "width": box.width, "height": box.height, "scale": 1}
        data = self.call("Page.captureScreenshot", format="png", clip=clip)["data"]
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            return np.asarray(image.convert("RGB"))

    def pdf(self) -> bytes:
        """The page as it is printed."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def heard(self) -> list[str]:
        """Errors and warnings up to now; see `complaints`."""
        self._hear(0.05)
        return self.complaints

    def _mouse(self, kind: str, x: float, y: float, **rest: Any) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **rest)

    def _touch(self, kind: str, points: list[dict[str, float]]) -> None:
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def _hear(self, seconds: float = 0.0) -> None:
        if seconds:
            self._connection.hear(seconds)
        events = self._connection.events[self._session]
        while events:
            self._note(events.popleft())

    def _note(self, event: dict[str, Any]) -> None:
        about = event["params"]
        match event["method"]:
            case "Page.loadEventFired":
                self._loaded = True
            case "Runtime.exceptionThrown":
                self.complaints.append(f"exception: {_said(about['exceptionDetails'])}")
            case "Runtime.consoleAPICalled" if about["type"] in ("error", "warning", "assert"):
                words = [str(one.get("value", one.get("description", ""))) for one in about["args"]]
                self.complaints.append(f"console {about['type']}: {' '.join(words)}")
            case "Log.entryAdded" if about["entry"]["level"] in ("error", "warning"):
                entry = about["entry"]
                if OF_DRAWING_IN_SOFTWARE in entry["text"]:
                    return
                self.complaints.append(f"{entry['source']} {entry['level']}: {entry['text']} ({entry.get('url', '')})")
            case "Network.requestWillBeSent":
                self.requests.append(about["request"]["url"])


def open_tab(connection: Connection, context: str) -> Tab:
    """A new, empty page in a context of the browser."""
    target = connection.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
    session = connection.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    tab = Tab(connection, session)
    for domain in ("Page", "Runtime", "Log", "Network"):
        tab.call(f"{domain}.enable")
    return tab


def _said(details: dict[str, Any]) -> str:
    thrown = details.get("exception", {})
    return str(thrown.get("description", thrown.get("value", details.get("text", "?"))))
