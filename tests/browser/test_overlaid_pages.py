"""Pages with several motions in one player: switches show and hide them, and every chart has the player's time."""

from __future__ import annotations

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


def choose(tab: Tab, selector: str, value: str) -> None:
    """Chooses an option as a person does."""
    tab.evaluate(
        f"(() => {{ const one = document.querySelector('{selector}'); one.value = '{value}';"
        "one.dispatchEvent(new Event('change', { bubbles: true })); })()"
    )
    tab.settle()


def test_each_motion_stands_over_beside_or_nowhere(page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of("steady"))
    over = player.see()
    seen = {}
    for place in ("off", "beside", "over"):
        choose(tab, '[data-figure="2"]', place)  # the artist's motion as it is performed
        seen[place] = player.see()
    assert changed(over, seen["off"]) > 0.0005  # a thin rod and its ball
    assert changed(over, seen["beside"]) > 0.01  # the camera makes room
    assert changed(over, seen["over"]) < 0.001
    assert tab.heard() == []


def test_each_panel_of_a_chart_has_its_own_time_across(page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of("steady"))
    mark = "(n) => { const one = document.querySelectorAll('[data-cursor]')[n]; const svg = one.closest('svg.chart');"
    count = tab.evaluate("document.querySelectorAll('[data-cursor]').length")
    assert count == 5
    for n in range(1, count):  # position, speed, acceleration and torque of the motor stand side by side
        across = tab.evaluate(
            f"({mark} svg.setAttribute('data-tested', ''); const {{ left, width }} = one.dataset;"
            f"return (Number(left) + 0.25 * Number(width)) / svg.viewBox.baseVal.width; }})({n})"
        )
        player.go_to_share(0.9)
        tab.click("svg[data-tested]", across)
        tab.settle()
        assert player.time == pytest.approx(0.25, abs=0.03)


def test_the_person_its_markers_and_the_mesh_have_switches(page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of("mimic"))
    before = player.see()
    for name in ("the person over the robot", "markers", "mesh", "soles and ZMP"):
        tab.click(f'[data-layer="{name}"]')
        tab.settle()
        assert changed(before, player.see()) > 0.0005, name
        tab.click(f'[data-layer="{name}"]')
        tab.settle()
    assert changed(before, player.see()) < 0.001


def test_sentences_pictures_and_strips_lead_to_their_moments(page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of("mimic"))
    player.go_to_share(0.2)
    tab.click('li[data-time="1.0000"]', 0.1)
    tab.settle()
    assert player.time == pytest.approx(1.0, abs=0.01)
    begin, end = tab.evaluate(
        "(() => { const { from, to } = document.querySelector('[data-timeline]').dataset; return [+from, +to]; })()"
    )
    tab.click("[data-timeline]", 0.25)
    tab.settle()
    assert player.time == pytest.approx(begin + 0.25 * (end - begin), abs=0.03)
    time = tab.evaluate(
        "(() => { const one = document.querySelectorAll('figure[data-time]')[2];"
        "one.id = 'third'; return +one.dataset.time; })()"
    )
    tab.click("#third figcaption")
    tab.settle()
    assert player.time == pytest.approx(time, abs=0.01)
    assert tab.heard() == []
