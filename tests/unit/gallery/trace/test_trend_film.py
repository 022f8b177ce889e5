"""The films of the demos of trace: several performances side by side, in one time."""

from __future__ import annotations

import numpy as np
import pytest

from animato.gallery.trace.charts import draw_profiles
from animato.gallery.trace.demo import chart_style
from animato.gallery.trace.film import trend_film, trend_player
from animato.gallery.trace.runs import TrendRun, hammer_run
from animato.report.kit import Line, Trail


@pytest.fixture(scope="module")
def run() -> TrendRun:
    return hammer_run()


def test_robots_stand_side_by_side_with_their_lines(run: TrendRun) -> None:
    film = trend_film(run)
    shifts = np.array([figure.shift for figure in film.figures])
    apart = np.diff(shifts, axis=0)
    np.testing.assert_allclose(apart, apart[:1].repeat(len(apart), axis=0))
    assert np.linalg.norm(apart[0]) > 1.0 and apart[0, 2] == 0.0
    assert film.seen_from is not None and abs(apart[0] @ film.seen_from) < 1e-9  # across the picture
    drawn = [one for one in film.things if isinstance(one, Line)]
    done = [one for one in film.things if isinstance(one, Trail)]
    assert len(drawn) == len(done) == len(run.traces)
    for solution, line, trail, shift in zip(run.traces, drawn, done, shifts, strict=True):
        np.testing.assert_allclose(line.places[0] - shift, solution.problem.sketch.x_of_s(0.0)[0], atol=1e-9)
        np.testing.assert_allclose(trail.places[-1] - shift, solution.points_at(np.ones(1))[0, 0], atol=1e-6)


def test_the_film_lasts_as_long_as_the_slowest(run: TrendRun) -> None:
    film, longest = trend_film(run), max(one.clip.duration for one in run.traces)
    assert film.span[1] == pytest.approx(longest)
    assert film.frame_times is not None and film.frame_times[-1] == pytest.approx(longest)
    assert all(label in film.words[0][1] for label in run.labels)


def test_the_page_has_switches_and_cursors_for_each(run: TrendRun) -> None:
    player = trend_player(run)
    assert player is not None
    assert player.count(">shown</option>") == len(run.traces) - 1 and ">beside</option>" not in player
    assert draw_profiles(run, chart_style(), player="film").count('data-cursor="film"') == len(run.traces)
    assert "data-cursor" not in draw_profiles(run, chart_style())
