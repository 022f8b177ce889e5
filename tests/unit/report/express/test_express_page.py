"""The page of express: it plays, is small, and its curves go with the player."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from animato.express import Loop, Options, Solution, Target, build, judged, solve
from animato.formats import load_character
from animato.report.express.film import facing_film, film_of
from animato.report.express.page import express_page
from animato.report.kit import DIRECTION, NOTHING, POINT, Film, Gaze, Readout
from tests.html_pages import assert_whole
from tests.unit.express.mechanism.differential_neck import differential_neck
from tests.unit.express.sharing.two_armed import branched


@pytest.fixture(scope="module")
def solution() -> Solution:
    targets = [
        Target(point=(0.4, 0.2, 0.2), time_s=0.2),
        Target(direction=(1.0, -0.5, 0.0), time_s=2.0),
        Target(point=(0.4, -0.1, 0.1), time_s=4.0),
    ]
    return solve(build(load_character("lamp"), "proud", targets, options=Options(smoothness=0.5)))


def gaze_of(film: Film) -> Gaze:
    return next(one for one in film.things if isinstance(one, Gaze))


def test_targets_are_those_of_each_moment(solution: Solution) -> None:
    faced = [one.get("light") for one in solution.faced]
    times = solution.clip.times
    assert len(faced) == len(times) and faced[0] is None and faced[-1] == solution.problem.targets[-1]
    assert faced[int(np.searchsorted(times, 3.0))] == solution.problem.targets[1]


def test_an_orientation_is_shown_as_the_way_it_looks(solution: Solution) -> None:
    end_point = solution.problem.chain.end_point
    up = Target(quaternion_wxyz=(0.5**0.5, 0.0, -(0.5**0.5), 0.0))
    character, clip = solution.problem.character, solution.clip.resampled(solution.clip.times[:3])
    targets = [None, up, Target(point=(1, 2, 3))]
    gaze = gaze_of(facing_film(character, clip, None, end_point, targets, np.zeros(3)))
    assert gaze.kinds.tolist() == [NOTHING, DIRECTION, POINT]
    np.testing.assert_allclose(gaze.marks[1:], [(0, 0, 1), (1, 2, 3)], atol=1e-12)


def test_film_is_the_motion_over_the_posture(solution: Solution) -> None:
    film = film_of(solution)
    assert [one.clip for one in film.figures] == [solution.clip, solution.held]
    assert [one.ghost for one in film.figures] == [False, True] and gaze_of(film).clip is solution.clip
    off = next(one for one in film.things if isinstance(one, Readout))
    np.testing.assert_allclose(off.values[-1], np.degrees(solution.errors_rad[-1]))
    assert np.isnan(off.values[0])  # nothing is faced yet
    assert film.figures[0].use is not None and film.figures[1].use is None


def test_near_targets_are_inside_the_picture(solution: Solution) -> None:
    film = film_of(solution)
    near = gaze_of(film).cloud()
    assert len(near)
    seen, _ = film.shot().camera.project(near, 1120, 630)
    assert np.all((seen > 0.0) & (seen < (1120.0, 630.0)))


def test_the_page_is_whole_small_and_plays(solution: Solution) -> None:
    page = express_page(solution)
    assert_whole(page)
    assert len(page) < 200_000
    assert page.count('class="figure-player"') == 1 and page.count('data-cursor="motion"') == 1
    assert 'data-timeline="motion"' in page
    data = re.search(r'id="motion-data"[^>]*>(.*?)</script>', page, re.S)
    assert data is not None
    assert json.loads(data[1])["span"][1] == pytest.approx(solution.clip.duration)
    assert "prefers-reduced-motion" in page and "@media print" in page


def test_without_pictures_nothing_plays(solution: Solution) -> None:
    page = express_page(solution, pictures=False)
    assert_whole(page)
    assert "figure-player" not in page and "data-cursor" not in page and len(page) < 60_000


def test_pages_of_closed_loops_and_several_end_points() -> None:
    neck, torso = differential_neck(), branched()
    still = dict.fromkeys(("pan", "left", "right"), 0.0)
    looped = solve(build(neck, still, Target(direction=(1.0, 0.3, 0.1)), Options(rate_hz=50.0)))
    hand = Target(point=(1.0, -0.5, 0.5), end_point="hand")
    both = Options(end_point="eye", also_facing=("hand",), rate_hz=50.0)
    for one, names in ((looped, ("pan", "left", "right")), (solve(build(torso, {}, hand, both)), ("torso_0_z",))):
        assert one.outcome.usable
        page = express_page(one)
        assert_whole(page)
        assert all(name.replace("_", " ") in page for name in names)
    assert one.facts()["facing with"].startswith("eye, hand")
    gaze = gaze_of(film_of(one))
    assert gaze.end_point.name == "hand"  # the eye has nothing to face
    assert gaze.kinds[-1] == POINT


def test_a_live_recording_shows_what_it_faced() -> None:
    """Its problem has no targets of its own."""
    loop = Loop(build("lamp", "proud", options=Options(rate_hz=50.0)), record=True)
    for n in range(40):
        if n == 10:
            loop.submit([0.5, 0.2, 0.2])
        loop.step()
    gaze = gaze_of(film_of(judged(loop, 0.1, whole=False)))
    assert gaze.kinds[:10].tolist() == [NOTHING] * 10 and gaze.kinds[-1] == POINT
    np.testing.assert_allclose(gaze.marks[-1], (0.5, 0.2, 0.2))
