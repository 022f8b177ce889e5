"""The page of trace: complete, self-contained, and true to the numbers."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from animato.cli import main
from animato.formats.character_files import load_character
from animato.formats.motion_files import load_motion
from animato.formats.strokes.reader import read_strokes
from animato.motion.clip import Clip
from animato.motion.stroke import Stroke
from animato.outcome import Status
from animato.report.trace.curves import build_trace_curves
from animato.report.trace.page import trace_page
from animato.report.trace.path_chart import view_axes
from animato.report.trace.words import (
    given_up,
    holding_limits,
    line_times,
    trace_text,
    usage_over_time,
    verdict_words,
)
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
def page(hammer: Solution) -> str:
    return trace_page(hammer, pictures=False)


def test_the_page_is_well_formed_and_loads_nothing(page: str) -> None:
    assert_whole(page)
    assert "<hammer>" not in page and "&lt;hammer&gt;" in page
    assert len(page) < 1_000_000


def test_the_page_holds_everything_that_was_asked(page: str) -> None:
    for words in (
        "Drawn and performed",
        "Speed along the path",
        "How much of each limit",
        "What was given up",
        "Notes",
    ):
        assert words in page
    assert page.count("<svg") >= 3 and "speed of pen" in page and "hundred times finer" in page


def test_curves_tell_both_motions(hammer: Solution) -> None:
    curves = build_trace_curves(hammer)
    np.testing.assert_allclose(curves.drawn, hammer.problem.sketch.x_of_s(curves.s), atol=1e-12)
    assert hammer.deviations.max() >= hammer.path_fit.max_deviation - 1e-9  # looked at more places
    np.testing.assert_allclose(curves.performed, hammer.points_at(curves.s), atol=1e-12)
    # speed times time is way: both curves integrate to the lengths of their paths
    times = hammer.scaling.time_of(curves.s)
    way = float(np.sum(curves.performed_speeds[:, 0] * np.diff(times)))
    length = float(np.linalg.norm(np.diff(curves.performed[:, 0], axis=0), axis=1).sum())
    assert way == pytest.approx(length, rel=1e-9)
    assert curves.drawn_speeds.max() == pytest.approx(10.2, abs=0.3)
    assert curves.performed_speeds.max() < curves.drawn_speeds.max()  # too fast for this arm
    assert curves.lateness[0] == pytest.approx(0.0, abs=1e-9) and curves.lateness[-1] == pytest.approx(0.0, abs=1e-6)


def test_words_say_what_held_it_back(hammer: Solution) -> None:
    usage = usage_over_time(hammer)
    assert max(usage.peak(kind) for kind in ("velocity", "acceleration", "torque")) <= 1.0 + 1e-6
    assert any("torque at its limit" in sentence for sentence in holding_limits(usage))
    assert any("longer than" in sentence and "torque" in sentence for sentence in given_up(hammer, usage))
    assert "planar_arm takes" in verdict_words(hammer, usage)


def test_a_stroke_out_of_reach_is_not_praised() -> None:
    hammer = read_strokes("hammer")["pen"]
    far = Stroke(hammer.points * 1.6, hammer.times)
    traced = solve(build(load_character("planar_arm"), {"pen": far}, Options(start="ready"), name="far"))
    text = trace_page(traced, pictures=False)
    assert traced.path_fit.out_of_reach
    assert traced.outcome.status is Status.INFEASIBLE and "cannot reach" in traced.outcome.reason
    assert "Not all of it is in reach" in text and "cannot reach" in text


@pytest.mark.parametrize(
    ("u", "v", "place"),
    [
        ([0, -1, 0], [0, 0, 1], [1.0, 0.2, 0.6]),  # a board before the robot, read from its side
        ([1, 0, 0], [0, 0, 1], [2.0, 0.0, 1.0]),  # the plane that the robot itself moves in
        ([0, -1, 0], [1, 0, 0], [0.6, 0.0, 0.3]),  # a table, seen from above
    ],
)
def test_drawings_are_shown_upright_and_not_mirrored(u: list[float], v: list[float], place: list[float]) -> None:
    flat = np.random.default_rng(4).normal(size=(60, 2)) * [0.3, 0.1]
    right, up = view_axes(np.array(place) + np.outer(flat[:, 0], u) + np.outer(flat[:, 1], v))
    np.testing.assert_allclose(right, u, atol=1e-9)
    np.testing.assert_allclose(up, v, atol=1e-9)


def test_the_command_writes_clip_and_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "hammer.npz"
    arguments = ["trace", "hammer", "--robot", "planar_arm", "--start", "ready", "-o", str(out), "--segments", "200"]
    monkeypatch.setattr(sys, "argv", ["animato", *arguments, "--json", str(tmp_path / "hammer.json")])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 0
    clip = load_motion(out)
    assert isinstance(clip, Clip) and clip.names[:2] == ("shoulder", "elbow")
    assert "Drawn and performed" in (tmp_path / "hammer.html").read_text(encoding="utf-8")
    told = json.loads((tmp_path / "hammer.json").read_text(encoding="utf-8"))
    assert told["outcome"]["usable"] and told["clip_s"] == pytest.approx(clip.duration)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["helo", "--robot", "arm6"], "Did you mean 'hello'"),
        (["hello", "--robot", "arm6", "-o", "x.bvh"], ".npz or .csv"),
        (["hello", "--robot", "arm6", "--point", "pn"], "Did you mean 'pen'"),
        (["hammer", "--robot", "planar_arm", "--beta", "-1"], "beta"),
        (["hammer", "--robot", "planar_arm", "--duration-s", "0.1"], "too short"),
    ],
)
def test_mistakes_are_one_clear_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["animato", "trace", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def lifted(tmp_path_factory: pytest.TempPathFactory) -> Solution:
    file = tmp_path_factory.mktemp("lifted") / "plus.svg"
    file.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><path d="M0,200H400M200,0V400"/>'
        "<text>&lt;script&gt;</text></svg>"
    )
    arm = load_character("arm6")
    sketch = load_strokes(file, arm, start="board", plane="-yz at 0.75,0,0.75 scale 2", drawn_in_s=6.0)
    return solve(build(arm, sketch, Options(start="board", avoid=("board",)), name="plus"))


def test_lines_and_ways_between_them_are_told_apart(lifted: Solution) -> None:
    usage = usage_over_time(lifted)
    drawn, performed = line_times(lifted)
    assert drawn == pytest.approx(6.0) and performed < lifted.scaling.duration
    words = verdict_words(lifted, usage)
    assert "for its lines, at the tempo of the drawing, and" in words and "between them" in words
    assert any("1 text is not drawn" in sentence for sentence in given_up(lifted, usage))
    assert any("stay clear" in sentence for sentence in trace_text(lifted))
    words = trace_page(lifted, pictures=False).replace("\u00a0", " ")
    assert "420 mm in 6.00 s" in words
    assert not any("shorter" in sentence for sentence in trace_text(lifted))


NASTY = "<img src=x onerror=alert(1)>\"'&\u202e\x1b[31m"


def test_names_full_of_markup_and_control_characters_stay_text(lifted: Solution) -> None:
    named = replace(
        lifted,
        problem=replace(
            lifted.problem, name=NASTY, sketch=replace(lifted.problem.sketch, source=NASTY, notes=(NASTY, "<script>"))
        ),
    )
    page = trace_page(named, pictures=False)
    assert_whole(page)
    assert "<img src" not in page and "<script>" not in page.replace("<script>\n", "")
    assert "\x1b" not in page
