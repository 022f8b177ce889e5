from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from animato.report.kit.film import unpacked
from animato.report.steady import Evidence, draw_steady_errors, save_film, save_json, save_page, steady_text
from animato.report.steady.page import steady_page
from animato.steady import Solution
from tests.html_pages import assert_whole


def test_the_page_is_one_file_that_says_it_at_a_glance(solution: Solution, evidence: Evidence, tmp_path: Path) -> None:
    page = save_page(tmp_path / "rod.html", solution, evidence=evidence)
    text = page.read_text()
    assert_whole(text)
    assert len(text) < 1_500_000
    assert re.search(r"The rod&#x27;s ball was up to [\d.]+.cm off; now it stays within [\d.]+.mm", text)
    for title in ("How far off, and when", "What rings", "How it vibrates", "What the motors do", "another one"):
        assert title in text
    assert text.count("<figure") >= 2 + evidence.modes.count
    assert text.count('class="pose" data-time=') >= 2  # the worst moments lead the player there


def test_without_pictures_the_page_needs_no_renderer(solution: Solution, evidence: Evidence) -> None:
    text = steady_page(solution, evidence, pictures=False)
    assert_whole(text)
    assert "data:image" not in text


def test_the_player_gets_what_was_simulated(solution: Solution, evidence: Evidence) -> None:
    text = steady_page(solution, evidence, pictures=False)
    found = re.search(r'<script id="film-data" type="application/json">(.*?)</script>', text)
    assert found is not None
    data = json.loads(found.group(1))
    assert [(one["name"], one["ghost"]) for one in data["figures"]] == [
        ("steadied", False),
        ("target", True),
        ("before", True),
    ]
    assert data["figures"][0]["use"]["axes"][0][0] == "motor"
    clip = solution.problem.clip
    assert data["frames"] == pytest.approx([clip.times[0], clip.times[1] - clip.times[0], len(clip.times)])
    trails = [one for one in data["things"] if one["kind"] == "trail"]
    assert len(trails) == 3 and all(one["lasting"] == 0.7 for one in trails)
    sent, run = trails[-1]["points"], evidence.after.run
    start, end, count = data["span"]
    kept = start + (end - start) * unpacked(data["numbers"], sent["moments"])[:, 0] / (count - 1)
    shares = unpacked(data["numbers"], sent["rows"], signed=True) / 32767.0
    there = np.column_stack([np.interp(kept, run.times, run.points[:, 0, axis]) for axis in range(3)])
    assert np.abs(np.array(sent["middle"]) + sent["spread"] * shares - there).max() < 1e-3


def test_charts_and_sentences_share_the_time_of_the_player(solution: Solution, evidence: Evidence) -> None:
    text = steady_page(solution, evidence, pictures=False)
    assert text.count('data-cursor="film"') == 1 + 4  # deviations, and what the motor does
    assert text.count("<li data-time=") == 1 + 5  # of the ball, and of each kind of limit
    worst = solution.problem.times[np.argmax(solution.deviations(solution.before)[:, 0])]
    assert f'<li data-time="{solution.problem.basis.start + worst:.4f}">ball: ' in text


def test_words_and_numbers_agree(solution: Solution, evidence: Evidence, tmp_path: Path) -> None:
    found = json.loads(save_json(tmp_path / "rod.json", solution, evidence).read_text())
    assert found["peak_after_m"] == solution.peak_after < 0.2 * solution.peak_before
    assert found["outcome"]["usable"] is True
    assert abs(found["modes_hz"][0] - 2.083) < 0.01
    assert [one["factor"] for one in found["stiffness"]] == [0.8, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2]
    nominal = found["stiffness"][3]
    assert abs(nominal["peak_after_m"] - solution.peak_after) < 1e-3
    assert found["validated"]["peak_after_m"] < 0.3 * found["validated"]["peak_before_m"]
    sentences = steady_text(solution)
    assert "ball" in sentences[0] and "rad/s²" in sentences[1]


def test_pauses_are_shaded(solution: Solution) -> None:
    chart = draw_steady_errors(solution)
    assert chart.count('class="still"') == 2  # before it leans and afterwards
    assert "ball, off its target" in chart


def test_ringing_is_what_is_left_late_in_pauses(evidence: Evidence) -> None:
    late = evidence.before.late_holds
    assert 0.6 < evidence.before.times[late][0] < 0.8 and late[-1]
    assert evidence.after.hold_peak < 0.1 * evidence.before.hold_peak
    assert [one.name for one in evidence.compared][-1] == "steadied"


def test_a_film_is_written(evidence: Evidence, tmp_path: Path) -> None:
    film = save_film(tmp_path / "rod.gif", evidence)
    assert film.read_bytes()[:6] == b"GIF89a"


def test_a_notebook_plays_it(solution: Solution) -> None:
    assert "film-data" in unescape(solution._repr_html_())
