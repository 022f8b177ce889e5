from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from animato.formats import load_character
from animato.mechanics.tree import forward_kinematics
from animato.mimic.anatomy import Anatomy, anatomy_of
from animato.mimic.judging import Score
from animato.motion import Clip
from benchmarks import mimic_cases
from benchmarks.mimic import sections
from benchmarks.mimic_clips import FIGURES, clip_rows, score_rows
from benchmarks.mimic_play import Play, play
from tests.judging_builders import moved


def a_score(value: float) -> Score:
    figures: dict[str, Any] = dict.fromkeys(Score.__dataclass_fields__, value)
    return Score(**figures)


def test_every_figure_has_a_row_beside_both_peers() -> None:
    ours = replace(a_score(1.0), hands_gap_mm=np.nan)
    rows = score_rows("walk", ours, {"holosoma": a_score(2.0), "GMR": replace(a_score(3.0), collision_mm=np.nan)})
    found = {row.name: row for row in rows}
    assert len(rows) == 2 * (len(FIGURES) - 1)
    assert not any("hands_gap" in name for name in found)  # hands never meet
    assert (found["walk.keypoint_mm"].peer, found["walk.keypoint_mm"].peer_value) == ("holosoma", 2.0)
    assert (found["walk.keypoint_mm.gmr"].peer, found["walk.keypoint_mm.gmr"].peer_value) == ("GMR", 3.0)
    assert found["walk.collision_mm.gmr"].peer_value is None
    assert found["walk.swing_clearance_share"].better == "higher"


def test_all_clips_and_robots_have_a_section() -> None:
    names = set(sections(quick=True))
    assert names == set(sections(quick=False))
    assert {"golf", "walk", "dance", "wave", "jump", "golf on talos", "growth", "starts", "online"} <= names


def test_rows_without_data_are_left_out_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: object, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(mimic_cases, "DATA", mimic_cases.DATA / "nowhere")
    assert clip_rows("golf", quick=True) == []
    assert "golf.* is left out" in caplog.text


@pytest.fixture
def playing() -> Callable[[float], Play]:
    pytest.importorskip("mujoco")
    anatomy: Anatomy = anatomy_of(load_character("pico"))
    count = 45
    still = np.tile((1.0, 0.0, 0.0, 0.0), (count, 1))
    posture = np.tile(anatomy.stand_posture, (count, 1))
    clip = Clip(np.arange(count) / 30.0, anatomy.character.coordinate_names, posture, np.zeros((count, 3)), still)

    def played(lean: float) -> Play:
        """Standing still, or as still while the whole robot leans to the front [rad]."""
        return play(anatomy, moved(clip, turn=np.array((0.0, lean, 0.0))))

    return played


def test_who_stands_stays_up_and_who_leans_falls(playing: Callable[[float], Play]) -> None:
    standing = playing(0.0)
    assert standing.stays_up and standing.worst_tilt < np.radians(5.0)
    leaning = playing(0.4)
    assert not leaning.stays_up and 0.05 < leaning.upright_s < 1.0


def test_who_leans_as_the_motion_does_has_not_fallen(
    monkeypatch: pytest.MonkeyPatch, playing: Callable[[float], Play]
) -> None:
    from benchmarks import mimic_play

    monkeypatch.setattr(mimic_play, "TIPPED", np.radians(1.0))
    assert playing(0.0).stays_up  # a tilt of 1 degree is less than the motion's own and 10 more
    monkeypatch.setattr(mimic_play, "LEANING", -1.0)
    assert not playing(0.4).stays_up


def test_the_played_robot_is_the_robot(playing: Callable[[float], Play]) -> None:
    from benchmarks.mimic_play import BEND, DAMPING_S, _model

    mujoco = pytest.importorskip("mujoco")
    anatomy = anatomy_of(load_character("pico"))
    model, data = _model(anatomy, BEND, DAMPING_S)
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    clip = Clip(np.zeros(1), (), np.zeros((1, 0)))
    poses = forward_kinematics(anatomy.character, clip)
    heights = [poses.of(foot.sole.body).apply(corner)[0] for foot in anatomy.feet for corner in foot.sole.corners]
    balls = data.geom_xpos[1:] - np.array((0.0, 0.0, 0.005))  # the first is the floor
    assert balls == pytest.approx(np.array(heights), abs=1e-9)
    assert model.body_mass.sum() == pytest.approx(sum(body.mass or 0.0 for body in anatomy.character.bodies), rel=1e-3)
