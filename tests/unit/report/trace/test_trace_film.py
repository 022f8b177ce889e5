"""The page of trace plays: what is shown is what the clip does, and charts share its time."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from animato.formats.character_files import load_character
from animato.formats.strokes.reader import read_strokes
from animato.motion.stroke import Stroke
from animato.report.kit import Ball, Line, Readout, Trail
from animato.report.trace.curves import build_trace_curves
from animato.report.trace.film import clip_usage, film_of
from animato.report.trace.page import trace_page
from animato.trace.options import Options
from animato.trace.problem import build
from animato.trace.sketch.loading import load_strokes
from animato.trace.solution import Solution
from animato.trace.tracing import solve
from tests.html_pages import assert_whole


@pytest.fixture(scope="module")
def hammer() -> Solution:
    return solve(build(load_character("planar_arm"), read_strokes("hammer"), Options(start="ready"), name="<hammer>"))


@pytest.fixture(scope="module")
def lifted(tmp_path_factory: pytest.TempPathFactory) -> Solution:
    """A cross: the pen is lifted between its two lines."""
    file: Path = tmp_path_factory.mktemp("lifted") / "plus.svg"
    lines = '<path d="M0,200H400M200,0V400"/>'
    file.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400">{lines}</svg>')
    arm = load_character("arm6")
    sketch = load_strokes(file, arm, start="board", plane="-yz at 0.75,0,0.75 scale 2", drawn_in_s=6.0)
    return solve(build(arm, sketch, Options(start="board"), name="plus"))


def test_frames_know_where_along_the_path_they_are(lifted: Solution) -> None:
    s, clip = lifted.frame_places, lifted.clip
    assert s[0] == 0.0 and s[-1] == pytest.approx(1.0) and np.all(np.diff(s) > 0.0)
    places = lifted.problem.path.kinematics.places(clip.selected(lifted.path.names).positions)
    np.testing.assert_allclose(lifted.points_at(s), places[:, :1], atol=1e-5)  # the grid has 0.1 mm
    curves = build_trace_curves(lifted)
    assert np.all(np.diff(curves.times) >= 0.0)
    assert (curves.times[0], curves.times[-1]) == pytest.approx((clip.times[0], clip.times[-1]))


def test_the_line_grows_while_the_pen_is_down_alone(lifted: Solution) -> None:
    film = film_of(lifted)
    (trail,) = [one for one in film.things if isinstance(one, Trail)]
    drawing = np.isfinite(trail.places[:, 0])
    for line in lifted.pen_down:
        inside = (trail.times > line.start + 0.02) & (trail.times < line.end - 0.02)
        assert drawing[inside].all()
    (first, second) = lifted.pen_down
    assert not drawing[(trail.times > first.end + 0.02) & (trail.times < second.start - 0.02)].any()
    (reference,) = [one for one in film.things if isinstance(one, Line)]
    assert np.isnan(reference.places).any() and reference.dashed
    assert any("in the air" in words for _, words in film.words)


def test_the_hand_goes_in_its_own_rhythm(hammer: Solution) -> None:
    (hand,) = [one for one in film_of(hammer).things if isinstance(one, Ball) and "rhythm" in one.layer]
    sketch, drawn = hammer.problem.sketch, hammer.problem.drawn
    # at each frame it is where the drawing was, at the tempo of the performance
    due = hammer.scaling.time_of(hammer.frame_places) / hammer.tempo
    assert due[-1] == pytest.approx(drawn.duration, rel=1e-6)
    speed = np.linalg.norm(np.diff(sketch.positions[:, 0], axis=0), axis=1) / np.diff(sketch.times)
    there = np.column_stack([np.interp(due, sketch.times, column) for column in sketch.positions[:, 0].T])
    np.testing.assert_allclose(hand.places, there, atol=1e-3 * float(speed.max()))
    behind = [one for one in film_of(hammer).things if isinstance(one, Readout) and "rhythm" in one.after]
    most = max(float(np.nanmax(np.append(one.values, 0.0))) for one in behind)
    assert most == pytest.approx(1000.0 * np.abs(hammer.lateness(hammer.frame_places)).max())


def test_words_say_what_holds_it_back_at_that_moment(hammer: Solution) -> None:
    film = film_of(hammer)
    assert any("torque" in words for _, words in film.words)
    times = [time for time, _ in film.words]
    assert times[0] == 0.0 and np.diff(times).min() >= 0.15
    usage = clip_usage(hammer)
    assert np.isnan(usage.shares["jerk"]).all()  # nobody asked for it
    assert all(np.nanmax(usage.shares[kind]) <= 1.0 + 1e-9 for kind in ("velocity", "acceleration", "torque"))


def test_the_page_plays_and_everything_on_it_shares_the_time(hammer: Solution) -> None:
    page = trace_page(hammer)
    assert_whole(page)
    assert len(page) < 400_000
    assert page.count('class="figure-player"') == 1 and page.count('class="still"') == 1
    assert page.count('data-cursor="film"') == 2 and page.count('data-walker="film"') == 2
    assert 'data-timeline="film"' in page
    cursor = re.search(r'data-cursor="film"[^>]*data-times="([^"]*)"', page)
    assert cursor is not None
    times = json.loads(cursor[1])
    assert times[0] == 0.0 and times[-1] == pytest.approx(hammer.clip.duration, abs=1e-3)
    bare = trace_page(hammer, pictures=False)
    assert "figure-player" not in bare and "data-cursor" not in bare and "data-walker" not in bare


def test_a_notebook_plays_it(hammer: Solution) -> None:
    assert hammer._repr_html_().startswith("<iframe")


def test_pauses_are_told_and_marked() -> None:
    times = np.linspace(0.0, 3.0, 151)
    along = np.where(times < 1.0, times, np.where(times < 2.0, 1.0, times - 1.0))
    places = np.column_stack([np.full_like(along, 0.75), 0.1 - 0.1 * along, 0.75 + 0.03 * np.sin(3.0 * along)])
    arm = load_character("arm6")
    paused = solve(build(arm, {"pen": Stroke(places, times)}, Options(start="board"), name="paused"))
    ((place, _),) = paused.problem.drawn.pauses
    film = film_of(paused)
    told = [(time, words) for time, words in film.words if "pause" in words.lower()]
    assert len(told) == 1 and told[0][0] == pytest.approx(1.0, abs=0.1)
    (mark,) = [one for one in film.things if isinstance(one, Ball) and one.layer == "pauses"]
    np.testing.assert_allclose(mark.places[0], paused.problem.sketch.x_of_s(place)[0], atol=1e-9)
