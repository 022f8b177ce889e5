"""What holds for every format: its options exist, and refusals say what is allowed."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest

from animato.character import Body, Character
from animato.errors import AnimatoError, OptionError, UnknownNameError
from animato.formats import load_character
from animato.motion import Clip
from animato.stage.exporting import FORMATS, ExportOptions, Format, export, export_many, take_of
from animato.stage.exporting.folders import whole_folder
from tests.export_builders import lamp_with_servos, swing


@pytest.mark.parametrize("one", FORMATS.values(), ids=FORMATS)
def test_every_option_is_named_once_and_taken(one: Format) -> None:
    taken = inspect.signature(one.write).parameters
    assert set(one.options) <= set(get_type_hints(ExportOptions))
    assert set(one.options) | set(one.given) <= set(taken) - {"path", "take"}
    assert not set(one.options) & set(one.given)
    assert one.hint
    if one.many:
        assert set(inspect.signature(one.write_many).parameters) - {"path", "takes"} == set(one.options)


@pytest.mark.parametrize("one", FORMATS.values(), ids=FORMATS)
def test_a_place_that_cannot_be_written_is_refused_and_left_as_it_was(one: Format, tmp_path: Path) -> None:
    lamp = lamp_with_servos()
    blocked = tmp_path / "file"
    blocked.write_text("here")
    with pytest.raises(AnimatoError):
        export(blocked / f"x{one.suffix}", lamp, swing(lamp), to=one.name)
    assert blocked.read_text() == "here"
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("frames", [1, 2])
@pytest.mark.parametrize("one", FORMATS.values(), ids=FORMATS)
def test_a_clip_of_hardly_any_frames_is_written_or_refused(one: Format, frames: int, tmp_path: Path) -> None:
    lamp = lamp_with_servos()
    clip = Clip(np.arange(frames) / 30.0, lamp.coordinate_names, np.zeros((frames, 5)))
    options = {"head": "shade"} if one.name == "reachy-mini" else {}
    try:
        done = export(tmp_path / f"x{one.suffix}", lamp, clip, to=one.name, **options)
    except OptionError as error:
        assert "frames" in str(error)
        assert not list(tmp_path.iterdir())
    else:
        assert all(file.exists() for file in done.files)


def test_unknown_formats_options_and_rates(tmp_path: Path) -> None:
    lamp = load_character("lamp")
    with pytest.raises(AnimatoError, match="ros2-mcap"):
        export(tmp_path / "x", lamp, swing(lamp), to="ros2-mcap-bag")
    with pytest.raises(OptionError, match="`task` does not exist for ros2-goal"):
        export(tmp_path / "x.yaml", lamp, swing(lamp), to="ros2-goal", task="x")
    for rate in (-1.0, float("nan"), 1e9):
        with pytest.raises(OptionError, match="rate_hz"):
            take_of(lamp, swing(lamp), rate_hz=rate)
    with pytest.raises(OptionError, match="knee"):
        take_of(lamp, Clip(np.zeros(1), ("knee",), np.zeros((1, 1))))


def test_a_take_keeps_even_frames_to_the_bit_and_says_what_it_did() -> None:
    lamp = load_character("lamp")
    clip = swing(lamp, rate_hz=30.0)
    for digits in (3, 6):  # as files state times
        rounded = Clip(np.round(clip.times, digits), clip.names, clip.positions, source="csv")
        take = take_of(lamp, rounded)
        assert take.rate_hz == 30.0
        assert take.notes == ()
        assert take.clip.positions.tobytes() == clip.positions.tobytes()
    uneven = Clip(clip.times**1.1, clip.names, clip.positions)
    assert "Resampled" in take_of(lamp, uneven).notes[0]
    coarse = take_of(lamp, clip, rate_hz=7.0)
    np.testing.assert_allclose(coarse.clip.positions, clip.spline(coarse.clip.times), atol=1e-12)
    assert len(coarse.notes) == 1  # 2 s are 14 whole frames
    assert "left out" in take_of(lamp, clip, rate_hz=7.1).notes[-1]
    partial = take_of(lamp, clip.selected(["nod"]))
    assert partial.clip.names == lamp.coordinate_names
    assert "turn, shoulder, elbow, tilt" in partial.notes[0]


def test_joints_that_no_motor_drives_follow_where_loops_lead_them() -> None:
    linkage = load_character("four_bar")
    driven = linkage.actuated_coordinate_names
    clip = Clip(np.arange(11) / 10.0, driven, np.linspace(0.0, 0.5, 11)[:, None] * np.ones(len(driven)))
    take = take_of(linkage, clip)
    assert take.clip.names == linkage.coordinate_names
    passive = [name for name in linkage.coordinate_names if name not in driven]
    assert np.ptp(take.clip.selected(passive).positions, axis=0).max() > 0.05
    assert "loops" in take.notes[0]


def test_a_folder_is_whole_or_not_there(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), whole_folder(tmp_path / "out", {}) as folder:
        (folder / "half").write_text("x")
        raise RuntimeError
    assert not list(tmp_path.iterdir())
    for word in ("first", "second"):
        with whole_folder(tmp_path / "out", {"made_by": "animato 1"}) as folder:
            (folder / word).write_text(word)
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == ["about.json", "second"]
    assert [one.name for one in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("one", FORMATS.values(), ids=FORMATS)
def test_absurd_numbers_are_refused(one: Format, tmp_path: Path) -> None:
    lamp = lamp_with_servos()
    clip = Clip(np.arange(3) / 30.0, lamp.coordinate_names, np.full((3, 5), 1e300))
    with pytest.raises(OptionError, match="'turn' is 1e"):
        export(tmp_path / f"x{one.suffix}", lamp, clip, to=one.name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("to", ["lerobot", "ros2-goal"])
def test_a_thing_without_joints_is_refused_where_joints_are_all_there_is(to: str, tmp_path: Path) -> None:
    stone = Character("stone", (Body("stone"),), ())
    clip = Clip(np.zeros(1), (), np.zeros((1, 0)), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]))
    with pytest.raises(OptionError, match="stone"):
        export(tmp_path / "x", stone, clip, to=to)
    assert not list(tmp_path.iterdir())


def test_a_rate_of_zero_is_not_the_usual_one(tmp_path: Path) -> None:
    lamp = lamp_with_servos()
    with pytest.raises(OptionError, match=r"`rate_hz` is above 0 .* given 0\.0"):
        export(tmp_path / "a.csv", lamp, swing(lamp), to="unitree", rate_hz=0.0)
    with pytest.raises(OptionError, match=r"`rate_hz` is above 0 .* given 0\.0"):
        export_many(tmp_path / "a", lamp, [swing(lamp)], to="lerobot", rate_hz=0.0)
    assert not list(tmp_path.iterdir())


def test_a_clip_of_another_robot_is_named_with_what_there_is(tmp_path: Path) -> None:
    other = Clip(np.arange(3) / 10, ("R1", "R2"), np.zeros((3, 2)), source="wave")
    with pytest.raises(OptionError, match=r"'wave' moves R1, R2, which 'lamp' does not have; it has turn, shoulder"):
        export(tmp_path / "a.csv", load_character("lamp"), other, to="unitree")


def test_formats_and_heads_that_are_not_there_are_answered_with_those_that_are(tmp_path: Path) -> None:
    lamp = lamp_with_servos()
    with pytest.raises(UnknownNameError, match=r"There is no format 'ros2'\. Did you mean .* Formats: ros2-mcap, "):
        export(tmp_path / "a", lamp, swing(lamp), to="ros2")
    with pytest.raises(UnknownNameError, match=r"`head` is the body or marker .* called 'skull'\..* It has base, "):
        export(tmp_path / "a.json", lamp, swing(lamp), to="reachy-mini", head="skull")
