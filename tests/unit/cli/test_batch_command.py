"""`animato batch`: what it says and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from animato.cli import run
from animato.errors import AnimatoError
from tests.batch_builders import make_clips

pytest.importorskip("pyarrow")


def test_a_batch_from_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clips, out = make_clips(tmp_path / "clips", 2), tmp_path / "out"
    line = ["batch", str(clips), "--robot", "lamp", "--on", "serial", "--out", str(out), "--pages", "none"]
    assert run(line) == 0
    said = capsys.readouterr().err
    assert "2 of 2 are done: 2 fit; 2 in this run." in said and "index.html" in said
    (clips / "bad.csv").write_text("no")
    assert run([*line, "--option", "keep_reference_pose=true"]) == 1
    assert "3 of 3 are done: 2 fit, 1 failed; 3 in this run." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--pages", "some"], "`pages`"),
        (["--option", "tim=1"], "tim"),
        (["--workers", "0"], "workers"),
        (["--longest-s", "0"], "longest_s"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, more: list[str], said: str) -> None:
    clips = make_clips(tmp_path / "clips", 1)
    with pytest.raises(AnimatoError, match=said):
        run(["batch", str(clips), "--robot", "lamp", "--verb", "fix", "--out", str(tmp_path / "out"), *more])
