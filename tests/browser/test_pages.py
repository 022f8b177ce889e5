"""Every kind of page in a real browser: it loads alone and in silence, fits a phone, is read by day and night."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.pages import KINDS
from tests.browser.seen import nameless, too_faint, too_small, too_wide
from tests.browser.tab import Tab

PHONE = 390
"""Width of its window [pixels]."""

SMALLEST = 6.0
"""Letters that can just be read where a finger can enlarge them [pixels]."""

BACKGROUND = "getComputedStyle(document.body).backgroundColor"

every_page = pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "check_beside_the_artist"])
CONTENT = "document.querySelectorAll('h1, h2, table, svg, img').length"


@every_page
def test_it_loads_alone_and_in_silence(kind: str, page_of: Callable[[str], Path], tab: Tab) -> None:
    page = page_of(kind)
    tab.open(page, scale=0.5, reduced_motion=True)
    tab.settle()
    assert tab.heard() == []
    own = page.resolve().as_uri()
    assert [one[:80] for one in tab.requests if one != own and not one.startswith(("data:", "blob:"))] == []
    assert nameless(tab) == []
    found = tab.evaluate(CONTENT)
    assert tab.evaluate("document.title") and tab.evaluate("document.documentElement.lang") == "en"
    tab.open(page, scripts=False)
    assert tab.evaluate(CONTENT) == found  # scripts make it move; what it says is there without them
    assert tab.heard() == []


@every_page
def test_it_fits_a_phone_and_is_read_by_day_and_night(kind: str, page_of: Callable[[str], Path], tab: Tab) -> None:
    tab.open(page_of(kind), width=PHONE, height=844, reduced_motion=True)
    assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE, too_wide(tab, PHONE)
    assert too_wide(tab, PHONE) == []
    assert too_small(tab, SMALLEST) == []
    by_day = tab.evaluate(BACKGROUND)
    assert too_faint(tab) == []
    tab.look(dark=True, reduced_motion=True)
    assert tab.evaluate(BACKGROUND) != by_day
    assert too_faint(tab) == []
    assert tab.heard() == []
