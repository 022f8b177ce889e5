"""What the page, the text and the JSON of a fix say is what has happened."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.report.fix import Evidence, fix_text, fix_to_dict, gather_evidence, headline, save_film, save_page
from animato.report.fix.changes import Change, gathered, largest_elsewhere
from animato.report.fix.charts import draw_deviations, draw_tempo, time_gave_way
from animato.report.fix.page import fix_page
from animato.report.fix.words import change_words, doubt_sentence
from tests.html_pages import assert_whole
from tests.unit.report.fix.conftest import hasty


def test_changes_are_where_the_deviation_is(shaped: Evidence) -> None:
    deviation = shaped.solution.deviation
    assert shaped.points and {one.name for one in shaped.points} == {"pen"}
    most = shaped.points[0]
    far, name, when = deviation.largest
    assert (most.name, most.most, most.time_s) == (name, far, when)
    for one in shaped.points:
        assert one.start_s <= one.time_s <= one.end_s
    told = largest_elsewhere(shaped.solution, shaped.points)
    assert told <= 0.1 * far + 1e-12
    assert {one.name for one in shaped.joints} <= set(deviation.coordinates)


def test_gaze_changes_are_angles_between_directions(shaped: Evidence) -> None:
    # the arm is planar: its pen turns by the sum of all joints' changes
    turned = np.abs(shaped.solution.deviation.angles.sum(axis=1))
    assert shaped.gazes[0].most == pytest.approx(float(turned.max()), rel=1e-6)


def test_trades_go_from_shape_to_time(shaped: Evidence) -> None:
    assert [one.time for one in shaped.trades] == [0.0, 0.5, 1.0]
    assert [one.chosen for one in shaped.trades] == [True, False, False]
    assert shaped.trades[0].longer == pytest.approx(1.0)
    assert shaped.trades[2].longer > shaped.trades[1].longer > 1.0
    assert shaped.trades[2].most_m < shaped.trades[0].most_m


def test_the_page_is_whole_and_plays_both(shaped: Evidence, tmp_path: Path) -> None:
    page = save_page(tmp_path / "page.html", shaped.solution, evidence=shaped).read_text(encoding="utf-8")
    assert_whole(page)
    assert 'class="figure-player"' in page and "what was asked" in page
    assert page.count('data-timeline="film"') == 2  # the strips before and after
    assert 'data-cursor="film"' in page
    assert re.search(r"too much for \d joint", page) and "every joint can do it" in page
    assert "What else could give way" in page and "this one" in page
    assert "Your tempo" not in page
    assert len(page.encode()) < 1_000_000


def test_where_time_gave_way_the_tempo_is_drawn(slowed: Evidence) -> None:
    assert time_gave_way(slowed)
    assert "Your tempo, and the robot" in fix_page(slowed.solution, slowed, pictures=False)
    assert "tempo [% of yours]" in draw_tempo(slowed, "")
    # what was too much is shown at the moment at which the robot is there
    before = slowed.before.findings[0].time
    assert slowed.robot_time(before) > before
    assert slowed.asked_usage.times[-1] == pytest.approx(slowed.solution.clip.times[-1])


def test_charts_do_not_name_a_player_that_is_not_there(shaped: Evidence) -> None:
    assert "data-cursor" not in draw_deviations(shaped, "")
    assert "data-timeline" not in fix_page(shaped.solution, shaped, pictures=False)


def test_the_text_says_what_was_wrong_what_changed_and_what_else_it_could_cost(shaped: Evidence) -> None:
    said = fix_text(shaped)
    assert said[0] == headline(shaped) and "can do 'hasty' now, in your time" in said[0]
    assert "What was wrong:" in said and "What was changed:" in said
    assert any(re.fullmatch(r"  pen, \d\.\d to \d\.\d s: [\d.]+ mm", line) for line in said)
    assert said[-1].startswith("Otherwise: ") and "% longer" in said[-1]


def test_a_motion_that_becomes_another_one_is_doubted(shaped: Evidence) -> None:
    assert doubt_sentence(shaped) == ""
    clip = hasty()
    rushed = an.Clip(0.2 * clip.times, clip.names, clip.positions)
    evidence = gather_evidence(an.fix.solve(an.fix.build("planar_arm", rushed)), trade=False)
    assert doubt_sentence(evidence).startswith("Mind: pen is off by ")
    assert fix_text(evidence)[-1] == doubt_sentence(evidence)


def test_many_places_are_told_of_as_one() -> None:
    many = tuple(Change("pen", "point", n, n + 0.5, 0.001 * (n + 1), n + 0.2, False) for n in range(5))
    (one,) = gathered(many)
    assert (one.places, one.most, one.start_s, one.end_s) == (5, 0.005, 0, 4.5)
    assert change_words(one) == "pen, in 5 places, most at 4.2 s: 5 mm"
    assert len(gathered(many[:3])) == 3


def test_soft_ends_are_said_and_are_no_change_of_tempo() -> None:
    solution = an.fix.solve(an.fix.build("lamp", "lamp_look", an.fix.Options(start="sad", end="rest")))
    evidence = gather_evidence(solution)
    before, after = evidence.soft_ends_s
    assert before > 0.1 and solution.clip.duration == pytest.approx(solution.problem.clip.duration + before + after)
    assert evidence.robot_time(0.0) == pytest.approx(before, abs=0.03)
    said = "\n".join(fix_text(evidence))
    assert "a soft start of" in said and "% longer, slower" not in said
    assert not time_gave_way(evidence) and evidence.trades == ()


def test_json_has_numbers_only(shaped: Evidence) -> None:
    told = json.loads(json.dumps(fix_to_dict(shaped), allow_nan=False))
    assert told["animato_fix"] == 1
    assert told["deviation"]["largest_m"] == shaped.solution.deviation.largest[0]
    assert told["duration_s"]["asked"] == told["duration_s"]["now"]
    assert told["options"]["time"] == 0.0


def test_what_fits_is_left_and_said_so() -> None:
    clip = hasty()
    slow = an.Clip(4.0 * clip.times, clip.names, clip.positions)
    evidence = gather_evidence(an.fix.solve(an.fix.build("planar_arm", slow)), name="slow")
    assert evidence.points == () and evidence.trades == ()
    assert headline(evidence).endswith("as it is: nothing was changed.")
    assert fix_text(evidence) == [headline(evidence)]
    assert_whole(fix_page(evidence.solution, evidence, pictures=False))


def test_a_film_of_both_is_small_and_moves(shaped: Evidence, tmp_path: Path) -> None:
    from PIL import Image

    film = save_film(tmp_path / "film.webp", shaped, fps=2.0, width=200, height=120)
    image = Image.open(film)
    assert image.size == (200, 120) and getattr(image, "n_frames", 1) == 7
    frames = []
    for n in (0, 3):
        image.seek(n)
        frames.append(np.asarray(image.convert("RGB"), dtype=np.float64))
    assert np.abs(frames[0] - frames[1]).mean() > 0.5


def test_a_film_is_a_webp(shaped: Evidence, tmp_path: Path) -> None:
    with pytest.raises(an.AnimatoError, match=r"does not end in \.webp"):
        save_film(tmp_path / "film.gif", shaped)
