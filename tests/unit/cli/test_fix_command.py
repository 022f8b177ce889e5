"""`animato fix` as users type it: what is written, what is refused, and what goes on from it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

import animato as an
from animato.cli import main
from animato.formats import save_motion
from animato.loading import load_clip

HEAVY = """animato: 1
name: crane
bodies:
  base: {mass: 1}
  arm: {mass: 2, centre: [30 cm, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}
joints:
  ground: {type: ground, child: base}
  shoulder:
    {type: revolute, parent: base, child: arm, axis: -y,
     limits: {lower: -20 deg, upper: 20 deg, velocity: 5, acceleration: 50, torque: 3}}
"""


def animato(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["animato", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


@pytest.fixture
def hasty(tmp_path: Path) -> Path:
    """A clip of the arm whose shoulder is asked for more speed than it has."""
    arm = an.load_character("planar_arm")
    times = np.linspace(0.0, 2.0, 61)
    angles = np.zeros((61, 4))
    angles[:, 0] = 0.8 + 0.6 * np.sin(np.pi * times) ** 3
    save_motion(tmp_path / "hasty.csv", an.Clip(times, arm.coordinate_names, angles), arm)
    return tmp_path / "hasty.csv"


@pytest.fixture
def heavy(tmp_path: Path) -> tuple[Path, Path]:
    """An arm that gravity alone is too much for, and a clip of it."""
    (tmp_path / "crane.yaml").write_text(HEAVY)
    times = np.linspace(0.0, 1.0, 21)
    clip = an.Clip(times, ("shoulder",), 0.2 * np.sin(np.pi * times)[:, None])
    save_motion(tmp_path / "lift.csv", clip, an.load_character(tmp_path / "crane.yaml"))
    return tmp_path / "crane.yaml", tmp_path / "lift.csv"


def test_it_writes_a_clip_a_page_and_numbers(
    hasty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, result = tmp_path / "fixed.csv", tmp_path / "fixed.json"
    assert not an.check("planar_arm", hasty).outcome.usable
    assert animato(monkeypatch, "fix", "planar_arm", hasty, "--out", out, "--json", result) == 0
    said = capsys.readouterr().err
    assert "planar_arm can do 'hasty' now, in your time" in said
    assert "of its top speed" in said and "pen, " in said and f"The clip: {out}" in said
    assert an.check("planar_arm", out).outcome.usable
    assert load_clip(out).duration == pytest.approx(2.0)
    assert (tmp_path / "fixed.html").read_text().startswith("<!doctype html>")
    told = json.loads(result.read_text())
    assert told["outcome"]["usable"] and told["after"]["fits"] and not told["before"]["fits"]
    assert {one["kind"] for one in told["changes"]} >= {"point", "joint"}
    assert [one["chosen"] for one in told["trades"]].count(True) == 1


def test_with_time_it_takes_longer_and_changes_less(
    hasty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [tmp_path / "shape.json", tmp_path / "time.json"]
    for share, name in zip(("0", "1"), names, strict=True):
        out = name.with_suffix(".npz")
        arguments = ("--time", share, "--out", out, "--json", name, "--no-trade")
        assert animato(monkeypatch, "fix", "planar_arm", hasty, *arguments) == 0
    shape, time = (json.loads(name.read_text()) for name in names)
    assert shape["duration_s"]["now"] == pytest.approx(2.0)
    assert time["duration_s"]["now"] > 2.05
    assert time["deviation"]["largest_m"] < 0.2 * shape["deviation"]["largest_m"]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--points", "pn"), "Did you mean 'pen'"),
        (("--protect", "elbw"), "Did you mean 'elbow'"),
        (("--accents", "1.6-1.2x3"), "ends after it begins"),
        (("--accents", "1.2"), "An accent is"),
        (("--protect", "7-8"), "is outside of it"),
        (("--duration-s", "-2"), "--duration-s is a number above 0"),
        (("--duration-s", "nan"), "--duration-s is a number above 0"),
        (("--time", "1.5"), "--time is a share"),
        (("--clearance-m", "-1"), "--clearance-m is 0 or more"),
        (("--out", "clip.txt"), "Cannot save the clip as"),
        (("--page", "page.txt"), "Cannot save the page as"),
    ],
)
def test_wrong_use_is_one_clear_line_and_writes_nothing(
    hasty: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, str],
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert animato(monkeypatch, "fix", "planar_arm", hasty, *arguments) == 2
    said = capsys.readouterr().err.strip()
    assert expected in said and said.count("\n") == 0
    assert sorted(tmp_path.iterdir()) == before


def test_what_cannot_be_done_leaves_no_clip_and_says_why(
    heavy: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, old = tmp_path / "fixed.csv", "an old one"
    out.write_text(old)
    assert animato(monkeypatch, "fix", *heavy, "--out", out, "--json", tmp_path / "fixed.json") == 1
    said = capsys.readouterr().err
    assert "gravity alone is too much: shoulder needs 5.89 N m" in said and "gives 3 N m" in said
    assert "another servo" in said and "No clip was written." in said
    assert out.read_text() == old
    page = (tmp_path / "fixed.html").read_text()
    assert "What stands in the way" in page and "What would do" in page
    told = json.loads((tmp_path / "fixed.json").read_text())
    assert told["obstacles"][0]["cause"] == "gravity"


def test_swapped_arguments_are_told(
    hasty: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert animato(monkeypatch, "fix", hasty, "planar_arm.yaml") == 2
    assert "the character comes first" in capsys.readouterr().err


def test_what_fix_wrote_can_be_fixed_again_and_stays(
    hasty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    once, twice = tmp_path / "once.npz", tmp_path / "twice.npz"
    assert animato(monkeypatch, "fix", "planar_arm", hasty, "--out", once, "--no-trade") == 0
    capsys.readouterr()
    assert animato(monkeypatch, "fix", "planar_arm", once, "--out", twice, "--no-trade") == 0
    assert "as it is: nothing was changed" in capsys.readouterr().err
    assert np.array_equal(load_clip(once).positions, load_clip(twice).positions)


def test_steady_takes_what_fix_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rod = an.load_character("rod")
    times = np.linspace(0.0, 1.0, 51)
    step = np.clip((times - 0.4) / 0.2, 0.0, 1.0)
    angle = np.radians(60.0) * step**3 * (10.0 - 15.0 * step + 6.0 * step**2)
    save_motion(tmp_path / "lean.csv", an.Clip(times, ("motor",), angle[:, None]), rod)
    out = tmp_path / "fixed.csv"
    assert animato(monkeypatch, "fix", "rod", tmp_path / "lean.csv", "--out", out, "--no-trade") == 0
    quick = an.steady.Options(step_s=0.004, control_points=25)
    problem = an.steady.build(rod, load_clip(out, rod), quick)
    assert problem.basis.duration == pytest.approx(1.0)
