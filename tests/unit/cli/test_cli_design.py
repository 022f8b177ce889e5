"""The command `design`, as somebody meets it in an empty folder."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from animato.cli import main
from animato.cli.design_command import parsed_weights
from animato.design.study.handles import motion_now
from animato.formats.character_files import load_character
from animato.gallery.design.four_bar import LENGTHS, four_bar_motion
from animato.loading.clips import load_clip
from animato.motion.clip import Clip

SHIPPED = Path(__file__).resolve().parents[3] / "src/animato/library/characters/adjustable_four_bar.yaml"
CURVE = "time [s],pen.x,pen.y,pen.z\n0,0.03,0,0.28\n0.1,0.04,0,0.27\n0.2,0.05,0,0.26\n"


def animato(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["animato", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_a_design_is_found_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    wishes = ("--target", "four_bar", "-o", "better.yaml", "--table", "joints.csv", "--clip", "motion.npz")
    assert animato(monkeypatch, "design", "adjustable_four_bar", *wishes) == 0
    told = capsys.readouterr().err
    assert "iterations in" in told and "The design: better.yaml" in told
    better = load_character("better.yaml")
    assert better.postures == load_character("adjustable_four_bar").postures
    for name, length in LENGTHS.items():
        assert better.joint(name).configuration[0] == pytest.approx(length, abs=1e-9)
    rows = {row["joint"]: row for row in csv.DictReader((tmp_path / "joints.csv").read_text().splitlines())}
    assert float(rows["crank_pin"]["moved [mm]"]) == pytest.approx(6.0, abs=1e-4)
    assert load_clip("motion.npz").names == better.coordinate_names
    assert (tmp_path / "better.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("flags", "tolerance"),
    [
        ((), 2e-4),  # default weights hold the design back a little, and the limits push
        (("--design-weight", "1e-6", "--limits-weight", "1e-6"), 1e-6),
    ],
)
def test_a_table_with_given_controls_finds_the_same(
    flags: tuple[str, ...], tolerance: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    motion = four_bar_motion(load_character("adjustable_four_bar"))
    times = np.arange(motion.step_count) / motion.rate_hz
    assert motion.controls is not None and motion.targets[0].positions is not None
    np.savetxt("curve.csv", np.c_[times, motion.targets[0].positions], delimiter=",", comments="",
               header="time,pen.x,pen.y,pen.z", fmt="%.12f")  # fmt: skip
    np.savetxt("crank.csv", np.c_[times, motion.controls], delimiter=",", comments="",
               header="time,crank_axle", fmt="%.12f")  # fmt: skip
    wishes = ("--target", "curve.csv", "--controls", "crank.csv", "--optimize", "design")
    assert animato(monkeypatch, "design", "adjustable_four_bar", *wishes, *flags) == 0
    better = load_character("design.yaml")
    for name, length in LENGTHS.items():
        assert better.joint(name).configuration[0] == pytest.approx(length, abs=tolerance)


@pytest.mark.parametrize(
    ("character", "arguments", "words"),
    [
        ("adjustable_four_bar", ("--target", "unknown.csv"), "Did you mean 'pen'"),
        ("adjustable_four_bar", ("--target", "broken.csv"), "broken.csv, line 2"),
        ("adjustable_four_bar", ("--target", "nothing.csv"), "no such file"),
        ("adjustable_four_bar", ("--target", "bikr"), "Did you mean 'biker'"),
        ("pico", ("--target", "biker"), "made for the character 'biker'"),
        ("four_bar", ("--target", "good.csv"), "no configurable joints"),
        ("open.yaml", ("--target", "good.csv"), "stays open by 480 mm at 'coupler_length'"),
        ("idle.yaml", ("--target", "good.csv"), "These bodies move freely: crank, crank_end"),
        ("tight.yaml", ("--target", "good.csv"), "exclude the rest pose: 'crank_length'"),
        ("adjustable_four_bar", ("--target", "good.csv", "--weight", "pen"), "NAME=FACTOR"),
        ("adjustable_four_bar", ("--target", "good.csv", "--weight", "pn=2"), "Did you mean 'pen'"),
        ("adjustable_four_bar", ("--target", "good.csv", "-o", "a.txt"), ".yaml or .yml"),
        ("adjustable_four_bar", ("--target", "good.csv", "--controls", "short.csv"), "must last as long"),
        ("adjustable_four_bar", ("--target", "four_bar", "--rate-hz", "10"), "comes with animato"),
        ("adjustable_four_bar", ("--target", "good.csv", "--limit-margin", "0.7"), "--limit-margin must be between"),
    ],
)
def test_a_mistake_is_one_clear_line_and_nothing_is_written(
    character: str,
    arguments: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    text = SHIPPED.read_text()
    motor = text[text.index("    {type: revolute, parent: frame, child: crank") : text.index("  crank_length:")]
    files = {
        "good.csv": CURVE,
        "unknown.csv": CURVE.replace("pen.", "pencil."),
        "broken.csv": CURVE.replace("0.03,0,0.28", "0.03,0"),
        "short.csv": "time,crank_axle\n0,0\n0.05,0.1\n",
        "open.yaml": text.replace("at: [23.5 cm, 0, 0], axis: y", "at: [93.5 cm, 0, 0], axis: y"),
        "idle.yaml": text.replace(motor, "    {type: revolute, role: passive, parent: frame, child: crank, axis: y}\n"),
        "tight.yaml": text.replace("lower: -2 cm", "lower: 1 cm"),
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    assert animato(monkeypatch, "design", character, *arguments) == 2
    told = capsys.readouterr().err.strip()
    assert told.startswith("animato: ") and words in told and "\n" not in told
    assert {file.name for file in tmp_path.iterdir()} == set(files)


def test_a_design_that_cannot_be_used_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The floor is far above what any four-bar keeps: the page says so, the exit status too, and no file is made."""
    monkeypatch.chdir(tmp_path)
    wishes = ("--target", "four_bar", "--singular-floor", "0.9", "--iterations", "0", "--json", "a.json")
    assert animato(monkeypatch, "design", "adjustable_four_bar", *wishes, "--clip", "motion.npz") == 1
    told = capsys.readouterr().err
    assert "No design is written" in told and "below the floor of 0.9" in told
    assert {file.name for file in tmp_path.iterdir()} == {"design.html", "a.json"}
    assert "Not usable" in (tmp_path / "design.html").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["usable"] is False


def test_weights_from_words() -> None:
    assert parsed_weights(["torso=2", "left=hand=0.5"]) == {"torso": 2.0, "left=hand": 0.5}


def test_the_demo_of_the_four_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert animato(monkeypatch, "demo", "design", "four_bar") == 0
    made = {file.name for file in (tmp_path / "out/demo-design-four_bar").iterdir()}
    assert made == {"four_bar.html", "four_bar.yaml", "four_bar.npz", "joints.csv", "errors.svg", "before-after.svg"}
    assert animato(monkeypatch, "demo", "design", "hello") == 2
    assert "animato demo trace hello" in capsys.readouterr().err


def wanted_path(folder: Path, shift: float = 0.0) -> None:
    """A path of the pen of the four-bar with one length to change, as `path.csv` and the crank as `crank.csv`."""
    times = np.arange(30) / 30.0
    turn = 0.5 * np.sin(3.0 * times)
    linkage = load_character("adjustable_four_bar")
    pen = motion_now(linkage, Clip(times, ("crank_axle",), turn[:, None]), ["pen"]).targets[0]
    assert pen.positions is not None
    moved = pen.positions + np.array((0.0, shift, 0.0))
    np.savetxt(folder / "path.csv", np.c_[times, moved], delimiter=",", comments="",
               header="time,pen.x,pen.y,pen.z", fmt="%.12f")  # fmt: skip
    np.savetxt(folder / "crank.csv", np.c_[times, turn], delimiter=",", comments="", header="time,crank_axle",
               fmt="%.12f")  # fmt: skip


def test_a_path_that_is_missed_is_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Six centimetres beside the plane of a planar linkage: it can be built, does its best, and misses."""
    monkeypatch.chdir(tmp_path)
    wanted_path(tmp_path, shift=0.06)
    wishes = ("--target", "path.csv", "--controls", "crank.csv", "--json", "a.json")
    assert animato(monkeypatch, "design", "adjustable_four_bar", *wishes) == 1
    told = capsys.readouterr().err
    assert "The motion is missed: the path of pen by 6 cm" in told and "The design: design.yaml" in told
    assert "Motion far off" in (tmp_path / "design.html").read_text(encoding="utf-8")
    said = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert said["usable"] and not said["met"] and said["targets"][0]["worst"] == pytest.approx(0.06, abs=1e-3)
    assert animato(monkeypatch, "design", "adjustable_four_bar", *wishes, "--tolerance-m", "0.07") == 0


def test_what_is_done_now_is_edited_by_handles_with_the_motor_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    wanted_path(tmp_path)
    handles = ("--handle", "pen at 0s move 0.004,0,0", "--handle", "pen at 0.9s move 0.004,0,0.002")
    wishes = ("--controls", "crank.csv", "--hold", "crank_axle", "--clip", "motion.npz", "--json", "a.json")
    near = ("--tolerance-m", "0.002", "--tolerance-deg", "20")  # the handles pull by 4 mm and more
    assert animato(monkeypatch, "design", "adjustable_four_bar", *handles, *wishes, *near) == 0
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["initial"]["position_max_m"] > 0.0039
    assert "Held exactly as given: crank axle" in capsys.readouterr().err
    clip = load_clip("motion.npz")
    given = np.loadtxt("crank.csv", delimiter=",", skiprows=1)[:, 1]
    np.testing.assert_allclose(clip.positions[:, clip.column("crank_axle")], given, atol=1e-12)


def test_any_robot_is_freed_chosen_for_and_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A four-bar without anything to design gets lengths, two motions, two choices and inaccurate parts."""
    monkeypatch.chdir(tmp_path)
    wanted_path(tmp_path)
    linkage = load_character("four_bar")
    (tmp_path / "other.csv").write_text((tmp_path / "path.csv").read_text().replace("pen.", "coupler."))
    assert linkage.body("coupler").name == "coupler"
    wishes = ("--target", "other.csv", "--target", "other.csv", "--free", "crank:length", "--free", "rocker:length",
              "--choose", "crank.length=same|revolute", "--inaccurate", "0.0001", "0.05", "--tolerance-m", "1",
              "--iterations", "5", "--as-built", "built.yaml")  # fmt: skip
    assert animato(monkeypatch, "design", "four_bar", *wishes) == 0
    told = capsys.readouterr().err
    assert "1. crank.length: " in told and "2. crank.length: " in told and "With inaccurate parts" in told
    page = (tmp_path / "design.html").read_text(encoding="utf-8")
    assert "Inaccurate parts" in page and ">Choices<" in page
    built = load_character("built.yaml")
    assert {body.name for body in built.bodies} == {body.name for body in linkage.bodies}
    assert load_character("design.yaml").joint("rocker.length").configuration


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Give a --target"),
        (("--handle", "pen at 0 move 0,0,1"), "Give a --target"),
        (("--target", "path.csv", "--free", "pen:colour"), "NAME:WHAT"),
        (("--target", "path.csv", "--hold", "crank_axl"), "Did you mean 'crank_axle'"),
        (("--target", "path.csv", "--choose", "crank_axle=revolute"), "JOINT=ONE|OTHER"),
        (("--target", "path.csv", "--target", "path.csv", "--controls", "crank.csv"), "as many as targets"),
        (("--target", "path.csv", "--fit", "--place", "0", "0", "0", "0"), "Give one of them"),
        (("--target", "path.csv", "--first-frame", "3"), "first-frame"),
    ],
)
def test_a_wrong_wish_is_one_clear_line(
    arguments: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    wanted_path(tmp_path)
    assert animato(monkeypatch, "design", "adjustable_four_bar", *arguments) == 2
    told = capsys.readouterr().err.strip()
    assert told.startswith("animato: ") and words in told and "\n" not in told
