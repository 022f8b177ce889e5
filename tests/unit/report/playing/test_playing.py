"""A film by itself: as a page, and in a frame of a notebook."""

from __future__ import annotations

import html
import re
from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.errors import CharacterError, OptionError
from animato.report.kit import Film
from tests.html_pages import assert_whole


@pytest.fixture(scope="module")
def film() -> Film:
    lamp = an.load_character("lamp")
    clip = an.load_clip("lamp_look", lamp)
    return an.show(lamp, clip, ghost=clip, placing="beside", trails=lamp.end_points[0].name)


def framed(markup: str) -> str:
    """The page in a frame."""
    found = re.search(r'<iframe srcdoc="([^"]*)"', markup)
    assert found is not None
    return html.unescape(found[1])


def test_a_film_is_told_in_a_line_and_saved_as_a_page(film: Film, tmp_path: Path) -> None:
    assert repr(film).startswith("<report.Film: of 1 (lamp), from 0.00 s to ")
    page = film.save_page(tmp_path / "lamp.html").read_text(encoding="utf-8")
    assert_whole(page)
    assert page.count('class="figure-player"') == 1 and len(page) < 250_000


def test_a_notebook_plays_it_in_a_frame(film: Film) -> None:
    markup = film._repr_html_()
    page = framed(markup)
    assert_whole(page)
    assert page.count('class="figure-player"') == 1 and "<script>" in page
    assert "<script" not in markup and "<style" not in markup  # nothing of it meets the notebook's own page
    assert len(markup) < 300_000


def test_results_play_too(monkeypatch: pytest.MonkeyPatch) -> None:
    lamp = an.load_character("lamp")
    result = an.check(lamp, an.load_clip("lamp_look", lamp))
    markup = result._repr_html_()
    assert "figure-player" in framed(markup) and "<caption>CheckResult</caption>" in markup

    def refused(_: object) -> None:
        raise CharacterError("It cannot be drawn.")

    monkeypatch.setattr("animato.report.check.film_of", refused)
    assert result._repr_html_().startswith("<table>")  # what cannot be drawn can still be told


def test_a_clip_alone_is_told_in_words() -> None:
    lamp = an.load_character("lamp")
    assert an.load_clip("lamp_look", lamp)._repr_html_().startswith("<table>")


def test_a_posture_stands_still() -> None:
    lamp = an.load_character("lamp")
    for still in (None, an.Posture.named(lamp, "sad")):
        assert np.ptp(an.show(lamp, still).span) == 0.0


def test_bad_placing_says_what_there_is(film: Film) -> None:
    lamp = an.load_character("lamp")
    with pytest.raises(OptionError, match="`placing`"):
        an.show(lamp, ghost=film.figures[0].clip, placing="above")
