"""The player on a page, as a person uses it: the one place that knows what its parts are called."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.browser.devtools import BrowserError
from tests.browser.tab import Tab

ROOT = ".figure-player"
_PARTS = {"picture": ".picture", "still": ".still", "play": ".play", "scrub": ".scrub", "clock": ".clock"}


@dataclass(frozen=True)
class Player:
    """One player.

    Attributes:
        tab: The page it is on.
        root: Its selector.
    """

    tab: Tab
    root: str = ROOT

    def part(self, name: str) -> str:
        """Selector of the picture, the still picture, the button, the scrub or the clock."""
        return f"{self.root} {_PARTS[name]}"

    def wait(self) -> None:
        """Waits until it runs, and turns to it."""
        self.tab.wait_until(f"document.querySelector('{self.root}.live') !== null")
        self.tab.box(self.part("picture"))
        self.tab.settle()

    @property
    def time(self) -> float:
        """What its clock shows [s]."""
        text = self.tab.evaluate(f"document.querySelector('{self.part('clock')}').textContent")
        return float(text.split()[0])

    def see(self) -> np.ndarray:
        """Its picture in its own place; sRGB bytes, [row, column, 3]."""
        self.tab.box(self.root)
        self.tab.wait_until(f"document.querySelector('{self.root} .afar') === null")
        self.tab.settle()
        return self.tab.picture(self.part("picture"))

    def toggle(self) -> None:
        """Presses the button that plays and pauses."""
        self.tab.click(self.part("play"))

    def wait_past(self, time: float) -> None:
        """Waits until its clock shows more than a time [s]."""
        self.tab.wait_until(f"parseFloat(document.querySelector('{self.part('clock')}').textContent) > {time}")

    def is_past(self, time: float, within_s: float) -> bool:
        """Whether the clock passes a time [s] soon enough."""
        try:
            self.tab.wait_until(
                f"parseFloat(document.querySelector('{self.part('clock')}').textContent) > {time}", seconds=within_s
            )
        except BrowserError:
            return False
        return True

    def go_to_share(self, share: float) -> None:
        """Drags the scrub to a share of its range; a player that is scrubbed pauses."""
        self.tab.evaluate(
            f"(() => {{ const one = document.querySelector('{self.part('scrub')}');"
            f"one.value = String(Number(one.min) + {share} * (Number(one.max) - Number(one.min)));"
            "one.dispatchEvent(new Event('input', { bubbles: true })); })()"
        )
        self.tab.settle()

    def key(self, name: str, *, shift: bool = False) -> None:
        """Presses a key while the picture has the focus."""
        self.tab.evaluate(f"document.querySelector('{self.part('picture')}').focus({{ preventScroll: true }})")
        self.tab.key(name, shift=shift)
        self.tab.settle()


def changed(one: np.ndarray, other: np.ndarray) -> float:
    """Share of pixels that differ by more than a person could overlook."""
    return float(np.mean(np.max(np.abs(one.astype(int) - other.astype(int)), axis=2) > 24))
