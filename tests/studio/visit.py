"""A page of the studio in a browser, as a person has it before them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from tests.browser.chromium import FLAGS
from tests.browser.tab import OF_DRAWING_IN_SOFTWARE

PATIENCE_S = 60.0
"""How long something may take on a machine that has other work [s]."""

LAUNCH_FLAGS = [flag for flag in FLAGS if "debugging" not in flag and flag != "--headless"]
"""Of the browser; how it is spoken to and that it has no window is Playwright's."""

_LOOK_MS = 40
_SPOTS = """(() => {
  const { stage, store } = animato.studio, box = stage.canvas.getBoundingClientRect(), found = [];
  const hitAt = (x, y) => {
    const hit = document.elementFromPoint(x, y) === stage.canvas && stage.pick(x, y);
    return hit && store.scene.bodies[hit.body] === given;
  };
  for (let y = box.top + 8; y < box.bottom; y += 8)
    for (let x = box.left + 8; x < box.right; x += 8) if (hitAt(x, y)) found.push([x, y]);
  const around = [[-5, 0], [5, 0], [0, -5], [0, 5]];
  const inside = found.filter(([x, y]) => around.every(([a, b]) => hitAt(x + a, y + b)));
  return inside.length ? inside : found.length ? found : null;
})()"""


class Visit:
    """A page with all that its console complained about.

    Attributes:
        page: In the browser.
        troubles: What the console complained about.
        expected: What may be complained about: a test that ends the server hears of it.
    """

    def __init__(self, page: Any) -> None:
        """Of a page that is not open yet."""
        self.page = page
        self.troubles: list[str] = []
        self.expected: re.Pattern[str] | None = None
        page.on("pageerror", lambda error: self._complained(f"error: {error}"))
        page.on("console", lambda said: self._complained(said.text) if said.type in ("error", "warning") else None)

    def _complained(self, words: str) -> None:
        if OF_DRAWING_IN_SOFTWARE in words:
            return
        if self.expected is None or not self.expected.search(words):
            self.troubles.append(words)

    def go(self, address: str) -> Visit:
        """Opens the studio and waits until it is there."""
        self.page.goto(address)
        return self.arrived()

    def arrived(self) -> Visit:
        """Waits until the page has been told everything and has drawn it."""
        self.page.wait_for_selector('#studio[aria-busy="false"]', timeout=1000 * PATIENCE_S)
        self.until("animato.studio.store.scene && animato.studio.stage.frames > 1")
        return self

    def until(self, words: str, given: Any = None, patience_s: float = PATIENCE_S) -> Any:
        """Waits until an expression in JavaScript holds, and gives its value.

        Not Playwright's own `wait_for_function`: it needs `eval`, which the studio's policy forbids.
        """
        for _ in range(round(1000 * patience_s / _LOOK_MS)):
            try:
                found = self.page.evaluate(f"async (given) => ({words})", given)
            except Exception as error:  # the page is just being loaded anew
                if "navigation" not in str(error) and "undefined" not in str(error) and "null" not in str(error):
                    raise
                found = None
            if found:
                return found
            self.page.wait_for_timeout(_LOOK_MS)
        raise AssertionError(f"it is not so: {words}; the page says {self.said()}")

    def ask(self, words: str, given: Any = None) -> Any:
        """The value of an expression in JavaScript."""
        return self.page.evaluate(f"async (given) => ({words})", given)

    def said(self) -> str:
        """What the page tells in its corner, on top and about its take; for messages of tests."""
        told: str = self.page.evaluate(
            "() => [...document.querySelectorAll('#toasts > *, .verdict, .job')].map((one) => one.textContent)"
            ".join(' | ') + ' | ' + (window.animato?.studio?.store?.take?.remark || '')"
        )
        return told

    def document(self) -> dict[str, Any]:
        """As the page knows it, without what differs between two messages of the same document."""
        told: dict[str, Any] = self.ask(
            "(({ takes, current, source, postures, settings, character }) => "
            "({ takes, current, source, postures, settings, character }))(animato.studio.store.document)"
        )
        return told

    @property
    def takes(self) -> list[str]:
        """Names of the takes."""
        return [str(one) for one in self.ask("animato.studio.store.document.takes.map((one) => one.name)")]

    def open_take(self, name: str) -> None:
        """By a press on its chip, or out of the list of a small page."""
        chip = self.page.locator(f'.chip.take[data-take="{name}"]')
        if chip.is_visible():
            chip.click()
        else:
            self.page.locator("select.take-few").select_option(name)
        self.until("animato.studio.store.document.current === given", name)

    def mode(self, name: str) -> None:
        """By a press on the rail."""
        if self.ask("animato.studio.store.mode") != name:
            self.page.click(f'#rail button[data-mode="{name}"]')
        self.until("animato.studio.store.mode === given", name)

    def stop(self) -> None:
        """Time stands still."""
        if self.ask("animato.studio.stage.playing"):
            self.page.keyboard.press("Space")
        self.until("!animato.studio.stage.playing")

    def seek(self, time: float) -> None:
        """By a press on the ruler of the timeline [s]."""
        box = self.page.locator("canvas.time-board").first.bounding_box()
        x = self.ask("(await import('/page/timeline/view.js')).view.toX(given)", time)
        self.page.mouse.click(box["x"] + x, box["y"] + 12)
        self.until("Math.abs(animato.studio.stage.time - given) < 0.05", time)

    def saved(self) -> None:
        """Waits until everything is on the disk."""
        self.until("document.querySelector('.project-saved').textContent === 'saved'")

    def spots_of(self, body: str) -> list[list[float]]:
        """Places on the page where a body is seen, well inside of it if possible [pixel]."""
        spots: list[list[float]] = self.until(_SPOTS, body)
        return spots

    def spot_of(self, body: str) -> tuple[float, float]:
        """One of them."""
        spots = self.spots_of(body)
        x, y = spots[len(spots) // 2]
        return float(x), float(y)

    def drag(self, *places: tuple[float, float], steps: int = 6) -> None:
        """With the left button from the first place to the last [pixel]."""
        self.page.mouse.move(*places[0])
        self.page.mouse.down()
        for place in places[1:]:
            self.page.mouse.move(*place, steps=steps)
        self.page.mouse.up()

    def picture(self, name: str) -> None:
        """For eyes: kept in the folder that ANIMATO_STUDIO_PICTURES names, if it does."""
        folder = os.environ.get("ANIMATO_STUDIO_PICTURES")
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=Path(folder) / f"{name}.png")
