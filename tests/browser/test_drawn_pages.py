"""Pages of trace and design: lines that are drawn, charts along a path, and designs beside one another."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.player import Player, changed
from tests.browser.tab import Tab


def opened(tab: Tab, page: Path) -> Player:
    tab.open(page, width=1000, height=700, scale=0.5, reduced_motion=True)
    player = Player(tab)
    player.wait()
    return player


def test_a_click_on_a_drawn_line_shows_that_moment(page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of("trace"))
    x, y, times = (
        json.loads(tab.evaluate(f"document.querySelectorAll('[data-walker]')[1].dataset.{name}"))
        for name in ("x", "y", "times")
    )
    wide, high = tab.evaluate(
        "(() => { const svg = document.querySelector('[data-walker]').closest('svg'); svg.dataset.tested = '';"
        "const { width, height } = svg.viewBox.baseVal; return [width, height]; })()"
    )
    chosen = len(times) // 3
    tab.click("svg[data-tested]", x[chosen] / wide, y[chosen] / high)
    tab.settle()
    shown = player.time
    # strikes lie upon one another: it is one of the moments at which the pen is there
    near = [time for a, b, time in zip(x, y, times, strict=True) if abs(a - x[chosen]) + abs(b - y[chosen]) < 6.0]
    assert min(abs(time - shown) for time in near) < 0.02
    place = tab.evaluate("document.querySelectorAll('[data-walker]')[1].getAttribute('transform')")
    across, down = (float(part) for part in place[len("translate(") : -1].split(","))
    assert abs(across - x[chosen]) + abs(down - y[chosen]) < 8.0
    tab.click("svg[data-tested]", 0.5, 0.02)  # far from all lines nothing happens
    tab.settle()
    assert player.time == shown
    assert tab.heard() == []


def test_a_chart_along_the_path_knows_when_that_was(page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of("trace"))
    left, width, wide = tab.evaluate(
        "(() => { const one = document.querySelector('[data-cursor]'), svg = one.closest('svg.chart');"
        "svg.dataset.tested = ''; return [+one.dataset.left, +one.dataset.width, svg.viewBox.baseVal.width]; })()"
    )
    times = json.loads(tab.evaluate("document.querySelector('[data-cursor]').dataset.times"))
    for share in (0.2, 0.7):
        tab.click("svg[data-tested]", (left + share * width) / wide)
        tab.settle()
        place = share * (len(times) - 1)
        low, high = times[max(int(place) - 2, 0)], times[min(int(place) + 3, len(times) - 1)]
        assert low - 0.01 <= player.time <= high + 0.01
        moved = tab.evaluate("document.querySelector('[data-cursor]').getAttribute('transform')")
        across = float(moved[len("translate(") :].split(",")[0])
        assert across == pytest.approx(share * width, abs=0.02 * width)


def test_the_line_grows(page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of("trace"))
    inked = []
    for share in (0.0, 0.5):
        player.go_to_share(share)
        drawn = player.see()
        tab.click('[data-layer="what the robot draws"]')
        tab.settle()
        inked.append(changed(drawn, player.see()))
        tab.click('[data-layer="what the robot draws"]')
        tab.settle()
    assert inked[0] < inked[1] and inked[1] > 0.0005


def test_designs_stand_over_and_beside_one_another(page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of("design"))
    player.go_to_share(0.3)
    over = player.see()
    for place, least in (("off", 0.005), ("beside", 0.02)):
        tab.evaluate(
            f"(() => {{ const one = document.querySelector('[data-figure]'); one.value = '{place}';"
            "one.dispatchEvent(new Event('change', { bubbles: true })); })()"
        )
        tab.settle()
        assert changed(over, player.see()) > least
    before = player.see()
    tab.click('[data-layer="joints"]')
    tab.settle()
    assert changed(before, player.see()) > 0.001
    assert tab.heard() == []


def test_a_picture_over_the_target_leads_to_its_moment(page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of("design"))
    time = tab.evaluate(
        "(() => { const one = document.querySelectorAll('.pair[data-time]')[2];"
        "one.dataset.tested = ''; return +one.dataset.time; })()"
    )
    tab.click(".pair[data-tested]")
    tab.settle()
    assert player.time == pytest.approx(time, abs=0.01)
