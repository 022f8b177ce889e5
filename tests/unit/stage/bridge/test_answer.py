"""Answers to an editor: on its frames, with heat and marks."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path

import numpy as np
import pytest

from animato.cli import run
from animato.errors import OptionError
from animato.findings import check
from animato.formats import load_character
from animato.loading import load_clip
from animato.motion import Clip
from animato.outcome import Iteration
from animato.stage.bridge import ProgressLines, answer_to_check, describe, marks_of, save_bridge_file
from animato.stage.bridge.answer import HOTTEST, frame_times, heat_of


def _wild() -> Clip:
    times = np.arange(49) / 24
    swing = np.where(times > 1.0, 0.9 * np.sin(2 * np.pi * 2.4 * (times - 1.0)), 0.0)
    return Clip(times, ("turn",), swing[:, None])


def test_frames_of_the_same_rate_are_the_clip_itself() -> None:
    clip = _wild()
    answer = answer_to_check(load_character("lamp"), clip, 24.0)
    assert not answer.fits
    assert answer.coordinates == ("turn",)
    assert answer.values.tobytes() == clip.positions.tobytes()
    assert answer.heat.shape == (49, len(answer.joints))


def test_other_rates_reach_the_end() -> None:
    times = frame_times(_wild(), 10.0)
    assert times[0] == 0.0
    assert times[-2] < 2.0 <= times[-1] + 1e-9
    with pytest.raises(OptionError, match="rate_hz"):
        frame_times(_wild(), 0.0)


@pytest.mark.parametrize("rate_hz", [5.0, 24.0, 1000.0])
def test_heat_loses_no_peak(rate_hz: float) -> None:
    result = check(load_character("lamp"), _wild())
    joints, heat = heat_of(result.usage, frame_times(result.clip, rate_hz))
    worst = min(HOTTEST, max(one.share for one in result.worst if one.joint == "turn"))
    assert heat[:, joints.index("turn")].max() == pytest.approx(worst, abs=1e-12)


def test_marks_stand_where_it_is_too_much() -> None:
    result = check(load_character("lamp"), _wild())
    marks = marks_of(result)
    assert marks
    assert all(mark.time_s > 0.9 for mark in marks)
    assert [mark.time_s for mark in marks] == sorted(mark.time_s for mark in marks)
    assert all(mark.name.startswith("turn ") and mark.name.endswith("%") and len(mark.name) <= 60 for mark in marks)
    calm = Clip(np.arange(49) / 24, ("turn",), 0.1 * np.sin(np.arange(49)[:, None] / 24))
    assert marks_of(check(load_character("lamp"), calm)) == ()


def test_arrays_come_back_from_the_file(tmp_path: Path) -> None:
    numbers = np.arange(6.0).reshape(2, 3) / 7
    save_bridge_file(tmp_path / "a.json", "answer", {"numbers": numbers})
    told = json.loads((tmp_path / "a.json").read_text())
    packed = told["numbers"]
    back = np.frombuffer(base64.b64decode(packed["base64"]), packed["dtype"]).reshape(packed["shape"])
    assert back.tobytes() == numbers.tobytes()
    assert (told["animato_bridge"], told["kind"]) == (1, "answer")


def test_description_says_how_a_clip_is_written(tmp_path: Path) -> None:
    character = load_character("legs")
    told = describe(character, "legs")
    header, coordinates = told["clip"]["header"], told["clip"]["coordinates"]
    assert header[0] == "time [s]"
    assert len(header) == len(coordinates) + 1
    values = {"base.qw": "1", **dict.fromkeys(c for c in coordinates if c.endswith(".qw"))}
    row = ["0", *("1" if one in values else "0" for one in coordinates)]
    path = tmp_path / "clip.csv"
    path.write_text(f"{','.join(header)}\n{','.join(row)}\n")
    clip = load_clip(path, character)
    assert clip.has_base == character.floats
    assert set(clip.names) == {one for one in coordinates if not one.startswith("base.")}


def test_progress_is_one_line_a_stage_at_least() -> None:
    stream = io.StringIO()
    progress = ProgressLines(stream)
    for number in range(100):
        progress(Iteration(stage="path", number=number, total=100))
    progress.stage("timing")
    lines = stream.getvalue().splitlines()
    assert lines[0] == "progress\tpath\t0\t100"
    assert lines[-1] == "progress\ttiming\t0\t"
    assert len(lines) < 100


def test_command(tmp_path: Path) -> None:
    out = tmp_path / "lamp.json"
    assert run(["bridge", "describe", "lamp", "--out", str(out)]) == 0
    assert json.loads(out.read_text())["character"] == "lamp"
    with pytest.raises(OptionError, match="a clip"):
        run(["bridge", "check", "lamp", "--out", str(out)])
    assert run(["bridge", "check", "lamp", "lamp_look", "--out", str(out), "--rate-hz", "24"]) in (0, 1)
    assert json.loads(out.read_text())["verb"] == "check"


@pytest.mark.parametrize("rate_hz", [0.0, -24.0, float("nan"), 1e9])
def test_a_rate_is_refused_before_the_work(rate_hz: float, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    with pytest.raises(OptionError, match="`rate_hz` is above 0"):
        answer_to_check(load_character("lamp"), _wild(), rate_hz, page=page)
    assert not page.exists()
