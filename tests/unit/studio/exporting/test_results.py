"""Pages and results of every verb, worked out again from the take, as the command line would write them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.character import Character
from animato.formats import load_character
from animato.loading import load_clip
from animato.motion import Clip
from animato.studio.designing import Wish
from animato.studio.drawing import Drawn
from animato.studio.exporting import EXPORTS
from tests.studio_exports import At, document_of, is_page, line


def test_a_drawing_gives_the_page_and_result_of_trace(tmp_path: Path) -> None:
    at = At(tmp_path, document_of("arm6", Drawn((line(),))))
    page, losses = at.make("trace_page")
    assert page.name == "my take.trace.html" and is_page(page) and not losses
    result = json.loads(at.make("trace_json")[0].read_text())
    assert result["outcome"] and result["robot"] == "arm6"


def too_quick(lamp: Character) -> Clip:
    """A turn that is faster than the lamp can be."""
    times = np.linspace(0.0, 1.0, 61)
    turn = 1.2 * np.sin(2.0 * np.pi * 2.0 * times)
    return Clip(times, ("turn",), turn[:, None])


def test_a_fix_says_what_changed_with_the_options_that_are_set(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    quick = too_quick(lamp)
    document = document_of("lamp", clip=quick).with_settings("fix", time=1.0)
    at = At(tmp_path, document)
    page, _ = at.make("fix_page")
    assert is_page(page)
    result = json.loads(at.make("fix_json")[0].read_text())
    own = an.fix.solve(an.fix.build(lamp, quick, an.fix.Options(time=1.0)))
    assert abs(result["duration_s"]["now"] - own.clip.duration) < 1e-6
    assert result["options"]["time"] == 1.0 and result["outcome"]["usable"] == own.outcome.usable


def test_a_fix_of_other_settings_is_told(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    quick = too_quick(lamp)
    document = document_of("lamp", clip=quick)
    made = an.fix.solve(an.fix.build(lamp, quick)).clip
    (take,) = document.takes
    same = At(tmp_path / "same", document.with_take(take.performed_by("fix", made)))
    assert not same.make("fix_json")[1]
    other = document.with_take(take.performed_by("fix", made)).with_settings("fix", time=1.0)
    assert any("changed since" in one for one in At(tmp_path / "other", other).make("fix_json")[1])


def test_the_design_that_is_open_is_written(tmp_path: Path) -> None:
    character = load_character("adjustable_four_bar")
    held = Clip(np.array([0.0, 1.0]), character.coordinate_names, np.zeros((2, len(character.coordinate_names))))
    from animato.gallery.design import shipped_targets

    name = next(name for name, made in shipped_targets().items() if made.character == "adjustable_four_bar")
    wish = Wish(kind="shipped", name=name)
    document = document_of("adjustable_four_bar", clip=held).with_settings("design", **wish.values())
    at = At(tmp_path, document)
    assert at.make("design_page")[0].stat().st_size > 20_000
    assert json.loads(at.make("design_json")[0].read_text())
    for what in ("design_yaml", "design_built"):
        assert load_character(at.make(what)[0]).joints
    assert load_clip(at.make("design_clip")[0], character).frame_count > 2
    assert "joint" in at.make("design_table")[0].read_text()


def test_what_cannot_be_had_is_said_before_it_is_asked_for(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    whys = At(tmp_path, document_of("lamp", clip=load_clip("lamp_look", lamp))).whys()
    assert set(whys) == {one.name for one in EXPORTS}
    assert not whys["fix_page"] and not whys["csv"] and not whys["project"]
    for what, word in (
        ("trace_page", "not drawn"),
        ("mimic_page", "capture"),
        ("steady_page", "bends"),
        ("simulate_csv", "moves as the take says"),
        ("design_page", "Design"),
        ("training_npz", "float"),
    ):
        assert word in whys[what] and whys[what].endswith("."), whys[what]


def test_names_of_exports_and_their_files_differ() -> None:
    assert len({one.name for one in EXPORTS}) == len(EXPORTS)
    endings = [one.ending for one in EXPORTS if one.needs != "character"]
    assert len(set(endings)) == len(endings)


@pytest.mark.parametrize("what", ["gif", "mp4"])
def test_films_are_written(tmp_path: Path, what: str) -> None:
    if what == "mp4":
        pytest.importorskip("imageio_ffmpeg")
    lamp = load_character("lamp")
    at = At(tmp_path, document_of("lamp", clip=load_clip("lamp_look", lamp).part(slice(0, 6))))
    head = at.make(what)[0].read_bytes()[:12]
    assert head[:4] == b"GIF8" if what == "gif" else head[4:8] == b"ftyp"
