"""One browser for all tests of the studio; each page's console is listened to, and no test may leave a complaint."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.chromium import find_chromium, lacking
from tests.studio.visit import LAUNCH_FLAGS, Visit

_VISITS: list[Visit] = []


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The system's browser; where there is none, tests skip and say what they lack."""
    if lacking():
        pytest.skip(f"tests in a browser: {lacking()}")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser of these tests")
    with playwright.sync_playwright() as driver:
        try:
            browser = driver.chromium.launch(executable_path=find_chromium(), args=LAUNCH_FLAGS)
        except playwright.Error as failure:  # Ubuntu's chromium-browser is a stub where there are no snaps
            pytest.skip(f"tests in a browser: {failure}")
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def visitor(chromium: Any) -> Iterator[Callable[..., Visit]]:
    """Opens pages, each of a person of its own; `width`, `height` [pixel] and all that Playwright's contexts know.

    With `beside=visit` it is another tab of the same person.
    """
    contexts = []

    def visitor(width: int = 1100, height: int = 720, *, beside: Visit | None = None, **about: Any) -> Visit:
        if beside is None:
            contexts.append(chromium.new_context(viewport={"width": width, "height": height}, **about))
        context = contexts[-1] if beside is None else beside.page.context
        _VISITS.append(Visit(context.new_page()))
        return _VISITS[-1]

    yield visitor
    for context in contexts:
        context.close()
    _VISITS.clear()


@pytest.fixture(autouse=True)
def no_complaints() -> Iterator[None]:
    """No test leaves a complaint in the console of a page."""
    yield
    troubles = [words for visit in _VISITS for words in visit.troubles]
    for visit in _VISITS:
        visit.troubles.clear()
    assert troubles == []
