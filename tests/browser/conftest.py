"""A browser for the tests, and pages for it; where there is no browser the tests skip and say what they lack."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.browser.chromium import BrowserStartError, Chromium, lacking, running_chromium
from tests.browser.pages import KINDS
from tests.browser.tab import Tab


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    """One browser for all tests of a process."""
    if lacking():
        pytest.skip(f"tests in a browser: {lacking()}")
    with ExitStack() as stack:
        try:
            browser = stack.enter_context(running_chromium())
        except BrowserStartError as failure:  # Ubuntu's chromium-browser is a stub where there are no snaps
            pytest.skip(f"tests in a browser: {failure}")
        yield browser


@pytest.fixture
def tab(chromium: Chromium) -> Iterator[Tab]:
    """A page of its own for each test."""
    with chromium.tab() as one:
        yield one


@pytest.fixture(scope="session")
def page_of(chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Where a kind of page is; each is made once, when it is first asked for, and only where there is a browser."""
    base = tmp_path_factory.getbasetemp()
    together = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base  # of all processes of this run

    def page_of(kind: str) -> Path:
        note = together / f"page_{kind}.txt"  # says where somebody has made it
        if not note.exists():
            said = base / note.name
            said.write_text(str(KINDS[kind](tmp_path_factory.mktemp(kind))), encoding="utf-8")
            said.replace(note)
        return Path(note.read_text(encoding="utf-8"))

    return page_of
