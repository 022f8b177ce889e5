"""The page of mimic: one file that says what the robot does of what the person did, and what gave way."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from animato.report.mimic import Shown, draw_contacts, draw_footprints, gather, mimic_text, save_json, save_page
from animato.report.mimic.charts import stretches
from animato.report.mimic.page import mimic_page
from animato.report.mimic.player import player_data
from animato.report.mimic.shown import HELD
from animato.report.mimic.sticks import bones_of
from animato.report.mimic.words import given_up_sentences, held_sentences
from tests.html_pages import assert_whole
from tests.mimic_builders import made_up_solution


@pytest.fixture(scope="module")
def solution() -> Any:
    return made_up_solution()


@pytest.fixture(scope="module")
def shown(solution: Any) -> Shown:
    return gather(solution)


def test_the_page_is_one_file_that_says_it_at_a_glance(solution: Any, shown: Shown, tmp_path: Path) -> None:
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


def test_the_person_stands_where_the_robot_does_and_is_scaled(solution: Any, shown: Shown) -> None:
    assert shown.names[0] == "pelvis"
    np.testing.assert_allclose(shown.person[:, 0], shown.robot[:, 0])
    knee, hip = shown.names.index("left_knee"), shown.names.index("left_hip")
    thigh = np.linalg.norm(shown.person[:, knee] - shown.person[:, hip], axis=1)
    np.testing.assert_allclose(thigh, solution.scale * 0.43, rtol=1e-3)


def test_errors_without_balance_are_those_of_the_other_clip(solution: Any, shown: Shown) -> None:
    wanted = solution.scale * solution.problem.relative_landmarks()
    column = solution.problem.landmarks.index("right_knee")
    place = shown.names.index("right_knee")
    off = np.linalg.norm(shown.robot[:, place] - shown.robot[:, 0] - wanted[:, column], axis=1)
    moments = np.linspace(solution.clip.times[0], solution.clip.times[-1], len(shown.times))
    assert np.abs(moments - shown.times).max() < 0.02
    np.testing.assert_allclose(shown.before[:, column], off, atol=2e-3)


def test_what_was_given_up_names_the_worst_landmark_first(solution: Any, shown: Shown) -> None:
    changed = gather(made_up_solution())
    object.__setattr__(changed, "before", np.full_like(changed.after, 0.01))
    sentences = given_up_sentences(changed)
    assert len(sentences) == 1
    assert sentences[0].startswith("left wrist: 30 mm off at 1.00 s, 10 mm without balance and torque")


def test_shares_of_what_holds_are_those_of_the_motion(solution: Any, shown: Shown) -> None:
    held = dict(zip(HELD, shown.held.T, strict=True))
    assert held["torque"].max() == pytest.approx(solution.usage.peak("torque"))
    np.testing.assert_allclose(held["friction"], 0.35 / 0.7)
    assert np.all((held["soles"] < 1.0) == (shown.inside > 0.0))
    assert any("all its torque" in sentence for sentence in held_sentences(shown))
    assert not any("slip" in sentence for sentence in held_sentences(shown))


def test_the_player_gets_knots_landmarks_and_a_mesh(shown: Shown) -> None:
    data = player_data(shown)
    count, landmarks = len(data["times"]), data["landmarks"]
    own = np.frombuffer(base64.b64decode(data["robot"]), "<i2").reshape(count, landmarks, 3) * data["reach"] / 32767.0
    np.testing.assert_allclose(own, shown.robot, atol=2e-5)
    bits = np.frombuffer(base64.b64decode(data["present"]), np.uint8).reshape(count, data["stride"])
    present = np.unpackbits(bits, axis=1)[:, : len(data["edges"])]
    assert present.any(axis=0).all()
    assert present.sum(axis=1).min() > landmarks
    poses = np.frombuffer(base64.b64decode(data["poses"]), "<i2").reshape(count, data["bodies"], 7)
    np.testing.assert_allclose(np.linalg.norm(poses[..., 3:] / 32767.0, axis=2), 1.0, atol=1e-3)


def test_contacts_and_footprints_have_a_mark_for_each_stance() -> None:
    shown = gather(made_up_solution("person_step"))
    plan = shown.solution.problem.plan
    stances = sum(len(stretches(column)) for column in plan.planted.T)
    assert draw_contacts(shown).count('class="stands"') == stances > 4
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


def test_words_and_numbers_agree(solution: Any, shown: Shown, tmp_path: Path) -> None:
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
