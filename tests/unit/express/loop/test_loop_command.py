"""`animato express`, as a program with pipes."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from animato.cli import run
from animato.formats.character_files import load_character
from animato.loading.clips import load_clip
from animato.mechanics.limits import limit_usage

ANIMATO = (sys.executable, "-m", "animato.cli", "express", "skeleton_c", "--posture", "curious")


def test_lines_in_commands_out() -> None:
    done = subprocess.run(
        [*ANIMATO, "--targets", "-", "--duration-s", "0.5"],
        input="1 0 1\nnonsense\n0 1 1\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 50
    assert lines[-1]["time_s"] == 0.5
    assert list(lines[0]["positions"]) == [f"joint_{n}" for n in range(1, 6)]
    assert lines[0]["positions"] != lines[-1]["positions"]
    assert any("bad line" in line.get("warnings", ()) for line in lines)
    assert "50 commands" in done.stderr
    assert "bad line, once" in done.stderr


def test_a_reader_that_leaves_ends_the_loop() -> None:
    program = subprocess.Popen([*ANIMATO, "--targets", "-"], stdin=-1, stdout=-1, stderr=-1)
    assert program.stdin and program.stdout and program.stderr
    program.stdin.write(b"1 0 1\n")
    program.stdin.flush()
    assert program.stdout.readline().startswith(b'{"time_s"')
    program.stdout.close()
    assert program.wait(timeout=30) == 0  # although its input is still open
    said = program.stderr.read()
    assert b"commands" in said
    assert b"Error" not in said
    program.stdin.close()
    program.stderr.close()


def test_targets_over_udp() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [*ANIMATO, "--udp", str(port), "--duration-s", "0.6"]
    program = subprocess.Popen(command, stdout=-1, stderr=-1, text=True)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        until = time.perf_counter() + 60.0
        while program.poll() is None and time.perf_counter() < until:
            sender.sendto(b'{"direction": [0.5, 0.5, 1]}', ("127.0.0.1", port))
            time.sleep(0.02)
    out, _ = program.communicate(timeout=10)
    lines = [json.loads(line)["positions"] for line in out.splitlines()]
    assert len(lines) == 60
    assert lines[0] != lines[-1]


def test_a_file_played_fast_becomes_a_clip_and_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    angles = np.linspace(0, 1, 100)
    text = "\n".join(f"{2 * np.cos(a):.6f} {2 * np.sin(a):.6f} 1" for a in angles)
    Path("targets.txt").write_text(text)
    arguments = ["express", "skeleton_c", "--posture", "curious", "--targets", "targets.txt", "--fast"]
    for name in ("a.npz", "b.npz"):
        assert run([*arguments, "--smoothness", "0.6", "--out", name, "--json", "report.json", "--page", "p.html"]) == 0
    assert capsys.readouterr().out == ""
    assert "Performed" in Path("p.html").read_text(encoding="utf-8")
    clip, report = load_clip("a.npz"), json.loads(Path("report.json").read_text())
    assert clip.same_as(load_clip("b.npz"))
    assert clip.frame_count == report["frames"] + 1 > 100
    assert report["warnings"] == []
    assert report["usable"]
    usage = limit_usage(load_character("skeleton_c"), clip)
    assert usage.holds


def test_a_motion_that_breaks_a_limit_ends_with_status_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("targets.txt").write_text("2 0 1\n")
    arguments = ["express", "skeleton_c", "--posture", "curious", "--targets", "targets.txt", "--fast"]
    assert run([*arguments, "--smoothness", "0", "--json", "report.json"]) == 1
    assert "infeasible: The torque of 'joint_" in (said := capsys.readouterr().err)
    assert "--smoothness" in said
    assert not json.loads(Path("report.json").read_text())["usable"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--posture", "curius"), "curious"),
        (("--posture", "curious", "--targets", "missing.txt"), "missing.txt"),
        (("--posture", "curious", "--out", "x.bvh"), r"\.npz"),
        (("--posture", "curious", "--rate-hz", "0"), "greater than 0"),
        (("--posture", "curious", "--end-point", "tipp"), "tip"),
        (("--posture", "curious", "--udp", "99999"), "65535"),
    ],
)
def test_mistakes_are_told_before_anything_moves(arguments: tuple[str, ...], words: str) -> None:
    from animato.errors import AnimatoError

    with pytest.raises(AnimatoError, match=words):
        run(["express", "skeleton_c", *arguments])
