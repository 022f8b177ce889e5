"""The page of mimic: one file that says what the robot does of what the person did, and what gave way."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from animato.mimic import Options, Solution
from animato.outcome import Outcome, Status
from animato.report.kit import FloorPolygon, StickFigure
from animato.report.mimic import Shown, draw_contacts, draw_footprints, gather, mimic_text, save_json, save_page
from animato.report.mimic.holding import draw_holders, holders
from animato.report.mimic.page import mimic_page
from animato.report.mimic.playing import film_of
from animato.report.mimic.shown import HELD, RIM, stretches, worst_slide
from animato.report.mimic.sticks import bones_of
from animato.report.mimic.words import beyond_words, doubt_words, facts, feet_words, given_up_sentences, held_sentences
from tests.html_pages import assert_whole
from tests.mimic_builders import made_up_solution


@pytest.fixture(scope="module")
def solution() -> Solution:
    return made_up_solution()


@pytest.fixture(scope="module")
def shown(solution: Solution) -> Shown:
    return gather(solution)


def test_the_page_is_one_file_that_says_it_at_a_glance(solution: Solution, shown: Shown, tmp_path: Path) -> None:
    text = save_page(tmp_path / "wave.html", solution, shown=shown).read_text()
    assert_whole(text)
    assert len(text) < 1_500_000
    assert re.search(r"pico does what person_wave shows, in balance .*; key-points are [\d.]+.mm off in the mean", text)
    for title in (
        "What was given up, and when",
        "Side by side",
        "Balance",
        "Contacts",
        "Margins of every limit",
        "What holds which frame",
        "Who is who",
        "Nobody solved for this.",
    ):
        assert title in text
    assert text.count("<figure") == 6 + 1


def test_without_pictures_the_page_needs_no_renderer(shown: Shown) -> None:
    text = mimic_page(shown, pictures=False)
    assert_whole(text)
    assert "image/webp" not in text
    assert "Where it is slower" not in text


def test_what_is_slower_or_cannot_be_done_is_said() -> None:
    shown = gather(made_up_solution(slowed_percent=8.0, usable=False))
    text = mimic_page(shown, pictures=False)
    assert "Where it is slower" in text
    assert "Not to be used" in text
    assert "pico cannot do all of person_wave: the left knee needs more torque." in text
    assert "It takes 8 % longer than the person did, where torque or speed did not allow more." in mimic_text(shown)


@pytest.mark.parametrize("segments", [False, True])
def test_the_person_stands_where_the_robot_does_and_is_scaled(segments: bool) -> None:
    solution = made_up_solution(options=Options(segments=segments))
    shown = gather(solution)
    assert shown.names[0] == "pelvis"
    np.testing.assert_allclose(shown.person[:, 0], shown.robot[:, 0], atol=1e-12)
    columns = [shown.names.index(name) for name in solution.problem.landmarks]
    wanted = solution.scale * solution.problem.relative
    np.testing.assert_allclose(shown.person[:, columns] - shown.person[:, :1], wanted, atol=1e-12)
    thigh = np.linalg.norm(shown.person[:, columns[0]] - shown.person[:, columns[1]], axis=1)
    if segments:  # as long as pico's
        own = shown.robot[0, columns[0]] - shown.robot[0, columns[1]]
        np.testing.assert_allclose(thigh, np.linalg.norm(own), rtol=0.02)
    else:
        np.testing.assert_allclose(thigh, solution.scale * 0.43, rtol=1e-3)


def test_what_was_given_up_names_the_worst_landmark_first(shown: Shown) -> None:
    sentences = given_up_sentences(shown)
    assert len(sentences) == 2
    assert sentences[0].startswith("left wrist: 30 mm off at 1.00 s, 10 mm without balance and torque")
    assert sentences[1].startswith("left knee: 10 mm off")


def test_a_limit_that_is_broken_is_said(solution: Solution) -> None:
    assert not any("torque" in sentence for sentence in beyond_words(solution))
    torques = solution.torques.copy()
    dof = 6 + solution.problem.character.coordinate_names.index("left_knee")
    torques[30, dof] = 3.0
    sentence = beyond_words(replace(solution, torques=torques))[-1]
    assert re.match(r"Left knee uses .* of its torque at 1\.00 s\.", sentence)


def test_a_sole_that_slides_is_named(shown: Shown) -> None:
    still, moved = shown.corners.copy(), shown.corners.copy()
    still[:] = still[0]
    assert feet_words(replace(shown, corners=still)) == "What stands stays where it is, to 0 mm."
    moved[:] = moved[0]
    moved[40:, 2:4, 0] += 0.008  # the left toe
    slide = worst_slide(replace(shown, corners=moved))
    assert slide is not None
    assert slide.part == "left toe"
    assert slide.metres == pytest.approx(0.008)
    assert feet_words(replace(shown, corners=moved)).startswith("The left toe slides by 8 mm while it stands, 0.00 s")


def test_without_balance_nobody_says_that_it_is_kept() -> None:
    shown = gather(made_up_solution(options=Options(balance=False)))
    text = mimic_page(shown, pictures=False)
    assert "with balance and torque left out" in text
    assert "It stays on its feet" not in text
    assert ("Torque", "not asked for") in facts(shown)


def test_a_search_that_was_cut_short_is_said(solution: Solution) -> None:
    assert not doubt_words(solution)
    (sentence,) = doubt_words(
        replace(solution, outcome=Outcome(Status.ACCEPTABLE, "it fits; 9 rounds were too few", 9))
    )
    assert sentence.endswith(": 9 rounds were too few.")


def test_each_frame_knows_what_holds_it(solution: Solution) -> None:
    torques = solution.torques.copy()
    dof = 6 + solution.problem.character.coordinate_names.index("left_knee")
    torques[10:20, dof] = 1000.0
    shown = gather(replace(solution, torques=torques))
    held = holders(shown)
    assert all(held[knot][0] == "torque of left knee" for knot in range(10, 20))
    assert "torque of left knee" not in held[9] + held[20]
    chart = draw_holders(shown)
    assert chart is not None
    assert "torque of left knee, 7 %" in chart


def test_shares_of_what_holds_are_those_of_the_motion(solution: Solution, shown: Shown) -> None:
    held = dict(zip(HELD, shown.held.T, strict=True))
    assert held["torque"].max() == pytest.approx(solution.usage.peak("torque"))
    np.testing.assert_allclose(held["friction"], 0.35 / 0.7)
    assert np.all((held["soles"] < 1.0) == (shown.inside > 0.0))
    assert not any("slip" in sentence for sentence in held_sentences(shown))


def test_the_player_gets_person_robot_mesh_and_soles(shown: Shown) -> None:
    film = film_of(shown)
    robot, without = film.figures
    assert robot.clip is shown.solution.clip and robot.use is not None
    assert without.clip is shown.solution.kinematic and without.ghost and without.placing == "off"
    persons = [one for one in film.things if isinstance(one, StickFigure)]
    assert [one.layer for one in persons] == ["", "the person over the robot", "markers", "markers", "mesh", "mesh"]
    beside, over = persons[:2]
    apart = float(np.linalg.norm(beside.shift))
    assert (
        apart > np.ptp((shown.person - shown.robot[:, :1]) @ (np.array(beside.shift) / apart))
        and beside.shift[2] == 0.0
    )
    assert over.through and over.shift == (0.0, 0.0, 0.0)
    mesh = persons[-1]
    assert mesh.present is not None and not mesh.shown
    assert mesh.present.any(axis=0).all() and mesh.present.sum(axis=1).min() > len(shown.names)
    (soles,) = (one for one in film.things if isinstance(one, FloorPolygon))
    assert all(len(corners) >= 4 for corners in soles.outlines)
    np.testing.assert_array_equal(soles.points, shown.solution.zmp)
    assert list(soles.inside) == list(~(shown.inside < -RIM))


def test_without_balance_there_is_one_robot() -> None:
    assert len(film_of(gather(made_up_solution(options=Options(balance=False)))).figures) == 1


def test_a_notebook_plays_it(solution: Solution) -> None:
    assert "film-data" in unescape(solution._repr_html_())


def test_charts_strips_and_sentences_share_the_time_of_the_player(shown: Shown) -> None:
    text = mimic_page(shown, pictures=False)
    assert text.count('data-timeline="film"') == 2
    assert text.count('data-cursor="film"') >= 3
    assert '<li data-time="1.0000">left wrist: ' in text
    usage = shown.solution.usage
    at, axis = np.unravel_index(np.nanargmax(usage.shares["torque"]), usage.shares["torque"].shape)
    assert f'<li data-time="{usage.times[at]:.4f}" data-joint="{usage.axes[axis].name}">torque: ' in text


def test_contacts_and_footprints_have_a_mark_for_each_stance() -> None:
    shown = gather(made_up_solution("person_step"))
    plan = shown.solution.problem.plan
    stances = sum(len(stretches(column)) for column in plan.planted.T)
    assert len(re.findall('class="stands(?: right)?"', draw_contacts(shown))) == stances > 4
    prints = draw_footprints(shown)
    assert prints.count('class="sole-left"') == 3  # where it began, after the first step, and at the end
    assert prints.count('class="sole-right"') == 2


def test_bones_join_what_there_is() -> None:
    names = ("pelvis", "left_hip", "left_knee", "left_shoulder", "left_elbow")
    joined = {(names[a], names[b]) for a, b, _ in bones_of(names)}
    assert joined == {
        ("pelvis", "left_hip"),
        ("left_hip", "left_knee"),
        ("pelvis", "left_shoulder"),
        ("left_shoulder", "left_elbow"),
    }


def test_words_and_numbers_agree(solution: Solution, shown: Shown, tmp_path: Path) -> None:
    found = json.loads(save_json(tmp_path / "wave.json", solution).read_text())
    assert found["keypoint_mean_m"] == pytest.approx(solution.errors.mean())
    assert found["outcome"]["usable"] is True
    assert found["limits"]["torque"] == pytest.approx(solution.usage.peak("torque"))
    wrist = next(one for one in found["landmarks"] if one["landmark"] == "left_wrist")
    assert wrist["capture"] == ["LeftHand"]
    assert wrist["largest_m"] == pytest.approx(0.03)
    assert found["zmp_outside_frames"] == 0
    sentences = mimic_text(shown)
    assert "ZMP" in sentences[1]
    assert any(sentence.startswith("torque: at most") for sentence in sentences)
