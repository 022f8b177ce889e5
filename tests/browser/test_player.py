"""The player in a real browser: it plays and stops, steps and scrubs, turns, and goes with the charts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.pages import KINDS
from tests.browser.player import Player, changed
from tests.browser.tab import Tab

STANDING = ("check_beside_the_artist",)
ALIKE = ("trace_live", "simulate", "demo_house", "demo_express")
"""Made as others are: by `trace`, `steady`, `fix` and `express`; test_pages.py opens them, too."""

PLAYING = tuple(kind for kind in KINDS if kind not in (*STANDING, *ALIKE))
"""Kinds of pages with a player."""

USED = ("check", "express", "fix")
"""Those on which everything is tried that a person can do with it."""

SMALL: dict[str, Any] = {"width": 760, "height": 560, "scale": 0.5}
"""A window [pixels]: enough to see, quick to draw without a graphics card."""

every_player = pytest.mark.parametrize("kind", PLAYING)
some_players = pytest.mark.parametrize("kind", [kind for kind in USED if kind in KINDS])


def opened(tab: Tab, page: Path, *, reduced_motion: bool = True, **more: Any) -> Player:
    """The first player of a page, ready; it stands still until it is told otherwise, unless `reduced_motion` is off."""
    tab.open(page, **SMALL, reduced_motion=reduced_motion, **more)
    player = Player(tab)
    player.wait()
    return player


@every_player
def test_pixels_change_while_it_plays_and_stop_when_it_pauses(
    kind: str, page_of: Callable[[str], Path], tab: Tab
) -> None:
    player = opened(tab, page_of(kind))
    player.go_to_share(0.0)
    began, first = player.time, player.see()
    player.toggle()
    player.wait_past(began + 0.3)
    player.toggle()
    tab.settle()
    paused, later = player.time, player.see()
    assert changed(first, later) > 0.0005  # a thin rod is few pixels
    tab.rest(0.3)
    assert player.time == paused
    assert changed(later, player.see()) == 0.0
    assert tab.heard() == []


@some_players
def test_it_begins_by_itself_unless_motion_is_not_liked(kind: str, page_of: Callable[[str], Path], tab: Tab) -> None:
    opened(tab, page_of(kind), reduced_motion=False).wait_past(0.05)
    player = opened(tab, page_of(kind))
    shown = player.time
    tab.rest(0.5)
    assert player.time == shown


@some_players
def test_keys_step_and_jump(kind: str, page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of(kind))
    player.go_to_share(0.5)
    middle = player.time
    player.key("ArrowRight")
    step = player.time - middle
    assert 0.0 < step <= 0.11
    player.key("ArrowRight")
    assert player.time == pytest.approx(middle + 2.0 * step, abs=0.011)  # the clock shows hundredths
    player.key("ArrowLeft")
    player.key("ArrowLeft")
    assert player.time == pytest.approx(middle, abs=0.011)
    player.key("End")
    end = player.time
    player.key("Home")
    assert player.time < middle < end
    player.key(" ")
    player.wait_past(0.05)


@some_players
def test_a_drag_turns_it_and_the_wheel_comes_closer(kind: str, page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of(kind))
    player.go_to_share(0.0)
    first = player.see()
    tab.drag(player.part("picture"), 120.0, 0.0)
    tab.settle()
    turned, shown = player.see(), player.time
    assert changed(first, turned) > 0.01
    tab.drag(player.part("picture"), -120.0, 0.0)
    tab.settle()
    assert changed(first, player.see()) < 0.2 * changed(first, turned)  # and back
    tab.wheel(player.part("picture"), -200.0)
    tab.settle()
    tab.rest(0.1)
    assert changed(turned, player.see()) > 0.01
    assert player.time == shown


@some_players
def test_a_click_on_a_chart_shows_that_moment(kind: str, page_of: Callable[[str], Path], tab: Tab) -> None:
    player = opened(tab, page_of(kind))
    identifier = tab.evaluate(f"document.querySelector('{player.root}').id")
    cursor = f'[data-cursor="{identifier}"]'
    left, width, begin, end = tab.evaluate(
        f"(() => {{ const {{ left, width, from, to }} = document.querySelector('{cursor}').dataset;"
        "return [left, width, from, to].map(Number); })()"
    )
    across = tab.evaluate(f"document.querySelector('{cursor}').closest('svg').viewBox.baseVal.width")
    tab.evaluate(f"document.querySelector('{cursor}').closest('svg').setAttribute('data-tested', '')")
    for share in (0.25, 0.75):
        tab.click("svg[data-tested]", (left + share * width) / across)
        tab.settle()
        assert player.time == pytest.approx(begin + share * (end - begin), abs=0.02 * (end - begin) + 0.02)
        moved = tab.evaluate(f"document.querySelector('{cursor}').getAttribute('transform')")
        found = re.search(r"translate\(([-\d.]+)", moved)
        assert found is not None
        assert float(found[1]) == pytest.approx(width * (player.time - begin) / (end - begin), abs=0.01 * width)


@some_players
def test_a_still_picture_where_nothing_can_play(kind: str, page_of: Callable[[str], Path], tab: Tab) -> None:
    def still_is_seen() -> bool:
        inked = tab.box(Player(tab).part("still"))
        hidden = tab.evaluate(f"document.querySelector('{Player(tab).part('picture')}').getClientRects().length === 0")
        return bool(hidden) and inked.width > 200 and tab.picture(Player(tab).part("still")).std() > 2.0

    page = page_of(kind)
    tab.open(page, **SMALL, canvas=False)
    assert still_is_seen() and tab.heard() == []
    tab.open(page, **SMALL, scripts=False)
    assert still_is_seen() and tab.heard() == []
    opened(tab, page)
    tab.look(printed=True, reduced_motion=True)
    assert still_is_seen()
    assert tab.pdf().startswith(b"%PDF")
    assert tab.heard() == []


def test_players_of_one_page_keep_their_own_time(page_of: Callable[[str], Path], tab: Tab) -> None:
    one = opened(tab, page_of("demo_express"))
    names = tab.evaluate("[...document.querySelectorAll('.figure-player')].map((one) => one.id)")
    assert len(names) >= 2
    one, other = (Player(tab, f"#{name}") for name in names[:2])
    other.go_to_share(0.3)
    shown = other.time
    one.go_to_share(0.8)
    assert other.time == shown
    assert one.time > shown


@some_players
def test_a_lost_drawing_comes_back(kind: str, page_of: Callable[[str], Path], tab: Tab) -> None:
    """As when a laptop sleeps, or another program takes the graphics card."""
    player = opened(tab, page_of(kind))
    player.go_to_share(0.5)
    before = player.see()
    gl = f"document.querySelector('{player.part('picture')}').getContext('webgl2')"
    tab.evaluate(f"(window.lost = {gl}.getExtension('WEBGL_lose_context')).loseContext()")
    tab.wait_until(f"{gl}.isContextLost()")
    tab.settle()
    tab.evaluate("lost.restoreContext()")
    tab.wait_until(f"!{gl}.isContextLost()")
    player.go_to_share(0.2)
    player.go_to_share(0.5)
    assert changed(before, player.see()) < 0.001


@some_players
def test_fingers_push_a_chart_along_and_turn_the_picture(kind: str, page_of: Callable[[str], Path], tab: Tab) -> None:
    tab.open(page_of(kind), width=390, height=844, scale=0.5, reduced_motion=True, touch=True)
    player = Player(tab)
    player.wait()
    first = player.see()
    tab.touch(player.part("picture"), 80.0, 0.0)
    tab.settle()
    assert changed(first, player.see()) > 0.01
    tab.rest(1.0)  # what leaves the glass so fast is a fling, and browsers take a tap right after it as its end
    tab.touch(player.part("play"))
    if not player.is_past(0.05, within_s=10.0):  # on a slow machine a fling takes longer, and this tap was its end
        tab.touch(player.part("play"))
    player.wait_past(0.05)
    along = tab.evaluate(
        "(window.scroller = [...document.querySelectorAll('.card, .scroll')].find((one) => one.querySelector('.timed')"
        " && one.scrollWidth > one.clientWidth)).setAttribute('data-tested', '') || scroller.scrollLeft"
    )
    tab.touch("[data-tested] .timed", -100.0, 0.0)
    tab.wait_until(f"scroller.scrollLeft > {along + 20}")
    assert tab.heard() == []
