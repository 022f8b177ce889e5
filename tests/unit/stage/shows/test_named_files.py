"""Files that a show names: what is wrong with them is said with the line of the show, before anything moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from animato.cli.line import as_flags
from animato.errors import FileFormatError
from animato.stage.shows import compose

HEAD = "animato: 1\nname: short\nrobot: lamp\n"


def refused(tmp_path: Path, text: str) -> FileFormatError:
    show = tmp_path / "show.yaml"
    show.write_text(text)
    with pytest.raises(FileFormatError) as caught:
        compose(show, to="dry")
    assert caught.value.path == str(show)
    return caught.value


def test_a_clip_that_is_not_there_has_the_line_of_its_step(tmp_path: Path) -> None:
    error = refused(tmp_path, HEAD + "timeline:\n  - {pose: rest}\n  - {play: nothing.csv}\n")
    assert error.line == 6
    assert "nothing.csv: there is no such file" in str(error)


def test_a_clip_that_is_broken_has_its_own_line_too(tmp_path: Path) -> None:
    (tmp_path / "broken.csv").write_text("time [s],turn [rad]\n0,0\n0.1,nan\n")
    error = refused(tmp_path, HEAD + "timeline: [{play: broken.csv}]\n")
    assert error.line == 4
    assert "broken.csv, line 3" in str(error)


def test_a_robot_that_is_not_there_has_its_line(tmp_path: Path) -> None:
    error = refused(tmp_path, "animato: 1\nname: short\nrobot: nobody.urdf\ntimeline: [{wait: 1 s}]\n")
    assert error.line == 3
    assert "nobody.urdf: there is no such file" in str(error)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (HEAD + "sound: none.wav\ntimeline: [{pose: rest}]\n", 4),
        (HEAD + "timeline:\n  - {pose: rest}\n  - {sound: none.wav}\n", 6),
        (HEAD + "timeline:\n  - {pose: rest, cues: [{at: 0 s, sound: none.wav}]}\n", 5),
    ],
)
def test_a_sound_that_is_not_there_is_refused_before_the_show(tmp_path: Path, text: str, line: int) -> None:
    error = refused(tmp_path, text)
    assert error.line == line
    assert f"there is no file '{tmp_path / 'none.wav'}'" in str(error)


@pytest.mark.parametrize(
    "steps",
    ["{play: lamp_look, start: 9 s}", "{wait_for: go}", "{pose: rest, beat: 2}", "{pose: rest, at: 1 s, beat: 2}"],
)
def test_keys_of_the_file_are_not_taken_for_flags(tmp_path: Path, steps: str) -> None:
    error = refused(tmp_path, HEAD + f"timeline: [{steps}]\n")
    assert "--" not in as_flags(str(error))
