"""The page of a check in a real browser: strip, curves, sentences and player have one time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.player import Player, changed
from tests.browser.tab import Tab

WINDOW: dict[str, Any] = {"width": 760, "height": 560, "scale": 0.5, "reduced_motion": True}
STRIP = "[data-timeline]"
ROW = 5
"""Of the left shoulder's roll, which `pico_hello` asks for too much."""


@pytest.fixture
def player(page_of: Callable[[str], Path], tab: Tab) -> Player:
    tab.open(page_of("check"), **WINDOW)
    one = Player(tab)
    one.wait()
    return one


def row_share(tab: Tab, row: int) -> float:
    """Where the middle of a row of the strip is, as a share of its height."""
    count = tab.evaluate(f"JSON.parse(document.querySelector('{STRIP}').dataset.joints).length")
    return float((row + 0.5) / count)


def test_a_click_on_the_strip_shows_the_pose(player: Player) -> None:
    tab = player.tab
    first = player.see()
    begin, end = (float(tab.evaluate(f"document.querySelector('{STRIP}').dataset.{name}")) for name in ("from", "to"))
    for share in (0.38, 0.9):
        tab.click(STRIP, share, row_share(tab, ROW))
        tab.settle()
        assert player.time == pytest.approx(begin + share * (end - begin), abs=0.01 * (end - begin))
        now, strip = tab.box(f"{STRIP} .now", scroll=False), tab.box(STRIP, scroll=False)
        assert now.left + 0.5 * now.width == pytest.approx(strip.left + share * strip.width, abs=3.0)
        for cursor in tab.evaluate(
            "[...document.querySelectorAll('[data-cursor]')].map((one) => [Number(one.dataset.width),"
            " new DOMMatrix(getComputedStyle(one).transform).e || one.transform.baseVal.consolidate().matrix.e])"
        ):
            assert cursor[1] == pytest.approx(share * cursor[0], abs=0.01 * cursor[0])
    assert changed(first, player.see()) > 0.005
    assert tab.heard() == []


def test_the_strip_can_be_dragged_along(player: Player) -> None:
    tab = player.tab
    width = tab.box(STRIP).width
    tab.drag(STRIP, 0.5 * width, 0.0, across=0.25)
    tab.settle()
    assert player.time == pytest.approx(0.75 * 6.0, abs=0.1)


def test_the_pose_comes_along_where_the_player_is_out_of_sight(player: Player) -> None:
    tab = player.tab
    tab.box(STRIP)
    tab.wait_until(f"document.querySelector('{player.root} .frame').getBoundingClientRect().bottom < 0")
    tab.rest(0.3)  # a person does not click in the same moment in which the page scrolls
    tab.click(STRIP, 0.38, row_share(tab, ROW))
    tab.wait_until("document.querySelector('.viewport.afar') !== null")
    tab.settle()
    afar = tab.box(player.part("picture"), scroll=False)
    assert 100.0 < afar.width < 420.0
    assert afar.left + afar.width <= WINDOW["width"] and afar.top + afar.height <= WINDOW["height"]
    left, top = int(0.5 * afar.left), int(0.5 * afar.top)
    assert tab.picture()[top : top + int(0.5 * afar.height), left : left + int(0.5 * afar.width)].std() > 10.0
    tab.click(f"{player.root} .nearer")
    tab.settle()
    assert tab.evaluate("document.querySelector('.viewport.afar') === null")


def test_a_sentence_shows_its_moment(player: Player) -> None:
    tab = player.tab
    wanted = tab.evaluate("Number(document.querySelector('[data-time]').dataset.time)")
    tab.click("[data-time]", 0.3, 0.5)
    tab.settle()
    assert player.time == pytest.approx(wanted, abs=0.011)
    player.go_to_share(0.0)
    tab.evaluate("document.querySelector('[data-time]').focus()")
    tab.key("Enter")
    tab.settle()
    assert player.time == pytest.approx(wanted, abs=0.011)


def test_colours_say_what_joints_use(player: Player) -> None:
    player.go_to_share(0.38)
    coloured = player.see()
    player.tab.click(f"{player.root} .used")
    player.tab.settle()
    assert changed(coloured, player.see()) > 0.005


def test_the_artist_stands_over_beside_or_away(page_of: Callable[[str], Path], tab: Tab) -> None:
    tab.open(page_of("check_beside_the_artist"), **WINDOW)
    player = Player(tab)
    player.wait()
    player.go_to_share(0.38)
    seen = {}
    for place in ("over", "beside", "off"):
        tab.evaluate(
            f"(() => {{ const one = document.querySelector('{player.root} [data-figure]'); one.value = '{place}';"
            "one.dispatchEvent(new Event('change', { bubbles: true })); })()"
        )
        tab.settle()
        seen[place] = player.see()
    assert changed(seen["over"], seen["off"]) > 0.002
    assert changed(seen["over"], seen["beside"]) > 0.01
    assert changed(seen["beside"], seen["off"]) > 0.01
    assert tab.heard() == []
