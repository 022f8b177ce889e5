"""Results in a notebook, as a browser shows them: each output is a player of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import animato as an
from tests.browser.chromium import Chromium
from tests.browser.player import changed
from tests.browser.tab import Tab

TIMES = "Array.from(frames, (one) => Object.values(one.animato.players)[0].time)"
READY = "frames.length === 3 && Array.from(frames).every((one) => one.document.querySelector('.figure-player.live'))"


@pytest.fixture(scope="module")
def notebook(chromium: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three outputs; a notebook sets the inner HTML of an empty element, which runs no scripts of its own."""
    hello, look = an.load_clip("pico_hello"), an.load_clip("lamp_look")
    results = an.check("pico", hello), an.check("lamp", look), an.check("pico", hello)
    page = tmp_path_factory.mktemp("notebook") / "notebook.html"
    outputs = json.dumps([one._repr_html_() for one in results]).replace("</", "<\\/")
    script = f"""for (const html of {outputs}) {{
        const output = document.createElement('div');
        output.className = 'output';
        output.innerHTML = html;
        document.body.append(output);
    }}"""
    head = "<title>notebook</title><meta name=viewport content='width=device-width, initial-scale=1'>"
    page.write_text(f"<!doctype html><html lang=en><head>{head}</head><body><script>{script}</script></body></html>")
    return page


def test_three_outputs_play_each_in_its_own_time(notebook: Path, tab: Tab) -> None:
    tab.open(notebook, width=760, height=560, scale=0.5, reduced_motion=True)
    tab.wait_until(READY)
    still = tab.evaluate(TIMES)
    tab.evaluate("document.querySelectorAll('.output')[1].setAttribute('data-tested', '')")
    tab.box("[data-tested] iframe")
    tab.settle()
    before = tab.picture("[data-tested] iframe")
    tab.evaluate("frames[1].document.querySelector('.figure-player .play').click()")
    tab.wait_until(f"{TIMES}[1] > {still[1] + 0.5}")
    now = tab.evaluate(TIMES)
    assert [now[0], now[2]] == [still[0], still[2]]
    tab.evaluate("frames[1].document.querySelector('.figure-player .play').click()")
    tab.settle()
    assert changed(before, tab.picture("[data-tested] iframe")) > 0.002
    assert tab.heard() == []
    assert [one[:40] for one in tab.requests if not one.startswith(("file:", "data:", "blob:", "about:"))] == []


def test_an_output_fits_a_narrow_notebook(notebook: Path, tab: Tab) -> None:
    tab.open(notebook, width=390, height=844, scale=0.5, reduced_motion=True)
    tab.wait_until(READY)
    sizes = tab.evaluate(
        "Array.from(frames, ({ document: { documentElement: page }, innerHeight, innerWidth }) =>"
        " [page.scrollWidth - innerWidth, page.scrollHeight - innerHeight])"
    )
    assert all(wide <= 0 and high <= 0 for wide, high in sizes), sizes
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    assert tab.heard() == []
