"""Players on pages: small and whole."""

from __future__ import annotations

import json
import re

import pytest

from animato.formats import load_character
from animato.loading import load_clip
from animato.report.kit import (
    PLAYER_STYLE,
    Axes,
    Figure,
    Film,
    Trail,
    element,
    film_player,
    player_script,
    time_cursor,
    whole_page,
)
from tests.html_pages import assert_whole


@pytest.fixture(scope="module")
def film() -> Film:
    lamp = load_character("lamp")
    clip = load_clip("lamp_look", lamp)
    path = Trail(clip.times, 0.0 * clip.times[:, None] + (0.3, 0.0, 0.2), layer="<the path>")
    ghost = Figure(lamp, clip, "<the artist's>", ghost=True, colour=(1.0, 0.5, 0.0))
    return Film((Figure(lamp, clip), ghost), (path,), ((0.0, "first"), (5.0, "</script>")))


def test_a_page_is_small_and_whole(film: Film) -> None:
    cursor = element("svg", time_cursor("one", Axes(58, 20, 1000, 100, (0.0, 10.0), (0.0, 1.0))), class_="chart")
    player = film_player(film, "one", "The lamp", begin_s=1.5)
    page = whole_page("lamp", element("main", player, cursor, player_script()), styles=(PLAYER_STYLE,))
    assert_whole(page)
    assert len(page) < 200_000
    assert page.count('class="still"') == 1 and "data:image/jpeg;base64," in page
    assert 'data-cursor="one"' in page and 'data-to="10"' in page and 'data-begin="1.500"' in page
    data = re.search(r'id="one-data"[^>]*>(.*?)</script>', page, re.S)
    assert data is not None
    assert json.loads(data[1])["words"] == [[0.0, "first"], [5.0, "</script>"]]
    script = page.rpartition("<script>")[2]
    for word in ("fetch", "XMLHttpRequest", "import(", "eval", "innerHTML", "localStorage"):
        assert word not in script


def test_controls_can_be_used_without_a_mouse(film: Film) -> None:
    player = film_player(film, "one", "The lamp")
    for words in (
        'aria-label="The lamp"',
        'tabindex="0"',
        'aria-label="play"',
        'aria-label="time"',
        'aria-label="speed"',
    ):
        assert words in player
    assert "&lt;the artist" in player and 'data-layer="&lt;the path&gt;"' in player
    assert [place in player for place in ('value="over"', 'value="beside"', 'value="off"')] == [True] * 3
    assert "colours by use" not in player
