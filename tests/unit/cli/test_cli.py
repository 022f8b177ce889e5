from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import animato as animato_package
from animato.cli import COMMANDS, main


def animato(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["animato", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_help_is_a_table_of_contents(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert animato(monkeypatch, "--help") == 0
    text = capsys.readouterr().out
    assert all(f"• {command}" in text for command in COMMANDS)
    assert animato(monkeypatch) == 0


@pytest.mark.parametrize(("character", "clip", "status"), [("pico", "pico_hello", 1), ("lamp", "lamp_look", 0)])
def test_check_says_by_its_status_whether_it_fits(
    character: str, clip: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, result = tmp_path / "page.html", tmp_path / "result.json"
    assert animato(monkeypatch, "check", character, clip, "--page", str(page), "--json", str(result)) == status
    assert page.read_text().startswith("<!doctype html>")
    assert json.loads(result.read_text())["fits"] is (status == 0)


def test_check_leaves_a_reference_pose_out_unless_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = np.arange(201) / 50.0
    values = np.where(times > 0.0, 0.1 * np.sin(times), 0.6)
    rows = "\n".join(f"{time:.17g},{value:.17g}" for time, value in zip(times, values, strict=True))
    clip, result = tmp_path / "look.csv", tmp_path / "result.json"
    clip.write_text(f"time [s],turn [rad]\n{rows}\n")
    told = ["check", "lamp", str(clip), "--page", str(tmp_path / "page.html"), "--json", str(result)]
    assert animato(monkeypatch, *told) == 0
    data = json.loads(result.read_text())
    assert data["left_out_frames"] == {"beginning": 1, "end": 0}
    assert data["verdict"].startswith("Only 1 of its 5 joints follows;")
    assert any("--keep-reference-pose checks it too" in note for note in data["notes"])
    assert animato(monkeypatch, *told, "--keep-reference-pose") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("check", "pico", "pico_hello", "--soles", "fot"), "fot"),
        (("check", "pcio", "pico_hello"), "pico"),
        (("check", "pico", "pico_helo"), "pico_hello"),
        (("check", "pico", "nothing.csv"), "nothing.csv"),
        (("check", "nothing.urdf", "pico_hello"), "nothing.urdf"),
        (("check", "lamp", "pico_hello"), "not in 'lamp'"),
        (("check", "four_bar", "lamp_look"), "none of the motors of 'four_bar'"),
        (("view", "pico", "--posture", "angry", "--out", "x.png"), "Postures:"),
        (("view", "pico", "--out", "x.gif"), "needs a clip"),
        (("convert", "a.docx", "b.yaml"), "neither a character nor a motion"),
        (("characters", "nobody"), "no character"),
        (("chek", "pico", "pico_hello"), "Did you mean 'check'?"),
        (("robot.urdf",), "animato check robot.urdf"),
        (("check", "pico_hello", "pico"), "Did you mean: animato check pico pico_hello?"),
        (("check", "walk.bvh", "robot.urdf"), "Did you mean: animato check robot.urdf walk.bvh?"),
        (("check", "pico", "pico_hello", "--page", "page.txt"), ".html"),
        (("view", "pico", "--out", "x.jpeg"), ".png"),
        (("check", "pico", "pico_hello", "--first-frame", "3"), "--first-frame does not exist for .csv files"),
    ],
)
def test_a_users_mistake_is_one_clear_line(
    arguments: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert animato(monkeypatch, *arguments) == 2
    text = capsys.readouterr().err.strip()
    assert text.startswith("animato: ")
    assert words in text
    assert "\n" not in text
    assert list(tmp_path.iterdir()) == []


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    from animato.errors import AnimatoError

    monkeypatch.setattr(sys, "argv", ["animato", "check", "pcio", "pico_hello", "--debug"])
    with pytest.raises(AnimatoError):
        main()


def test_a_fault_of_ours_is_one_line_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(arguments: list[str]) -> int:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("animato.cli.run", broken)
    assert animato(monkeypatch, "demo") == 3
    assert "--debug" in capsys.readouterr().err


def test_a_newcomer_with_a_urdf_and_a_csv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    robot, clip = tmp_path / "robot.urdf", tmp_path / "nod.csv"
    robot.write_text(
        '<robot name="nodder"><link name="base"/><link name="head"><inertial><mass value="0.3"/>'
        '<inertia ixx="1e-3" ixy="0" ixz="0" iyy="1e-3" iyz="0" izz="1e-3"/></inertial></link>'
        '<joint name="neck" type="revolute"><parent link="base"/><child link="head"/><origin xyz="0 0 0.2"/>'
        '<axis xyz="0 1 0"/><limit lower="-1" upper="1" velocity="2" effort="3"/></joint></robot>'
    )
    times = np.linspace(0, 2, 61)
    rows = "\n".join(f"{time:.4f},{40 * np.sin(9 * time):.3f}" for time in times)
    clip.write_text(f"time [s],neck [deg]\n{rows}\n")
    monkeypatch.chdir(tmp_path)
    assert animato(monkeypatch, "check", "robot.urdf", "nod.csv") == 1
    assert "neck" in (tmp_path / "report.html").read_text()


def test_convert_goes_there_and_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from animato.loading.clips import load_clip

    first, second = tmp_path / "a.npz", tmp_path / "b.csv"
    load = load_clip("lamp_look")
    source = tmp_path / "lamp.csv"
    from animato.formats.motion_files import save_motion

    save_motion(source, load)
    assert animato(monkeypatch, "convert", str(source), str(first)) == 0
    assert animato(monkeypatch, "convert", str(first), str(second)) == 0
    assert load_clip(second).same_as(load)


def test_view_renders_without_a_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = tmp_path / "lamp.png"
    assert (
        animato(monkeypatch, "view", "lamp", "lamp_look", "--out", str(picture), "--width", "160", "--height", "120")
        == 0
    )
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_flag_that_does_not_exist_leads_to_one_of_the_same_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert animato(monkeypatch, "check", "pico", "pico_hello", "--pagee", "x.html") == 2
    text = capsys.readouterr().err
    assert "--page FILE" in text and "animato check --help" in text
    assert "animato trace" not in text


def test_version(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert animato(monkeypatch, "--version") == 0
    assert capsys.readouterr().out.strip() == f"animato {animato_package.__version__}"


def test_it_starts_quickly_and_imports_nothing_heavy() -> None:
    heavy = ["numpy", "numba", "scipy", "pydantic", "mujoco", "trimesh", "viser", "matplotlib"]
    program = f"import sys, animato.cli; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
