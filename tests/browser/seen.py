"""What a person with ordinary eyes meets on a page; `seen.js` looks for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.browser.tab import Tab

_SCRIPT = (Path(__file__).parent / "seen.js").read_text(encoding="utf-8")


def too_wide(tab: Tab, width: int) -> list[str]:
    """Elements that stick out to the right of a window so wide [pixels], in words."""
    return _ask(tab, f"tooWide({width})")


def too_small(tab: Tab, least: float) -> list[str]:
    """Texts whose letters are smaller than `least` [pixels], in words."""
    return _ask(tab, f"tooSmall({least})")


def nameless(tab: Tab) -> list[str]:
    """Pictures and controls that say nothing to those who cannot see them, in words."""
    return _ask(tab, "nameless()")


def too_faint(tab: Tab) -> list[str]:
    """Texts with less contrast to what is behind them than WCAG 2.2 asks for (4.5, large ones 3), in words."""
    return _ask(tab, "tooFaint()")


def _ask(tab: Tab, question: str) -> Any:
    return tab.evaluate(f"(() => {{ {_SCRIPT}; return {question}; }})()")
